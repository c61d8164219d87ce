import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { Day, Instant } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import type { addPerfChange } from '../../contract/calls/perfChanges.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { perfChangeMachine } from '../../contract/perfStates.ts';
import { perfChangeRecords, type PerfChangeRecord } from '../access.ts';
import { own } from '../database.ts';
import { impactOf, pairKey, type Impact } from './attribution.ts';
import { agentFault, faultOf, keepAgents, keepPairs, lockHeads, standingOf, type Standing, type Wish } from './keep.ts';

export type Facts = CheckedInputOf<typeof addPerfChange>;
type Action = keyof typeof perfChangeMachine.transitions;
type Owned = Pick<PerfChangeRecord, 'submittedBy' | 'makerId'>;
type Answered = Owned & Pick<PerfChangeRecord, 'id' | 'status' | 'version' | 'effectiveDate'>;

const NO_IMPACT: Impact = { incomeCount: 0, grossFen: '0', months: [] };

/** Whose a request is: who handed it in, or drafted it; anybody's where the system did. */
function isOwn({ submittedBy, makerId }: Owned, userId: string): boolean {
  const owner = submittedBy ?? makerId;
  return owner === null || owner === userId;
}
/** @throws Refusal SCM19070 */
export function requireOwn(change: Owned, userId: string): void {
  if (!isOwn(change, userId)) throw refuse(settlementErrors.NOT_SUBMITTER);
}

/** Who asks, and on which day. */
export interface Asking {
  today: Day;
  staff: { userId: string };
}
/** Of the two ways in which a request passes, the one that its day leaves; only whose it is takes it back. */
export function offeredOf(
  change: Owned & Pick<PerfChangeRecord, 'effectiveDate'>,
  actions: readonly Action[],
  { today, staff }: Asking,
): Action[] {
  const otherWay = change.effectiveDate > today ? 'approve' : 'approveAhead';
  return actions.filter((action) => action !== otherWay && (action !== 'withdraw' || isOwn(change, staff.userId)));
}

export const answerOf = (ctx: Pick<Context, 'has'> & Asking, row: Answered) => {
  const answer = actionAnswer(ctx, perfChangeMachine, { ...row, state: row.status });
  return { ...answer, allowedActions: offeredOf(row, answer.allowedActions, ctx) };
};

/** What each pair is wished to become. */
export function wishesOf({
  changeType,
  fromAgentId,
  toAgentId,
  items,
}: Pick<Facts, 'changeType' | 'fromAgentId' | 'toAgentId' | 'items'>): Wish[] {
  return items.map((item) => {
    const wish = {
      doctorId: item.doctorId,
      productLineId: item.productLineId,
      fromAgentId: changeType === 'BIND' ? null : fromAgentId,
      toAgentId: changeType === 'UNBIND' ? null : changeType === 'TRANSFER' ? (item.toAgentId ?? toAgentId) : toAgentId,
    };
    if (changeType === 'TRANSFER' && wish.toAgentId === null) throw refuseField('items', '请为每位医生选择接收代表');
    if (wish.fromAgentId === wish.toAgentId) throw refuseField('toAgentId', '新代表不能与原代表相同');
    return wish;
  });
}

const single = (ids: readonly (string | null)[]): string | null => {
  const [first = null, ...more] = [...new Set(ids)];
  return more.length === 0 ? first : null;
};
/** Whom a request is about where it is one alone. */
export const peopleOf = (wishes: readonly Wish[]) => ({
  fromAgentId: single(wishes.map(({ fromAgentId }) => fromAgentId)),
  toAgentId: single(wishes.map(({ toAgentId }) => toAgentId)),
});

/** Everything that the wishes name is kept first. @throws Refusal SCM90040 */
export async function keepNamed(tx: Tx, wishes: readonly Wish[], now: Instant): Promise<void> {
  await keepAgents(
    tx,
    wishes.flatMap(({ fromAgentId, toAgentId }) => [fromAgentId, toAgentId]).filter((id) => id !== null),
    now,
  );
  await keepPairs(tx, wishes, now);
}

export async function insertItems(tx: Tx, requestId: string, wishes: readonly Wish[], isOpen = false): Promise<string[]> {
  const rows = await own(tx)
    .insertInto('settlementPerfItem')
    .values(
      wishes.map(({ doctorId, productLineId, fromAgentId, toAgentId }) => ({
        requestId,
        doctorId,
        productLineId,
        fromAgentId,
        toAgentId,
        isOpen,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export const readItems = (db: Db | Tx, requestId: string) =>
  own(db)
    .selectFrom('settlementPerfItem')
    .select(['id', 'doctorId', 'productLineId', 'fromAgentId', 'toAgentId', 'oldRelationId', 'newRelationId'])
    .where('requestId', '=', requestId)
    .orderBy('id')
    .execute();

/** The incomes that change hands by a request, or by these pairs of it, are kept with it as they are now. */
export async function keepImpact(tx: Tx, requestId: string, wishes: readonly Wish[], from: Day): Promise<void> {
  const impacts = await impactOf(tx, wishes, from);
  const of = (wish: Wish) => impacts.get(pairKey(wish)) ?? NO_IMPACT;
  await sql`
    update settlement_perf_item i
      set income_count = v.income_count, gross_fen = v.gross_fen, months = string_to_array(v.months, ',')
      from unnest(
        ${wishes.map(({ doctorId }) => doctorId)}::bigint[],
        ${wishes.map(({ productLineId }) => productLineId)}::bigint[],
        ${wishes.map((wish) => of(wish).incomeCount)}::int[],
        ${wishes.map((wish) => of(wish).grossFen)}::bigint[],
        ${wishes.map((wish) => of(wish).months.join(','))}::text[]
      ) as v (doctor_id, product_line_id, income_count, gross_fen, months)
      where i.request_id = ${requestId} and i.doctor_id = v.doctor_id and i.product_line_id = v.product_line_id`.execute(tx);
}

/**
 * The pairs as they stand, their heads locked, where each of them can be changed so.
 * @throws Refusal SCM19061, SCM19063, SCM19064, SCM19067 to SCM19069, SCM19071
 */
export async function requireSound(
  ctx: Pick<Acting, 'tx' | 'now'>,
  request: Pick<PerfChangeRecord, 'id' | 'effectiveDate'>,
  wishes: readonly Wish[],
): Promise<ReadonlyMap<string, Standing>> {
  await lockHeads(ctx.tx, request.id);
  const agents = await keepAgents(
    ctx.tx,
    wishes.map(({ toAgentId }) => toAgentId).filter((id) => id !== null),
    ctx.now,
  );
  const byId = new Map(agents.map((agent) => [agent.agentId, agent]));
  const standings = await standingOf(ctx.tx, wishes);
  for (const wish of wishes) {
    const agent = wish.toAgentId === null ? null : byId.get(wish.toAgentId)!;
    const fault =
      faultOf(wish, standings.get(pairKey(wish))!, request.effectiveDate, request.id) ?? (agent && agentFault(agent, wish.productLineId));
    if (fault) throw fault;
  }
  return standings;
}

export const closeItems = (tx: Tx, requestId: string) =>
  own(tx).updateTable('settlementPerfItem').set({ isOpen: false }).where('requestId', '=', requestId).where('isOpen', '=', true).execute();

/** Takes a transition of a locked request. */
export async function moveChange(
  ctx: Acting,
  change: PerfChangeRecord,
  action: Action,
  opinion = '',
  more: Partial<Pick<PerfChangeRecord, 'submittedBy' | 'makerId' | 'makerName' | 'checkerId' | 'checkerName'>> = {},
): Promise<PerfChangeRecord> {
  const status = await moveState(ctx, perfChangeMachine, {
    targetType: perfChangeRecords.type,
    targetId: change.id,
    targetNo: change.requestNo,
    action,
    from: change.status,
    opinion,
    contributors: [change.makerId, change.submittedBy],
  });
  return own(ctx.tx)
    .updateTable('settlementPerfChange')
    .set((eb) => ({ status, ...(opinion !== '' && { opinion }), ...more, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', change.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
