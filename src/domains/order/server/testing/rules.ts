import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addAllocationRule, auditAllocationRule, submitAllocationRule } from '../../contract/calls/allocationRules.ts';
import { keeper, makeEnabled } from './fixtures.ts';

type Wish = InputOf<typeof addAllocationRule>;
let made = 0;

const about = (goodsCode: string, expected: boolean) => ({
  name: expected ? '该商品' : '其他商品',
  expected,
  facts: [{ variable: 'goodsCodes', value: expected ? goodsCode : 'OTHER-1' }],
});
/** A rule about orders of one kind of goods, with a case that hits and one that does not. */
export const ruleInput = (app: TestApp, goodsCode: string, supplierIds: readonly string[], more: Partial<Wish> = {}): Wish => ({
  ruleCode: `TR${(made += 1)}`,
  ruleName: '单一商品指定供应商',
  priority: 10,
  condition: { op: 'AND', items: [{ variable: 'goodsCodes', operator: 'contains', value: goodsCode }] },
  effectiveFrom: app.clock.today(),
  testCases: [about(goodsCode, true), about(goodsCode, false)],
  strategy: 'PRIORITY',
  candidates: supplierIds.map((supplierId, at) => ({ supplierId, priority: at + 1, weightPct: 0 })),
  allowSplit: false,
  maxSplit: 1,
  ...more,
});

export interface MadeRule {
  id: string;
  version: number;
  author: TestStaff;
  input: Wish;
}
/** A draft. */
export async function makeRule(app: TestApp, more: Partial<Wish> = {}): Promise<MadeRule> {
  const author = await keeper(app);
  const input = ruleInput(app, 'GOODS-1', more.candidates ? [] : [(await makeEnabled(app)).id], more);
  const { id, version } = await app.ok(addAllocationRule, input, { as: author });
  return { id, version, author, input };
}
export async function makeSubmittedRule(app: TestApp, more: Partial<Wish> = {}): Promise<MadeRule> {
  const rule = await makeRule(app, more);
  const { version } = await app.ok(submitAllocationRule, { id: rule.id, version: rule.version }, { as: rule.author });
  return { ...rule, version };
}
/** In force, approved by somebody else. */
export async function makeApprovedRule(app: TestApp, more: Partial<Wish> = {}): Promise<MadeRule> {
  const rule = await makeSubmittedRule(app, more);
  const { version } = await app.ok(
    auditAllocationRule,
    { id: rule.id, version: rule.version, decision: 'approve' },
    { as: await keeper(app) },
  );
  return { ...rule, version };
}
