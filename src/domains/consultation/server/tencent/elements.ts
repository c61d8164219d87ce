import * as z from 'zod/mini';
import { messageTypes, type MessagePayload, type MessageType } from '../../contract/im/types.ts';
import { carry, uncarry } from '../../contract/im/vendor.ts';

/** The vendor's elements on the server side, where names begin with capitals. */
export const elements = z.array(z.looseObject({ MsgType: z.string(), MsgContent: z.optional(z.record(z.string(), z.unknown())) }));

/** A message of ours as the vendor's server takes it. */
export function bodyOf(message: { type: MessageType; payload: MessagePayload }): object[] {
  const carried = carry(message);
  if (carried.type === messageTypes.TEXT) return [{ MsgType: carried.type, MsgContent: { Text: carried.payload.text } }];
  const { data, description, extension } = carried.payload;
  return [{ MsgType: carried.type, MsgContent: { Data: data, Desc: description, Ext: extension } }];
}

/** What his elements mean to us. Our programs send one; of a foreign message of several the first counts. */
export function messageOf(body: z.output<typeof elements> | undefined): { type: MessageType; payload: MessagePayload } {
  const { MsgType = '', MsgContent: content = {} } = body?.[0] ?? {};
  return uncarry(MsgType, { text: content['Text'], data: content['Data'], description: content['Desc'], extension: content['Ext'] });
}
