import * as z from 'zod/mini';
import { field } from '../field.ts';
import { holds } from './evaluate.ts';
import { extendedOperators, type Operator } from './rule.ts';
import { listOf } from './validate.ts';

/** Kinds of values in typed rules; money is kept in fen, a day as `YYYY-MM-DD`, a truth as `1` and `0`. */
export const typedKinds = ['NUMBER', 'MONEY', 'DATE', 'OPTION', 'SET', 'TEXT', 'BOOL'] as const;
export type TypedKind = (typeof typedKinds)[number];

/** Operators that a kind of value has. */
export const operatorsOfKind: Readonly<Record<TypedKind, readonly Operator[]>> = {
  NUMBER: ['>', '<', '=', '>=', '<=', 'range'],
  MONEY: ['>', '<', '=', '>=', '<=', 'range'],
  DATE: ['>', '<', '=', '>=', '<=', 'range'],
  OPTION: ['=', 'in', 'not in'],
  SET: ['contains', 'not contains'],
  TEXT: ['=', 'contains'],
  BOOL: ['='],
};

/** What a typed condition can be about. */
export interface TypedVariable {
  code: string;
  name: string;
  kind: TypedKind;
  unit: string;
  /** OPTION and SET: the stored values with their labels; empty where any text may be given. */
  options: readonly { value: string; label: string }[];
}

export interface TypedCondition {
  variable: string;
  operator: Operator;
  value: string;
}

/** Conditions and groups of them, joined by one word. */
export interface ConditionGroup {
  op: 'AND' | 'OR';
  items: readonly (ConditionGroup | TypedCondition)[];
}

export const MAX_GROUP_DEPTH = 3;
export const MAX_GROUP_CONDITIONS = 30;

export const isGroup = (item: ConditionGroup | TypedCondition): item is ConditionGroup => 'items' in item;

/** All conditions, in the order in which they are read. */
export const conditionsIn = (group: ConditionGroup): TypedCondition[] =>
  group.items.flatMap((item) => (isGroup(item) ? conditionsIn(item) : [item]));

export const depthOf = (group: ConditionGroup): number => 1 + Math.max(0, ...group.items.filter(isGroup).map(depthOf));

const op = field('条件关系', z.enum(['AND', 'OR'], '条件关系不正确'));
const conditionBy = <T extends z.ZodMiniType>(operator: T) =>
  z.strictObject({
    variable: field('变量', z.string('请选择变量').check(z.maxLength(60, '变量不正确'))),
    operator: field('条件', operator),
    value: field('条件值', z.string('请输入条件值').check(z.maxLength(200, '条件值最多200个字符'))),
  });
// Written out to the greatest depth, so that the schema travels to the published description of the calls as it is.
function groupBy<T extends z.ZodMiniType>(operator: T) {
  const condition = conditionBy(operator);
  const itemsOf = <S extends z.ZodMiniType>(item: S) =>
    field('条件', z.array(item).check(z.maxLength(MAX_GROUP_CONDITIONS, '条件最多30条')));
  const innermost = z.strictObject({ op, items: itemsOf(condition) });
  const inner = z.strictObject({ op, items: itemsOf(z.union([condition, innermost])) });
  return z.strictObject({ op, items: itemsOf(z.union([condition, inner])) });
}

/** A rule as it takes effect: every operator is chosen. */
export const completeGroup = groupBy(z.enum(extendedOperators));

/** As a form sends it: an operator that is not chosen yet is refused by name, not as a malformed request. */
export const conditionGroup = field('条件', groupBy(z.union([z.enum(extendedOperators), z.literal('')])));
export type DraftGroup = z.output<typeof conditionGroup>;

/** Conditions while somebody puts them together: groups in groups, however deep they are written. */
export interface BuiltGroup {
  op: 'AND' | 'OR';
  items: (BuiltGroup | BuiltCondition)[];
}
export interface BuiltCondition {
  variable: string;
  operator: Operator | '';
  value: string;
}
export const isBuiltGroup = (item: BuiltGroup | BuiltCondition): item is BuiltGroup => 'items' in item;

/** What an editor begins with: one condition to be filled in. */
export const blankGroup = (): BuiltGroup => ({ op: 'AND', items: [{ variable: '', operator: '', value: '' }] });

/**
 * What was put together as the calls take it; what they refuse of it they refuse by name. No group lies deeper than three: the editor
 * offers
 * none and the calls answer none, so what is left out down there is a matter of types alone.
 */
export const asDraft = (group: BuiltGroup): DraftGroup => ({
  op: group.op,
  items: group.items.map((item) =>
    isBuiltGroup(item)
      ? {
          op: item.op,
          items: item.items.map((inner) =>
            isBuiltGroup(inner) ? { op: inner.op, items: inner.items.filter((one): one is BuiltCondition => !isBuiltGroup(one)) } : inner,
          ),
        }
      : item,
  ),
});

/** A fact is a text, several texts (a set), or unknown. */
export type TypedFact = string | readonly string[] | null;
export type TypedFacts = Readonly<Record<string, TypedFact | undefined>>;

/** Three-valued: what is not known makes neither true nor false. */
type Truth = 'TRUE' | 'FALSE' | 'UNKNOWN';

const truth = (held: boolean): Truth => (held ? 'TRUE' : 'FALSE');

const day = /^\d{4}-\d{2}-\d{2}$/;
/** Days order like numbers without their dashes. */
const plain = (value: string) => (day.test(value) ? value.replaceAll('-', '') : value);

/** @returns UNKNOWN where the record has no value. */
function judgeCondition({ variable, operator, value }: TypedCondition, facts: TypedFacts): Truth {
  const fact = facts[variable];
  if (fact === undefined || fact === null || fact === '') return 'UNKNOWN';
  if (typeof fact !== 'string') {
    const wanted = listOf(value);
    const has = wanted.some((one) => fact.includes(one));
    return truth(operator === 'not contains' || operator === 'not in' ? !has : has);
  }
  const [left, right] = value.includes('-') ? [plain(fact), value.split(',').map(plain).join(',')] : [fact, value];
  return truth(holds[operator](left, right));
}

const joined = (group: ConditionGroup, truths: readonly Truth[]): Truth => {
  if (truths.length === 0) return 'FALSE';
  const [decides, otherwise] = group.op === 'AND' ? (['FALSE', 'TRUE'] as const) : (['TRUE', 'FALSE'] as const);
  if (truths.includes(decides)) return decides;
  return truths.includes('UNKNOWN') ? 'UNKNOWN' : otherwise;
};

/** One condition with what was seen. `path` leads to it: `0.2` is the third item of the first. */
interface JudgedCondition extends TypedCondition {
  path: string;
  seen: string | readonly string[] | null;
  truth: Truth;
}

export interface JudgedGroup {
  truth: Truth;
  conditions: JudgedCondition[];
  /** Variables without a value, each once. */
  missing: string[];
}

/** As `judgeGroup`, with every condition explained. */
export function explainGroup(group: ConditionGroup, facts: TypedFacts): JudgedGroup {
  const conditions: JudgedCondition[] = [];
  const walk = (one: ConditionGroup, prefix: string): Truth =>
    joined(
      one,
      one.items.map((item, index) => {
        if (isGroup(item)) return walk(item, `${prefix}${index}.`);
        const judged = judgeCondition(item, facts);
        conditions.push({ ...item, path: `${prefix}${index}`, seen: facts[item.variable] ?? null, truth: judged });
        return judged;
      }),
    );
  const whole = walk(group, '');
  const missing = [...new Set(conditions.filter((one) => one.truth === 'UNKNOWN').map(({ variable }) => variable))];
  return { truth: whole, conditions, missing };
}
