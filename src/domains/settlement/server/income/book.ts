import { sql, type Selectable } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import type { IncomeTrace } from '../../contract/calls/income.ts';
import type { EarnedType } from '../../contract/dictionaries.ts';
import { baseOf, shareOf } from '../../contract/rules/share.ts';
import type { IncomeRecord } from '../access.ts';
import { own } from '../database.ts';
import { keepDoctor } from '../doctors/keep.ts';
import { cycleRuleOf, shareRuleById, shareRuleOf, type CycleRule, type RuleFact, type ShareRule } from '../rules/match.ts';
import { scopeText } from '../rules/scope.ts';
import type { SettlementFact } from '../tables.ts';
import { availableFrom, backOf, insertIncome, moveIncome, settleBooks } from './write.ts';
import type { Due } from './postings.ts';

type Fact = Selectable<SettlementFact>;
const fen = (value: string | null): number | null => (value === null ? null : Number(value));

/** What an order comes to by a rule, with all that it was reckoned from. */
function reckon(rule: ShareRule, fact: Pick<Fact, 'payFen' | 'listFen' | 'refundedFen'>) {
  const terms = {
    baseType: rule.baseType,
    ratioBp: rule.ratioBp,
    fixedFen: BigInt(rule.fixedFen),
    capFen: rule.capFen === null ? null : BigInt(rule.capFen),
  };
  const baseFen = baseOf(terms, { payFen: BigInt(fact.payFen), listFen: BigInt(fact.listFen), refundedFen: BigInt(fact.refundedFen) });
  return { baseFen, grossFen: shareOf(terms, baseFen) };
}

async function traceOf(
  ctx: Acting,
  rule: ShareRule,
  cycle: Pick<CycleRule, 'ruleCode' | 'freezeDays'> | null,
  fact: Fact,
  sums: { baseFen: bigint; grossFen: bigint },
): Promise<IncomeTrace> {
  return {
    ruleCode: rule.ruleCode,
    ruleName: rule.ruleName,
    versionNo: rule.versionNo,
    scopeText: await scopeText(ctx.tx, rule),
    baseType: rule.baseType,
    payFen: Number(fact.payFen),
    listFen: Number(fact.listFen),
    refundedFen: Number(fact.refundedFen),
    baseFen: Number(sums.baseFen),
    ratioBp: rule.ratioBp,
    fixedFen: fen(rule.fixedFen),
    capFen: fen(rule.capFen),
    cycleRuleCode: cycle?.ruleCode ?? null,
    freezeDays: cycle?.freezeDays ?? null,
    beforeFen: null,
    note: null,
    grossFen: Number(sums.grossFen),
  };
}

const earnedOf = (serviceType: string): EarnedType => (serviceType === 'FOLLOW_UP' ? 'FOLLOW_UP' : 'CONSULT');

/** The first income of an order. @returns null where no rule says what it comes to, or who pays it */
async function first(ctx: Acting, fact: Fact): Promise<Due[] | null> {
  const doctor = await keepDoctor(ctx.tx, fact.doctorId, ctx.now);
  const about: RuleFact = {
    doctorId: fact.doctorId,
    channelId: fact.channelId,
    serviceItemId: fact.serviceItemId,
    serviceType: fact.serviceType,
    doctorTitle: doctor.titleCode,
    hospitalLevel: doctor.hospitalLevel,
  };
  const day = dayOf(fact.completedAt);
  const incomeType = earnedOf(fact.serviceType);
  const rule = await shareRuleOf(ctx.tx, incomeType, day, about);
  const cycle = await cycleRuleOf(ctx.tx, day, about);
  if (!rule || !cycle) return null;
  const sums = reckon(rule, fact);
  if (sums.grossFen === 0n) return [];
  const income = await insertIncome(ctx, {
    doctorId: fact.doctorId,
    payerEntityId: cycle.payerEntityId,
    incomeType,
    sourceType: 'CONSULT_ORDER',
    sourceId: fact.orderId,
    sourceNo: fact.orderNo,
    seq: 0,
    serviceType: fact.serviceType,
    ruleVersionId: rule.id,
    cycleVersionId: cycle.id,
    occurredAt: fact.completedAt,
    availableAt: availableFrom(fact.completedAt, cycle.freezeDays),
    ...sums,
    trace: await traceOf(ctx, rule, cycle, fact, sums),
    productLineId: fact.productLineId,
    originalItemId: null,
    matured: false,
  });
  return [{ income, step: 'accrue' }];
}

const isOpen = ({ status }: IncomeRecord): boolean => status === 'PENDING' || status === 'AVAILABLE' || status === 'HELD';
const total = (incomes: readonly IncomeRecord[]): bigint => incomes.reduce((sum, { grossFen }) => sum + BigInt(grossFen), 0n);

/** Less was paid in the end: an open income is made anew, of one that is being paid the difference is taken back. */
async function correct(ctx: Acting, fact: Fact, incomes: readonly IncomeRecord[]): Promise<Due[]> {
  const live = incomes.findLast(({ incomeType, status }) => incomeType !== 'CLAWBACK' && status !== 'REVERSED');
  if (!live || live.ruleVersionId === null) return [];
  const rule = await shareRuleById(ctx.tx, live.ruleVersionId);
  const sums = reckon(rule, fact);
  const clawed = incomes.filter(({ incomeType, status }) => incomeType === 'CLAWBACK' && status !== 'REVERSED');
  const current = BigInt(live.grossFen) + total(clawed);
  if (sums.grossFen >= current) return [];
  const seq = incomes.length;
  const copied = {
    doctorId: live.doctorId,
    payerEntityId: live.payerEntityId,
    sourceType: live.sourceType,
    sourceId: live.sourceId,
    sourceNo: live.sourceNo,
    seq,
    serviceType: live.serviceType,
    ruleVersionId: live.ruleVersionId,
    cycleVersionId: live.cycleVersionId,
    productLineId: live.productLineId,
  };
  const trace = { ...(await traceOf(ctx, rule, null, fact, sums)), beforeFen: Number(current) };
  if (isOpen(live) && clawed.length === 0) {
    const reversed = await moveIncome(ctx, live, 'refund', '');
    const back = backOf(reversed);
    if (sums.grossFen === 0n) return back;
    const held = live.status === 'HELD';
    const again = await insertIncome(ctx, {
      ...copied,
      incomeType: live.incomeType,
      occurredAt: live.occurredAt,
      availableAt: live.availableAt,
      ...sums,
      trace: { ...trace, note: '部分退款后重新计算' },
      originalItemId: live.id,
      matured: false,
    });
    // Somebody had stopped it: what is left of it stays stopped.
    if (held)
      await own(ctx.tx)
        .updateTable('settlementIncome')
        .set({ status: 'HELD', holdReason: live.holdReason })
        .where('id', '=', again.id)
        .execute();
    return [...back, { income: again, step: 'accrue' }];
  }
  const claw = await insertIncome(ctx, {
    ...copied,
    incomeType: 'CLAWBACK',
    occurredAt: ctx.now,
    availableAt: ctx.now,
    baseFen: sums.baseFen,
    grossFen: sums.grossFen - current,
    trace: { ...trace, note: '结算后退款，差额追回', grossFen: Number(sums.grossFen - current) },
    originalItemId: live.id,
    matured: true,
  });
  return [{ income: claw, step: 'claw' }];
}

/**
 * Brings the incomes of an order to what it comes to now, however often it is asked: the first one, or what a refund changes of it.
 * @returns whether there is a rule for it
 */
export async function bookOrder(ctx: Acting, ledger: Ledger, orderId: string): Promise<boolean> {
  const fact = await own(ctx.tx).selectFrom('settlementFact').selectAll().where('orderId', '=', orderId).forUpdate().executeTakeFirst();
  if (!fact) return true;
  const incomes = await own(ctx.tx)
    .selectFrom('settlementIncome')
    .selectAll()
    .where('sourceType', '=', 'CONSULT_ORDER')
    .where('sourceId', '=', orderId)
    .orderBy('id')
    .forUpdate()
    .execute();
  const due = fact.state === 'DONE' ? await correct(ctx, fact, incomes) : await first(ctx, fact);
  if (due === null) return false;
  if (fact.state === 'WAITING')
    await own(ctx.tx).updateTable('settlementFact').set({ state: 'DONE' }).where('orderId', '=', orderId).execute();
  await settleBooks(ctx, ledger, due);
  return true;
}

/** Orders that are over and wait for a rule. */
export async function waitingFacts(ctx: Pick<Acting, 'tx'>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from settlement_fact where state = 'WAITING'`.execute(ctx.tx);
  return rows[0]!.n;
}
