import * as z from 'zod/mini';
import { blankGroup, completeGroup, typedKinds, type BuiltGroup, type TypedVariable } from '#kernel/contract/rules/groups.ts';
import { sentenceOfGroup } from '#kernel/contract/rules/typed.ts';

/** What the conditions of a `kq-condition` can be about, as its definition says it. */
const conditionVariables = z
  .array(
    z.strictObject({
      code: z.string('变量须填写code').check(z.regex(/^[A-Za-z][\w.]{0,59}$/, '变量的code须以字母开头，只含字母、数字、点和下划线')),
      name: z.string('变量须填写name').check(z.minLength(1, '变量须填写name'), z.maxLength(40, '变量的name最多40个字符')),
      kind: z.enum(typedKinds, `变量的kind须为${typedKinds.join('、')}之一`),
      unit: z._default(z.string('变量的unit须为文字').check(z.maxLength(10, '变量的unit最多10个字符')), ''),
      options: z._default(z.array(z.strictObject({ value: z.string(), label: z.string() }), '变量的options须为value和label的列表'), []),
    }),
    '请填写变量variables',
  )
  .check(
    z.minLength(1, '请填写变量variables'),
    z.maxLength(100, '变量最多100个'),
    z.refine((all) => new Set(all.map(({ code }) => code)).size === all.length, '变量的code不能重复'),
  );

/** @returns the variables, or what is wrong with them and where */
export function variablesOf(given: unknown): { variables: readonly TypedVariable[]; fault: null } | { fault: string; path: PropertyKey[] } {
  const read = conditionVariables.safeParse(given);
  if (read.success) return { variables: read.data, fault: null };
  const [issue] = read.error.issues;
  return { fault: issue?.message ?? '变量不正确', path: issue?.path ?? [] };
}

function groupIn(text: string): z.output<typeof completeGroup> | null {
  try {
    const read = completeGroup.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** What an editor begins with: the conditions that are there, or one to be filled in. */
export const builtIn = (text: string): BuiltGroup => groupIn(text) ?? blankGroup();

/** Conditions as a Chinese sentence. */
export function conditionWords(variables: readonly TypedVariable[], text: string): string {
  const group = groupIn(text);
  return group ? sentenceOfGroup(group, (code) => variables.find((one) => one.code === code)) : '条件不正确，请重新选择';
}
