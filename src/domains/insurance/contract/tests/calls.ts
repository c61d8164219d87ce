import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, text, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED } from '#kernel/contract/service.ts';
import { adjudicationInput } from '../adjudication/input.ts';
import { claimRuleService } from '../claimRules/service.ts';
import { claimRulePermissions, productPermissions } from '../permissions.ts';
import { testResults } from './dictionaries.ts';
import { expectedResult } from './expected.ts';

const facts = {
  caseName: text('用例名称', 60, 1),
  active: field('启用', z.boolean()),
  input: field('理算输入', adjudicationInput),
  expected: field('期望结果', expectedResult),
};
const saved = z.strictObject({ testCaseId: idOut, version: z.int() });

export const queryTestCaseList = claimRuleService.read({
  operation: 'queryTestCaseList',
  label: '查询测试用例',
  access: claimRulePermissions['claimRule.view'],
  input: { productVersionId: field('产品版本', id) },
  output: z.array(
    z.strictObject({
      id: idOut,
      caseName: z.string(),
      active: z.boolean(),
      input: adjudicationInput,
      expected: expectedResult,
      lastResult: testResults.schema,
      lastRunAt: z.nullable(z.string()),
      /** Where the last run differed; empty where it passed, or never ran. */
      deviations: z.array(z.string()),
      version: z.int(),
    }),
  ),
});

export const addTestCase = claimRuleService.act({
  operation: 'addTestCase',
  label: '新增测试用例',
  access: productPermissions['product.edit'],
  ...ADDED,
  input: { productVersionId: field('产品版本', id), ...facts },
  output: saved,
});
export const modifyTestCase = claimRuleService.act({
  operation: 'modifyTestCase',
  label: '修改测试用例',
  access: productPermissions['product.edit'],
  ...CHANGED,
  input: { testCaseId: field('测试用例', id), version, ...facts },
  output: saved,
});
export const removeTestCase = claimRuleService.act({
  operation: 'removeTestCase',
  label: '删除测试用例',
  access: productPermissions['product.edit'],
  ...CHANGED,
  input: { testCaseId: field('测试用例', id), version },
  output: z.strictObject({ testCaseId: idOut }),
});

/** Runs all test cases of a version that are in use, and keeps what came out. */
export const runTestCases = claimRuleService.act({
  operation: 'runTestCases',
  label: '运行测试用例',
  access: productPermissions['product.edit'],
  input: { productVersionId: field('产品版本', id) },
  output: z.strictObject({
    passed: z.int(),
    failed: z.int(),
    /** What still keeps the version from being handed in; null: nothing. */
    fault: z.nullable(z.string()),
    results: z.array(z.strictObject({ testCaseId: idOut, caseName: z.string(), deviations: z.array(z.string()) })),
  }),
});
