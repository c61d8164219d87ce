import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import type { GroupRow } from '../inquiries/rows.ts';
import { own } from '../database.ts';
import { meFrom, type Me } from './me.ts';
import { seesVisit } from '../visits/scope.ts';
import { inPool, isMember } from './pool.ts';

export interface Seen {
  group: GroupRow;
  /** Null for somebody who reads without being an assistant. */
  me: Me | null;
  member: boolean;
  /** May take it, and look into it before. */
  pool: boolean;
  watcher: boolean;
}

/** Somebody who reads visit records sees the groups of the inquiries in his scope, and no others. */
async function readsVisit(db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>, groupId: string): Promise<boolean> {
  if (!ctx.has(may['visit.view'])) return false;
  const { rows } = await sql<{ sees: boolean }>`
    select exists (
      select from consultation_inquiry i
        join consultation_medical_group g on g.group_id = i.group_id
        left join consultation_doctor_place p on p.doctor_id = i.doctor_id
        where i.group_id = ${groupId} and ${seesVisit(ctx.staff)}
    ) as sees`.execute(db);
  return rows[0]?.sees === true;
}

/**
 * Chat access: a member, somebody of the pool who looks before taking, a watcher, or who may read a visit record of it.
 * @throws Refusal SCM90040 for everybody else: whether the group exists is not told.
 */
export async function seeGroup(db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>, groupId: string): Promise<Seen> {
  // One statement: each section of the panel asks whether somebody may see the group.
  const row = await own(db)
    .selectFrom('consultationMedicalGroup as g')
    .leftJoin('consultationAssistantDuty as d', (on) => on.on('d.userId', '=', ctx.staff.userId).on('d.personState', '<>', 'DISABLED'))
    .selectAll('g')
    .select([
      'd.assistantId as myId',
      'd.operatorId as myOperatorId',
      'd.name as myName',
      'd.state as myState',
      'd.stateAt as myStateAt',
      'd.maxConcurrent as myMost',
    ])
    .select([isMember(sql`'A' || d.operator_id`).as('member'), inPool(sql`d.assistant_id`).as('inIts')])
    .where('g.groupId', '=', groupId)
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  const { myId, myOperatorId, myName, myState, myStateAt, myMost, member: isIn, inIts, ...group } = row;
  const me =
    myId === null || !ctx.has(may['chat.send'])
      ? null
      : meFrom(
          { assistantId: myId, operatorId: myOperatorId!, name: myName!, state: myState!, stateAt: myStateAt!, maxConcurrent: myMost! },
          ctx,
        );
  const watcher = ctx.has(may['chat.watch']) && me !== null;
  const member = me !== null && Boolean(isIn);
  const pool = me !== null && Boolean(inIts) && group.workState === 'QUEUED';
  if (!member && !pool && !watcher && !(await readsVisit(db, ctx, groupId))) throw refuse(platformErrors.NOT_FOUND);
  return { group, me, member, pool, watcher };
}

/** Only members act in a group. @throws Refusal SCM90040. */
export async function requireMember(db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>, groupId: string): Promise<Seen & { me: Me }> {
  const seen = await seeGroup(db, ctx, groupId);
  const { me } = seen;
  if (me === null || !(seen.member || (me.supervisor && seen.watcher))) throw refuse(platformErrors.NOT_FOUND);
  return { ...seen, me };
}

/** Who may look into a group without acting in it: members, the pool while it waits, supervisors. @throws Refusal SCM90040. */
export async function requireSeen(db: Db | Tx, ctx: Pick<Context, 'staff' | 'has'>, groupId: string): Promise<Seen & { me: Me }> {
  const seen = await seeGroup(db, ctx, groupId);
  const { me } = seen;
  if (me === null || !(seen.member || seen.watcher || seen.pool)) throw refuse(platformErrors.NOT_FOUND);
  return { ...seen, me };
}
