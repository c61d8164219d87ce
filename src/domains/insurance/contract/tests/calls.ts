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

export const queryTestCaseList = claimRuleService.read(
  'queryTestCaseList',
  '查询测试用例',
  claimRulePermissions['claimRule.view'],
  { productVersionId: field('产品版本', id) },
  z.array(
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
);

export const addTestCase = claimRuleService.act(
  'addTestCase',
  '新增测试用例',
  productPermissions['product.edit'],
  { productVersionId: field('产品版本', id), ...facts },
  saved,
  ADDED,
);
export const modifyTestCase = claimRuleService.act(
  'modifyTestCase',
  '修改测试用例',
  productPermissions['product.edit'],
  { testCaseId: field('测试用例', id), version, ...facts },
  saved,
  CHANGED,
);
export const removeTestCase = claimRuleService.act(
  'removeTestCase',
  '删除测试用例',
  productPermissions['product.edit'],
  { testCaseId: field('测试用例', id), version },
  z.strictObject({ testCaseId: idOut }),
  CHANGED,
);

/** Runs all test cases of a version that are in use, and keeps what came out. */
export const runTestCases = claimRuleService.act(
  'runTestCases',
  '运行测试用例',
  productPermissions['product.edit'],
  { productVersionId: field('产品版本', id) },
  z.strictObject({
    passed: z.int(),
    failed: z.int(),
    /** What still keeps the version from being handed in; null: nothing. */
    fault: z.nullable(z.string()),
    results: z.array(z.strictObject({ testCaseId: idOut, caseName: z.string(), deviations: z.array(z.string()) })),
  }),
);
