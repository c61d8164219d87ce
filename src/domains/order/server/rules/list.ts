import { sql } from 'kysely';
import { sentenceOfGroup } from '#kernel/contract/rules/typed.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db, QueryContext } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportAllocationRuleList,
  queryAllocationRuleDetail,
  queryAllocationRuleList,
  queryRuleFacts,
  type AllocationRuleRow,
} from '../../contract/calls/allocationRules.ts';
import { orderVariable, orderVariables } from '../../contract/rules/variables.ts';
import { ruleMachine, rulePhase } from '../../contract/ruleStates.ts';
import { own } from '../database.ts';
import { orderRecords } from '../orders/access.ts';
import { candidatesOf, namesOfSuppliers } from './candidates.ts';
import { conditionOf, factsText, passes, valueText } from './content.ts';
import { factsOf } from './facts.ts';
import { casesOf, phaseColumn, ruleRecords, type RuleRecord } from './records.ts';

const conditionText = (rule: Pick<RuleRecord, 'condition'>) => {
  const condition = conditionOf(rule.condition);
  return condition === null ? '全部订单' : sentenceOfGroup(condition, orderVariable);
};

async function present(db: Db, rows: readonly RuleRecord[], { today, has }: Pick<QueryContext, 'today' | 'has'>) {
  const names = await namesOfSuppliers(
    db,
    rows.flatMap((row) => candidatesOf(row) ?? []),
  );
  return rows.map((row): AllocationRuleRow => ({
    id: row.id,
    priority: row.priority,
    ruleCode: row.ruleCode,
    ruleName: row.ruleName,
    ruleVersion: row.ruleVersion,
    conditionText: conditionText(row),
    effectiveFrom: row.effectiveFrom,
    effectiveTo: row.effectiveTo,
    phase: rulePhase(row, today),
    updatedBy: row.editorName,
    updatedAt: row.updatedAt,
    version: row.version,
    strategy: row.strategy!,
    candidatesText:
      candidatesOf(row)
        ?.map(({ supplierId, weightPct }) => `${names.get(supplierId) ?? ''}${row.strategy === 'WEIGHTED' ? ` ${weightPct}%` : ''}`)
        .join('、') ?? '全部供应商',
    allowSplit: row.allowSplit!,
    maxSplit: row.maxSplit!,
    allowedActions: row.isFallback ? [] : ruleMachine.allowed(row.state, has),
  }));
}

export const allocationRuleList = listOf(queryAllocationRuleList)
  .from(({ db }) => own(db).selectFrom('orderRule as r').where('r.kind', '=', 'ALLOCATION'))
  .with({
    where: {
      rule: containsOneOf('r.ruleCode', 'r.ruleName'),
      strategy: 'r.strategy',
      phase: (_eb, phase, { today }) => sql`${phaseColumn(today)} = ${phase}`,
    },
    id: 'r.id',
    order: [
      ['r.priority', 'asc'],
      ['r.id', 'desc'],
    ],
    last: { of: ({ today }) => phaseColumn(today), groups: [['DISABLED'], ['RETIRED']] },
    sorts: { priority: 'r.priority', effectiveFrom: 'r.effectiveFrom', updatedAt: 'r.updatedAt' },
    bounded: 'rules are written by hand: some dozens',
    select: (rows) => rows.selectAll('r'),
    present: (rows, ask) => present(ask.db, rows, ask),
  });
export const allocationRuleExport = listExport(allocationRuleList, {
  call: exportAllocationRuleList,
  title: '订单分配规则',
  routeKey: 'orderAllocation',
});

export const allocationRuleDetail = query(queryAllocationRuleDetail, async ({ id }, ctx) => {
  const rule = await ruleRecords.get(ctx.db, ctx.staff, id);
  if (rule.kind !== 'ALLOCATION') throw ruleRecords.missing();
  const [row] = await present(ctx.db, [rule], ctx);
  const condition = conditionOf(rule.condition);
  const candidates = candidatesOf(rule) ?? [];
  const names = await namesOfSuppliers(ctx.db, candidates);
  const versions = await own(ctx.db)
    .selectFrom('orderRule')
    .select(['id', 'ruleVersion', 'state', 'effectiveFrom', 'effectiveTo'])
    .where('kind', '=', rule.kind)
    .where('ruleCode', '=', rule.ruleCode)
    .orderBy('ruleVersion', 'desc')
    .execute();
  return {
    rule: row!,
    condition,
    testCases: casesOf(rule).map((one) => ({
      ...one,
      passed: condition !== null && passes(condition, one),
      expectedText: one.expected ? '应命中' : '不应命中',
      factsText: factsText(one.facts),
    })),
    approverName: rule.approverName,
    versions: versions.map(({ state, ...one }) => ({ ...one, phase: rulePhase({ ...one, state }, ctx.today) })),
    candidates: candidates.map((one) => ({ ...one, supplierName: names.get(one.supplierId) ?? '' })),
    trail: await trailOf(ctx.db, ruleRecords.type, id),
  };
});

/** What the rules see of one order. */
export const ruleFactsOf = query(queryRuleFacts, async ({ orderNo }, ctx) => {
  const found = await own(ctx.db).selectFrom('orderOrder').select('id').where('orderNo', '=', orderNo.toUpperCase()).executeTakeFirst();
  const order = await orderRecords.get(ctx.db, ctx.staff, found?.id ?? '0');
  const facts = await factsOf(ctx.db, order);
  return {
    orderId: order.id,
    orderNo: order.orderNo,
    facts: orderVariables.flatMap(({ code, name }) => {
      const fact = facts[code];
      if (fact === undefined || fact === null || fact.length === 0) return [];
      const value = typeof fact === 'string' ? fact : fact.join(',');
      return [{ variable: code, name, value, valueText: valueText(code, value) }];
    }),
  };
});
