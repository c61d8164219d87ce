import { sql } from 'kysely';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import type { Context, Db, Tx } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { peerOf } from '../../contract/im/ids.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { ownDb } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import type { ConvName } from '../im/present.ts';
import { seeGroup, type Seen } from '../people/access.ts';
import { meOrNull } from '../people/me.ts';
import { seesVisit } from '../visits/scope.ts';

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
  const member = await ownDb(db).selectFrom('consultationImMember').select(['fromSeq', 'clearedSeq']).where('convId', '=', convId).where('imUserId', '=', viewer).where('leftAt', 'is', null).executeTakeFirst();
  return member ? Math.max(Number(member.fromSeq), Number(member.clearedSeq) + 1) : null;
};

/** Somebody who reads visit records sees the chats that belong to the inquiries of his scope, and no others. */
async function demandVisit(db: Db | Tx, ctx: Pick<Context, 'staff'>, groupId: string): Promise<void> {
  const { rows } = await sql<{ sees: boolean }>`
    select exists (select from consultation_inquiry i join consultation_medical_group g on g.group_id = i.group_id left join consultation_doctor_place p on p.doctor_id = i.doctor_id
      where i.group_id = ${groupId} and ${seesVisit(ctx.staff)}) as sees`.execute(db);
  if (!rows[0]?.sees) throw refuse(platformErrors.NOT_FOUND);
}

/** Chat access to a group's messages. @throws Refusal SCM90040 */
export async function readableGroup(db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>, groupId: string): Promise<Seen> {
  const seen = await seeGroup(db, ctx, groupId);
  if (!seen.member && !seen.pool && !seen.watcher) await demandVisit(db, ctx, groupId);
  return seen;
}

/**
 * A group by chat access or the right to visit records; a single chat by one's own part in it.
 * @throws Refusal SCM90040 for everybody else, and where there is no such conversation.
 */
export async function readablePlace(kernel: Kernel, db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>, conversationID: string): Promise<Place> {
  const peer = peerOf(conversationID);
  const group = 'groupID' in peer ? await readableGroup(db, ctx, peer.groupID) : null;
  const me = group ? group.me : ctx.has(may['chat.send']) ? await meOrNull(db, ctx) : null;
  const viewer = me?.imUserId ?? '';
  const conv = group || me ? await imEngine(kernel).names.find(db, viewer, conversationID) : null;
  if (!conv) throw refuse(platformErrors.NOT_FOUND);
  const first = me ? await firstSeq(db, conv.convId, viewer) : null;
  if (first === null && !group) throw refuse(platformErrors.NOT_FOUND);
  return { conv, viewer, first: first ?? 1, name: group?.group.name ?? conversationID };
}
