import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import {
  addSettlementRule,
  auditSettlementRule,
  modifySettlementRule,
  querySettlementRuleTrail,
  retireSettlementRule,
  submitSettlementRule,
  testSettlementRule,
} from '../../contract/calls/rules.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { baseOf, shareOf, type ShareTerms } from '../../contract/rules/share.ts';
import { ruleVersionMachine } from '../../contract/states.ts';
import { payerRecords, ruleRecords, type RuleRecord } from '../access.ts';
import { json, own } from '../database.ts';
import { publish, requireNoGap } from './publish.ts';
import { scopeText } from './scope.ts';

type Terms = Omit<CheckedInputOf<typeof addSettlementRule>, 'ruleName'>;
interface TestCase {
  paidFen: number;
  listFen: number;
  expectFen: number;
}
const text = (fen: number | null): string | null => (fen === null ? null : String(fen));

/** What a version says, as its columns; what is not its kind's stays empty. @throws Refusal SCM90040, SCM19027 */
async function columnsOf(tx: Tx, terms: Terms) {
  const isShare = terms.ruleType === 'SHARE';
  const { doctorId, channelId, serviceItemId, serviceType, doctorTitle, hospitalLevel } = terms;
  if (!isShare && terms.payerEntityId !== null) {
    const payer = await payerRecords.get(tx, payerRecords.everyone, terms.payerEntityId);
    if (!payer.enabled) throw refuse(settlementErrors.PAYER_DISABLED, { name: payer.entityName });
  }
  const scope = { doctorId, channelId, serviceItemId, serviceType, doctorTitle, hospitalLevel };
  return {
    ...scope,
    scopeText: await scopeText(tx, scope),
    effectiveFrom: terms.effectiveFrom,
    effectiveTo: terms.effectiveTo,
    incomeType: isShare ? terms.incomeType : null,
    baseType: isShare ? terms.baseType : null,
    ratioBp: isShare ? (terms.ratioBp ?? 0) : null,
    fixedFen: isShare ? text(terms.fixedFen ?? 0) : null,
    capFen: isShare ? text(terms.capFen) : null,
    freezeDays: isShare ? null : terms.freezeDays,
    cycleDay: isShare ? null : terms.cycleDay,
    minPayoutFen: isShare ? null : text(terms.minPayoutFen),
    payerEntityId: isShare ? null : terms.payerEntityId,
    testCases: json(isShare ? terms.testCases : []),
  };
}

const answer = (ctx: CommandContext, row: { id: string; status: keyof typeof ruleVersionMachine.states; version: number }) => ({
  ...actionAnswer(ctx, ruleVersionMachine, { ...row, state: row.status }),
  state: row.status,
});

export const add = command(addSettlementRule, async ({ ruleName, ...terms }, ctx) => {
  const columns = await columnsOf(ctx.tx, terms);
  const rule = await own(ctx.tx)
    .insertInto('settlementRule')
    .values({
      ruleCode: await nextNumber(ctx.tx, 'SR', dayOf(ctx.now)),
      ruleName,
      ruleType: terms.ruleType,
      createdAt: ctx.now,
      createdBy: ctx.staff.userId,
    })
    .returning(['id', 'ruleCode'])
    .executeTakeFirstOrThrow();
  const row = await own(ctx.tx)
    .insertInto('settlementRuleVersion')
    .values({
      ruleId: rule.id,
      ruleType: terms.ruleType,
      versionNo: 1,
      ...columns,
      makerName: ctx.staff.displayName,
      ...createdColumns(ctx),
    })
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: ruleRecords.type, id: row.id, no: rule.ruleCode });
  return answer(ctx, row);
});

/** The next version of a rule that is in force. @throws Refusal SCM19025 while one is not published yet */
async function nextVersion(ctx: CommandContext, rule: RuleRecord, columns: Awaited<ReturnType<typeof columnsOf>>) {
  await lockKeys(ctx.tx, 'settlement.rule', [rule.ruleId]);
  const open = await own(ctx.tx)
    .selectFrom('settlementRuleVersion')
    .select('versionNo')
    .where('ruleId', '=', rule.ruleId)
    .where('status', 'in', ['DRAFT', 'PENDING_AUDIT', 'REJECTED'])
    .executeTakeFirst();
  if (open) throw refuse(settlementErrors.DRAFT_OPEN, { code: rule.ruleCode, n: open.versionNo });
  const row = await own(ctx.tx)
    .insertInto('settlementRuleVersion')
    .values((eb) => ({
      ruleId: rule.ruleId,
      ruleType: rule.ruleType,
      versionNo: eb
        .selectFrom('settlementRuleVersion')
        .select((inner) => inner(inner.fn.max('versionNo'), '+', 1).as('no'))
        .where('ruleId', '=', rule.ruleId),
      ...columns,
      makerName: ctx.staff.displayName,
      ...createdColumns(ctx),
    }))
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: ruleRecords.type, id: row.id, no: rule.ruleCode });
  return row;
}

const fenNow = (fen: string | null): number | null => (fen === null ? null : Number(fen));
/** A version as its form knows it. */
const asForm = (rule: RuleRecord) => ({
  ruleType: rule.ruleType,
  ruleName: rule.ruleName,
  effectiveFrom: rule.effectiveFrom,
  effectiveTo: rule.effectiveTo,
  doctorId: rule.doctorId,
  channelId: rule.channelId,
  serviceItemId: rule.serviceItemId,
  serviceType: rule.serviceType,
  doctorTitle: rule.doctorTitle,
  hospitalLevel: rule.hospitalLevel,
  incomeType: rule.incomeType,
  baseType: rule.baseType,
  ratioBp: rule.ratioBp,
  fixedFen: fenNow(rule.fixedFen),
  capFen: fenNow(rule.capFen),
  freezeDays: rule.freezeDays,
  cycleDay: rule.cycleDay,
  minPayoutFen: fenNow(rule.minPayoutFen),
  payerEntityId: rule.payerEntityId,
  testCases: rule.testCases,
});

export const modify = command(modifySettlementRule, async ({ id, version, ruleName, ...terms }, ctx) => {
  const rule = await ruleRecords.lockVersion(ctx, id, version, asForm);
  const columns = await columnsOf(ctx.tx, { ...terms, ruleType: rule.ruleType });
  const isOpen = rule.status === 'DRAFT' || rule.status === 'REJECTED';
  if (rule.status === 'PUBLISHED') return answer(ctx, await nextVersion(ctx, rule, columns));
  if (!isOpen) throw refuse(platformErrors.WRONG_STATE, { state: ruleVersionMachine.states[rule.status].label });
  // What is in force keeps the name under which it was passed.
  if (rule.versionNo === 1) await own(ctx.tx).updateTable('settlementRule').set({ ruleName }).where('id', '=', rule.ruleId).execute();
  const row = await own(ctx.tx)
    .updateTable('settlementRuleVersion')
    .set((eb) => ({ ...columns, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  ctx.target({ type: ruleRecords.type, id, no: rule.ruleCode });
  return answer(ctx, row);
});

const termsOf = (rule: {
  baseType: ShareTerms['baseType'] | null;
  ratioBp: number | null;
  fixedFen: string | number | null;
  capFen: string | number | null;
}): ShareTerms => ({
  baseType: rule.baseType ?? 'PAID',
  ratioBp: rule.ratioBp ?? 0,
  fixedFen: BigInt(rule.fixedFen ?? 0),
  capFen: rule.capFen === null ? null : BigInt(rule.capFen),
});
const resultOf = (terms: ShareTerms, { paidFen, listFen }: TestCase): bigint =>
  shareOf(terms, baseOf(terms, { payFen: BigInt(paidFen), listFen: BigInt(listFen), refundedFen: 0n }));

/** @throws Refusal SCM19021 naming the first case that comes to something else */
function requirePassed(rule: RuleRecord): void {
  if (rule.ruleType !== 'SHARE') return;
  const terms = termsOf(rule);
  for (const [at, one] of (rule.testCases as TestCase[]).entries()) {
    const actual = resultOf(terms, one);
    if (actual !== BigInt(one.expectFen))
      throw refuse(settlementErrors.TEST_FAILED, { n: at + 1, a: yuan(one.expectFen, true), b: yuan(actual, true) });
  }
}

type Action = keyof typeof ruleVersionMachine.transitions;
async function move(ctx: CommandContext, rule: RuleRecord, action: Action, opinion: string, more: object = {}) {
  const status = await moveState(ctx, ruleVersionMachine, {
    targetType: ruleRecords.type,
    targetId: rule.id,
    targetNo: rule.ruleCode,
    action,
    from: rule.status,
    opinion,
    contributors: [rule.createdBy],
  });
  const row = await own(ctx.tx)
    .updateTable('settlementRuleVersion')
    .set((eb) => ({ status, ...(opinion !== '' && { opinion }), ...more, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', rule.id)
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  return answer(ctx, row);
}

export const submit = command(submitSettlementRule, async ({ id, version }, ctx) => {
  const rule = await ruleRecords.lockVersion(ctx, id, version);
  requirePassed(rule);
  return move(ctx, rule, 'submit', '');
});

/** @throws Refusal SCM19001 for one's own; SCM19021–SCM19024 for what may not hold */
export const audit = command(auditSettlementRule, async ({ id, version, decision, opinion }, ctx) => {
  const rule = await ruleRecords.lockVersion(ctx, id, version);
  if (decision === 'reject') return move(ctx, rule, 'reject', opinion);
  requirePassed(rule);
  await publish(ctx, rule);
  return move(ctx, rule, 'approve', opinion, { publishedAt: ctx.now });
});

export const retire = command(retireSettlementRule, async ({ id, version, effectiveTo, opinion }, ctx) => {
  const rule = await ruleRecords.lockVersion(ctx, id, version);
  if (effectiveTo <= ctx.today) throw refuse(settlementErrors.EFFECTIVE_LATE, { message: '停用日期须晚于今天' });
  await lockKeys(ctx.tx, 'settlement.rules');
  const until = rule.effectiveTo !== null && rule.effectiveTo < effectiveTo ? rule.effectiveTo : effectiveTo;
  const end = until < rule.effectiveFrom ? rule.effectiveFrom : until;
  const answered = await move(ctx, rule, 'retire', opinion, { effectiveTo: end });
  await requireNoGap(ctx.tx, rule, end);
  return answered;
});

export const runTests = query(testSettlementRule, async ({ testCases, ...terms }) =>
  testCases.map((one) => {
    const actual = resultOf(termsOf(terms), one);
    return { actualFen: Number(actual), expectFen: one.expectFen, ok: actual === BigInt(one.expectFen) };
  }),
);

export const ruleTrail = query(querySettlementRuleTrail, async ({ id }, ctx) => {
  await ruleRecords.get(ctx.db, ctx.staff, id);
  return trailOf(ctx.db, ruleRecords.type, id);
});
