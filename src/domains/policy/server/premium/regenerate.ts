import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { Day } from '#kernel/contract/time.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { addPremiumOrder, regeneratePremiumOrder } from '../../contract/calls/premium.ts';
import { policyErrors } from '../../contract/errors.ts';
import { premiumMachine } from '../../contract/premiumStates.ts';
import { linesBetween } from '../../contract/rules/cover.ts';
import { instalmentOf, periodsOf } from '../../contract/rules/premium.ts';
import {
  endorsementRecords,
  policyRecords,
  premiumRecords,
  type EndorsementRecord,
  type PolicyRecord,
  type PremiumRecord,
  requireInsurerNumbers,
} from '../access.ts';
import { own } from '../database.ts';
import { lockedPolicy, periodOf } from '../endorsements/carryOut.ts';
import { changesOf } from '../endorsements/undo.ts';
import { isPaidClaim, usesOf } from '../uses/uses.ts';
import { linesOf, sumOf, termsOf, type OrderLine } from './lines.ts';
import { premiumActionsOf } from './list.ts';
import { requireMaker } from './maker.ts';
import { makeOrder, writeItems, type OrderWish } from './makeOrder.ts';

/** Kinds whose returns the policy keeps a fee of. */
const WITH_FEE: ReadonlySet<EndorsementRecord['kind']> = new Set(['REMOVE', 'SURRENDER', 'MIXED']);

/** What an endorsement costs, from the slices that it replaced and wrote. */
async function linesOfEndorsement(
  tx: Tx,
  policy: PolicyRecord,
  { id, kind }: Pick<EndorsementRecord, 'id' | 'kind'>,
): Promise<OrderLine[]> {
  const persons = await changesOf(tx, id);
  const uses = policy.refundIfClaimed ? [] : await usesOf(tx, { policyId: policy.id });
  const terms = termsOf(policy);
  return persons.flatMap(({ insuredItemId, change }) => {
    const claimed = WITH_FEE.has(kind) && uses.some((use) => isPaidClaim(use) && use.insuredItemId === insuredItemId);
    const lines = linesBetween(change.supersede, change.write, { withFee: WITH_FEE.has(kind), claimed });
    return linesOf(terms, insuredItemId, { ...change, lines });
  });
}

const firstCover = (tx: Tx, policyId: string) =>
  own(tx)
    .selectFrom('policyEndorsement as e')
    .selectAll('e')
    .where('e.policyId', '=', policyId)
    .where('e.state', '=', 'VISIBLE')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('policyCoverSlice as s').select('s.id').whereRef('s.createdByEndorsementId', '=', 'e.id')),
    )
    .orderBy('e.seq')
    .limit(1)
    .executeTakeFirst();

/** @throws Refusal SCM13053 where a live order of the same kind and period, or of the same endorsement, stands already */
async function requireNone(tx: Tx, policyId: string, wish: { kind: OrderWish['kind']; from: Day; endorsementId: string }): Promise<void> {
  const { rows } = await sql<{ no: string }>`
    select premium_order_no as no from policy_premium_order
    where policy_id = ${policyId} and reverses_order_id is null and state not in ('VOIDED', 'REVERSED')
      and case when ${wish.kind} = 'ADJUST' then source_endorsement_id = ${wish.endorsementId}::bigint
        when ${wish.kind} = 'INSTALMENT' then kind in ('NEW', 'RENEWAL', 'INSTALMENT') and period_from = ${wish.from}::date
        else kind in ('NEW', 'RENEWAL') or source_endorsement_id = ${wish.endorsementId}::bigint end
    order by id limit 1`.execute(tx);
  if (rows[0]) throw refuse(policyErrors.PERIOD_TAKEN, { no: rows[0].no });
}

const lastDay = (lines: readonly OrderLine[], fallback: Day) => lines.reduce((last, { to }) => (to > last ? to : last), fallback);
const firstDay = (lines: readonly OrderLine[], fallback: Day) => lines.reduce((first, { from }) => (from < first ? from : first), fallback);

type Sourced = Pick<OrderWish, 'kind' | 'period' | 'part' | 'sourceEndorsementId'> & { lines: OrderLine[] };

async function sourceOf(
  ctx: CommandContext,
  policy: PolicyRecord,
  { kind, endorsementId, periodFrom }: { kind: OrderWish['kind']; endorsementId?: string | undefined; periodFrom?: Day | undefined },
): Promise<Sourced> {
  if (kind === 'ADJUST') {
    if (!endorsementId) throw refuseField('endorsementId', '请选择批单');
    const row = await endorsementRecords.get(ctx.tx, ctx.staff, endorsementId);
    if (row.policyId !== policy.id || row.state !== 'VISIBLE') throw refuseField('endorsementId', '批单不属于本保单或未生效');
    const lines = await linesOfEndorsement(ctx.tx, policy, row);
    return {
      kind,
      sourceEndorsementId: row.id,
      part: { no: 1, of: 1 },
      period: periodOf(firstDay(lines, row.effectiveOn), lastDay(lines, row.effectiveOn)),
      lines,
    };
  }
  const first = await firstCover(ctx.tx, policy.id);
  if (!first) throw refuseField('kind', '保单还没有生效的被保人，没有应收保费');
  const lines = await linesOfEndorsement(ctx.tx, policy, first);
  const periods = periodsOf(policy.payMode, policy.coverageStart, policy.termDays);
  const period = kind === 'INSTALMENT' ? periods.find(({ from, no }) => from === periodFrom && no > 1) : periods[0];
  if (!period) throw refuseField('periodFrom', '请选择本保单缴费计划中的一期');
  return {
    kind,
    sourceEndorsementId: first.id,
    part: { no: period.no, of: period.of },
    period: period.of === 1 ? { from: policy.coverageStart, to: policy.coverageEnd } : { from: period.from, to: period.to },
    lines,
  };
}

const answerOf = (ctx: CommandContext, row: PremiumRecord) => ({
  id: row.id,
  state: row.state,
  version: row.version,
  allowedActions: premiumActionsOf(row, (permission) => ctx.has(permission), ctx.staff.userId),
});

/** An order that is missing, as the rules say it must be; its lines are never entered. @throws Refusal SCM13053, SCM90020 */
export const addOrder = command(addPremiumOrder, async ({ policyId, dueOn, statedFen, ...wish }, ctx) => {
  const { productLine } = await policyRecords.get(ctx.tx, ctx.staff, policyId);
  requireInsurerNumbers(productLine, { statedFen: { label: '保司金额', value: statedFen } });
  const policy = await lockedPolicy(ctx.tx, policyId);
  const source = await sourceOf(ctx, policy, wish);
  await requireNone(ctx.tx, policy.id, { kind: source.kind, from: source.period.from, endorsementId: source.sourceEndorsementId ?? '0' });
  const { userId, displayName } = ctx.staff;
  const made = await makeOrder(ctx, policy, source.lines, { ...source, maker: { id: userId, name: displayName }, state: 'DRAFT', dueOn });
  if (!made) throw refuseField('kind', '没有应收或应退的保费');
  ctx.target({ type: 'policy.premiumOrder', id: made.id, no: made.premiumOrderNo });
  if (statedFen !== undefined && statedFen !== null)
    await own(ctx.tx)
      .updateTable('policyPremiumOrder')
      .set({ statedFen: String(statedFen) })
      .where('id', '=', made.id)
      .execute();
  return { ...answerOf(ctx, await premiumRecords.get(ctx.tx, ctx.staff, made.id)), premiumOrderNo: made.premiumOrderNo };
});

/** A draft says what the slices say now; what it said before is kept as an earlier generation of its lines. */
export const regenerate = command(regeneratePremiumOrder, async ({ id, version }, ctx) => {
  const known = await premiumRecords.get(ctx.tx, ctx.staff, id);
  const policy = await lockedPolicy(ctx.tx, known.policyId);
  const row = await premiumRecords.lockVersion(ctx, id, version);
  if (!premiumMachine.canStart('submit', row.state) || row.sourceEndorsementId === null)
    throw refuse(platformErrors.WRONG_STATE, { state: premiumMachine.states[row.state].label });
  requireMaker(ctx, row);
  const endorsement = await endorsementRecords.get(ctx.tx, ctx.staff, row.sourceEndorsementId);
  const lines = await linesOfEndorsement(ctx.tx, policy, endorsement);
  const part = { no: row.partNo, of: row.partOf };
  const sum = sumOf(lines.map(({ amountFen }) => ({ amountFen: part.of === 1 ? amountFen : instalmentOf(amountFen, part.no, part.of) })));
  if (endorsement.state !== 'VISIBLE' || sum === 0n) throw refuseField('id', '批单已撤销或没有应收付的保费，请作废订单');
  const amountFen = String(sum < 0n ? -sum : sum);
  await writeItems(ctx.tx, { id, generation: row.generation + 1 }, lines, part);
  const now = await own(ctx.tx)
    .updateTable('policyPremiumOrder')
    .set((eb) => ({
      generation: row.generation + 1,
      direction: sum > 0n ? 'COLLECT' : 'REFUND',
      amountFen,
      personCount: new Set(lines.map(({ insuredItemId }) => insuredItemId)).size,
      ...updatedColumns(ctx),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  ctx.target({ type: 'policy.premiumOrder', id, no: row.premiumOrderNo });
  ctx.changed([{ path: 'amountFen', label: '应收付', before: yuan(row.amountFen), after: yuan(amountFen) }]);
  return { ...answerOf(ctx, now), amountFen };
});
