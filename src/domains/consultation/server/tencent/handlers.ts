import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { hideConversation, hideMyConversation, queryMyMessages, reportMyRead, reportRead } from '../../contract/calls/vendor.ts';
import { groupConversation } from '../../contract/im/ids.ts';
import { own } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import { readHistory } from '../im/messages/history.ts';
import type { ConvName } from '../im/messages/present.ts';
import { changeSetting, moveReadCursor } from '../im/conversations/reading.ts';
import type { Refused } from '../im/messages/sending.ts';
import { participantOf } from '../participants/enter.ts';
import { meOf } from '../people/me.ts';

interface Place {
  conv: ConvName;
  viewer: string;
  first: number;
}

/** A conversation of one's own. @throws Refusal SCM90040 for all others. */
async function ownPlace(kernel: Kernel, db: Db | Tx, viewer: string, conversationID: string): Promise<Place> {
  const conv = await imEngine(kernel).names.find(db, viewer, conversationID);
  const member =
    conv &&
    (await own(db)
      .selectFrom('consultationImMember')
      .select(['fromSeq', 'clearedSeq'])
      .where('convId', '=', conv.convId)
      .where('imUserId', '=', viewer)
      .where('leftAt', 'is', null)
      .executeTakeFirst());
  if (!conv || !member) throw refuse(platformErrors.NOT_FOUND);
  return { conv, viewer, first: Math.max(Number(member.fromSeq), Number(member.clearedSeq) + 1) };
}
const ofStaff = async (kernel: Kernel, db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>, conversationID: string) =>
  ownPlace(kernel, db, (await meOf(db, ctx)).imUserId, conversationID);
/** A link of one group opens that group alone. */
function ofParticipant(kernel: Kernel, db: Db | Tx, ctx: Pick<Context, 'participant'>, conversationID: string): Promise<Place> {
  const { imUserId, groupId } = participantOf(ctx);
  if (groupId !== null && conversationID !== groupConversation(groupId)) throw refuse(platformErrors.NOT_FOUND);
  return ownPlace(kernel, db, imUserId, conversationID);
}

/** Who is no member finds nothing. */
const found = <T extends object>(outcome: T): Exclude<T, Refused> => {
  if ('refused' in outcome) throw refuse(platformErrors.NOT_FOUND);
  return outcome as Exclude<T, Refused>;
};
const TARGET = 'consultation.conversation';

/** In the vendor's mode reading and hiding happen at his SDK; the page tells our record of it. */
export const tencentHandlers = (kernel: Kernel): readonly Handler[] => {
  const { hub } = imEngine(kernel);
  const read = async ({ conv, viewer }: Place, readSeq: number, ctx: Pick<Context, 'traceId' | 'now'>) => {
    const moved = found(
      await kernel.transactions.run(ctx.traceId, (writing) => moveReadCursor(writing, hub, conv, viewer, readSeq, ctx.now)),
    );
    if (moved.moved) imEngine(kernel).reads.add(conv.convId, viewer, moved.readSeq);
    return { readSeq: moved.readSeq, unreadCount: moved.unreadCount };
  };
  return [
    query(reportRead, async ({ conversationID, readSeq }, ctx) => read(await ofStaff(kernel, ctx.db, ctx, conversationID), readSeq, ctx)),
    query(reportMyRead, async ({ conversationID, readSeq }, ctx) =>
      read(await ofParticipant(kernel, ctx.db, ctx, conversationID), readSeq, ctx),
    ),
    command(hideConversation, async ({ conversationID }, ctx) => {
      const { conv, viewer } = await ofStaff(kernel, ctx.tx, ctx, conversationID);
      found(await changeSetting(ctx, hub, conv, viewer, { cleared: true }, ctx.now));
      ctx.target({ type: TARGET, id: conv.convId, no: conversationID });
      return null;
    }),
    command(hideMyConversation, async ({ conversationID }, ctx) => {
      const { conv, viewer } = await ofParticipant(kernel, ctx.tx, ctx, conversationID);
      found(await changeSetting(ctx, hub, conv, viewer, { cleared: true }, ctx.now));
      ctx.target({ type: TARGET, id: conv.convId, no: conversationID });
      return null;
    }),
    query(queryMyMessages, async ({ conversationID, pageSize, ...wish }, ctx) => {
      const { conv, viewer, first } = await ofParticipant(kernel, ctx.db, ctx, conversationID);
      const { messages, isCompleted } = await readHistory(ctx.db, conv, viewer, first, { ...wish, limit: pageSize });
      return { messages: messages.map((message) => ({ ...message, payload: { ...message.payload } })), isCompleted };
    }),
  ];
};
