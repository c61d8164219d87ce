import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { peerOf } from '../../contract/im/ids.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import type { ConvName } from '../im/messages/present.ts';
import { seeGroup } from '../people/access.ts';
import { meOrNull } from '../people/me.ts';

/** A conversation that somebody of the staff may read. */
export interface Place {
  conv: ConvName;
  /** His account, in whose name single chats are called; the empty text for somebody without one. */
  viewer: string;
  /** First message that he may read. */
  first: number;
  /** What the log calls it. */
  name: string;
}

const firstSeq = async (db: Db | Tx, convId: string, viewer: string): Promise<number | null> => {
  const member = await own(db)
    .selectFrom('consultationImMember')
    .select(['fromSeq', 'clearedSeq'])
    .where('convId', '=', convId)
    .where('imUserId', '=', viewer)
    .where('leftAt', 'is', null)
    .executeTakeFirst();
  return member ? Math.max(Number(member.fromSeq), Number(member.clearedSeq) + 1) : null;
};

/**
 * A group by chat access or the right to visit records; a single chat by one's own part in it.
 * @throws Refusal SCM90040 for everybody else, and where there is no such conversation.
 */
export async function readablePlace(
  kernel: Kernel,
  db: Db | Tx,
  ctx: Pick<Context, 'staff' | 'has'>,
  conversationID: string,
): Promise<Place> {
  const peer = peerOf(conversationID);
  const group = 'groupID' in peer ? await seeGroup(db, ctx, peer.groupID) : null;
  const me = group ? group.me : ctx.has(may['chat.send']) ? await meOrNull(db, ctx) : null;
  const viewer = me?.imUserId ?? '';
  const conv = group || me ? await imEngine(kernel).names.find(db, viewer, conversationID) : null;
  if (!conv) throw refuse(platformErrors.NOT_FOUND);
  const first = me ? await firstSeq(db, conv.convId, viewer) : null;
  if (first === null && !group) throw refuse(platformErrors.NOT_FOUND);
  return { conv, viewer, first: first ?? 1, name: group?.group.name ?? conversationID };
}
