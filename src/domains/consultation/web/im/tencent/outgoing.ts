import { imError } from '../../../contract/im/codes.ts';
import { imLimits } from '../../../contract/im/limits.ts';
import { messageTypes, type ImMessage } from '../../../contract/im/types.ts';
import { carry, seal } from '../../../contract/im/vendor.ts';
import { faultOf } from './faults.ts';
import { messageOf } from './shapes.ts';
import type { SdkMessage, SdkTypes, VendorSdk } from './sdk.ts';

/** Bytes that the limit is about: a text's own, else those of the whole content. */
const bytesOf = ({ type, payload }: ImMessage): number =>
  new TextEncoder().encode(type === messageTypes.TEXT && 'text' in payload ? payload.text : JSON.stringify(payload)).length;

/** Messages of this page on their way: the SDK's own object of each, so that a second try is the same message to the vendor. */
export class Outgoing {
  readonly #made = new WeakMap<ImMessage, SdkMessage>();
  readonly #failed = new Set<ImMessage>();

  #make(sdk: VendorSdk, message: ImMessage): SdkMessage {
    const carried = carry(message);
    const common = {
      to: message.to,
      conversationType: message.conversationType as SdkTypes,
      needReadReceipt: true,
      cloudCustomData: seal({
        clientMsgId: message.clientMsgId,
        custom: message.cloudCustomData,
        quoteSeq: message.quoteSeq,
        modifyVersion: message.modifyVersion,
        countsUnread: message.countsUnread,
      }),
    };
    if (carried.type === messageTypes.CUSTOM) return sdk.createCustomMessage({ ...common, payload: carried.payload });
    if (message.atUserList.length > 0)
      return sdk.createTextAtMessage({ ...common, payload: { ...carried.payload, atUserList: message.atUserList } });
    return sdk.createTextMessage({ ...common, payload: carried.payload });
  }

  async send(sdk: VendorSdk, message: ImMessage, onlineUserOnly: boolean): Promise<ImMessage> {
    try {
      if (bytesOf(message) > imLimits.messageBytes) throw imError('TOO_LONG');
      const earlier = this.#made.get(message);
      const made = earlier ?? this.#make(sdk, message);
      this.#made.set(message, made);
      Object.assign(message, { status: 'unSend' });
      delete message.fault;
      const { data }: { data: { message: SdkMessage } } = await (earlier
        ? sdk.resendMessage(made)
        : sdk.sendMessage(made, onlineUserOnly ? { onlineUserOnly: true } : undefined));
      const sent = messageOf(data.message, message.from);
      this.#failed.delete(message);
      return Object.assign(message, {
        ID: sent.ID,
        sequence: sent.sequence,
        time: sent.time,
        nick: sent.nick,
        avatar: sent.avatar,
        status: 'success',
        progress: 1,
      } as const);
    } catch (error) {
      const fault = faultOf(error);
      Object.assign(message, { status: 'fail', fault: { code: fault.code, message: fault.message } });
      if (!onlineUserOnly) this.#failed.add(message);
      throw fault;
    }
  }

  failed(conversationID?: string): ImMessage[] {
    return [...this.#failed].filter((message) => conversationID === undefined || message.conversationID === conversationID);
  }
  forget(message: ImMessage): void {
    this.#failed.delete(message);
  }
}
