import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { basicOperators } from '#kernel/contract/rules/rule.ts';

/** Why one condition held or not, as it was found when somebody was judged. */
export const explainedCondition = z.strictObject({
  set: z.enum(['own', 'main']),
  groupNo: z.int(),
  role: z.literal([1, 2, 3]),
  variableName: field('变量', z.string()),
  operatorValue: z.enum(basicOperators),
  conditionValue: field('条件值', z.string()),
  checked: z.literal([0, 1]),
  verdict: z.enum(['HELD', 'NOT_HELD', 'NO_DATA']),
  value: field('当前值', z.nullable(z.string())),
  at: z.nullable(z.string()),
  source: z.nullable(z.string()),
});
export type ExplainedCondition = z.output<typeof explainedCondition>;
