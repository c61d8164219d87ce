import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { Context, Db, Tx } from '../../../../kernel/server/context.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { hideConversation, reportRead } from '../../contract/calls/vendor.ts';
import { imEngine } from '../im/engine.ts';
import { changeSetting, moveReadCursor } from '../im/reading.ts';
import type { ConvName } from '../im/present.ts';
import type { Refused } from '../im/sending.ts';
import { meOf } from '../people/me.ts';

async function placeOf(kernel: Kernel, db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>, conversationID: string): Promise<{ conv: ConvName; viewer: string }> {
  const { imUserId: viewer } = await meOf(db, ctx);
  const conv = await imEngine(kernel).names.find(db, viewer, conversationID);
  if (!conv) throw refuse(platformErrors.NOT_FOUND);
  return { conv, viewer };
}

/** Who is no member finds nothing. */
const found = <T extends object>(outcome: T): Exclude<T, Refused> => {
  if ('refused' in outcome) throw refuse(platformErrors.NOT_FOUND);
  return outcome as Exclude<T, Refused>;
};

/** In the vendor's mode reading and hiding happen at his SDK; the page tells our record of it. */
export const tencentHandlers = (kernel: Kernel): readonly Handler[] => [
  query(reportRead, async ({ conversationID, readSeq }, ctx) => {
    const { conv, viewer } = await placeOf(kernel, ctx.db, ctx, conversationID);
    const moved = found(await kernel.transactions.run(ctx.traceId, (writing) => moveReadCursor(writing, imEngine(kernel).hub, conv, viewer, readSeq, ctx.now)));
    return { readSeq: moved.readSeq, unreadCount: moved.unreadCount };
  }),
  command(hideConversation, async ({ conversationID }, ctx) => {
    const { conv, viewer } = await placeOf(kernel, ctx.tx, ctx, conversationID);
    found(await changeSetting(ctx, imEngine(kernel).hub, conv, viewer, { cleared: true }, ctx.now));
    ctx.target({ type: 'consultation.conversation', id: conv.convId, no: conversationID });
    return null;
  }),
];
