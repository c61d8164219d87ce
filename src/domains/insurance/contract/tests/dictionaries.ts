import { dictionary } from '#kernel/contract/dictionary.ts';

/** Whose content a test case or a replay tries. */
export const testOwners = dictionary('insurance.testOwner', { PRODUCT_VERSION: '产品版本', CONTROL_RULE_VERSION: '控费规则版本' });
export type TestOwner = (typeof testOwners.codes)[number];

export const testResults = dictionary('insurance.testResult', {
  PASS: { label: '通过', tone: 'success' },
  FAIL: { label: '不通过', tone: 'error' },
  NEVER: { label: '未运行' },
});

export const testDictionaries = [testOwners, testResults];
