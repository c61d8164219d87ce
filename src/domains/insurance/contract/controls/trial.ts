import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, text, version } from '#kernel/contract/fields.ts';
import { conditionGroup } from '#kernel/contract/rules/groups.ts';
import { CHANGED } from '#kernel/contract/service.ts';
import { factsSchema } from '../adjudication/input.ts';
import { controlPermissions as may } from '../permissions.ts';
import { testResults } from '../tests/dictionaries.ts';
import { capInput } from './content.ts';
import { controlModeWords, controlStageWords } from './dictionaries.ts';
import { controlService } from './service.ts';

export const queryControlVariableList = controlService.read({
  operation: 'queryControlVariableList',
  label: '查询控费变量',
  access: may['control.view'],
  input: { stage: field('环节', controlStageWords.schema) },
  output: z.array(
    z.strictObject({
      code: z.string(),
      name: z.string(),
      kind: z.string(),
      unit: z.string(),
      operators: z.array(z.string()),
      options: z.array(z.strictObject({ value: z.string(), label: z.string() })),
    }),
  ),
});

const trialOutcome = z.strictObject({
  truth: z.enum(['TRUE', 'FALSE', 'UNKNOWN']),
  conditions: z.array(
    z.strictObject({
      path: z.string(),
      text: z.string(),
      /** The value that was seen, in words; null: none. */
      seen: z.nullable(z.string()),
      truth: z.enum(['TRUE', 'FALSE', 'UNKNOWN']),
    }),
  ),
  /** Names of variables without a value. */
  missing: z.array(z.string()),
  /** What becomes of it; null: the rule says nothing. */
  mode: z.nullable(controlModeWords.schema),
  intendedMode: controlModeWords.schema,
  capText: z.string(),
  text: z.string(),
});

/** A dry run on typed facts; writes nothing. */
export const trialControlRule = controlService.read({
  operation: 'trialControlRule',
  label: '试运行控费规则',
  access: may['control.view'],
  input: {
    moduleId: field('模块', id),
    mode: field('控费方式', controlModeWords.schema),
    expression: conditionGroup,
    cap: field('限额', z.nullable(capInput)),
    facts: field('变量取值', factsSchema),
  },
  output: trialOutcome,
});

const caseIn = z.strictObject({
  caseName: text('用例名称', 60, 1),
  facts: field('变量取值', factsSchema),
  /** Null: the rule must say nothing. */
  expected: field('期望结果', z.nullable(controlModeWords.schema)),
});

export const queryControlTestCases = controlService.read({
  operation: 'queryControlTestCases',
  label: '查询控费测试用例',
  access: may['control.view'],
  input: { versionId: field('规则版本', id) },
  output: z.array(
    z.strictObject({
      id: idOut,
      caseName: z.string(),
      facts: factsSchema,
      expected: z.nullable(controlModeWords.schema),
      actual: z.nullable(controlModeWords.schema),
      lastResult: testResults.schema,
    }),
  ),
});
/** All cases of a draft at once, which are tried on it by the way. */
export const saveControlTestCases = controlService.act({
  operation: 'saveControlTestCases',
  label: '保存控费测试用例',
  access: may['control.edit'],
  ...CHANGED,
  input: {
    versionId: field('规则版本', id),
    version,
    cases: field('测试用例', z.array(caseIn).check(z.maxLength(50, '测试用例最多50个'))),
  },
  output: z.strictObject({ versionId: idOut, passed: z.int(), failed: z.int() }),
});
