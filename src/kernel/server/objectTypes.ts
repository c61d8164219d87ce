import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Instant } from '../contract/time.ts';
import { basicOperators, type RuleVariable } from '../contract/rules/rule.ts';
import { everyone, type Viewer } from './auth/viewer.ts';
import type { Db, Tx } from './context.ts';
import { containsText } from './database/search.ts';

/** One thing of a registered kind, as lists of other domains name it. */
export interface ObjectLabel {
  id: string;
  /** Its number, which people talk about. */
  no: string;
  name: string;
}

/** What rules may ask of a kind of thing. */
export interface ObjectVariable extends RuleVariable {
  /** Where its values come from, for people. */
  source: string;
  /** Names of the events after which a value may be another one. */
  refreshOn: readonly string[];
}

interface ObjectFact {
  id: string;
  code: string;
  /** Decimal text, a code of the variable's options, or text. */
  value: string;
  /** When it was recorded; null: it is true of this moment. */
  at: string | null;
}

/** Variables of a kind of thing and their values, of many things at once; what nobody knows is not there. */
export interface ObjectRules {
  variables: readonly ObjectVariable[];
  facts(db: Db | Tx, ids: readonly string[], codes: readonly string[], now: Instant): Promise<ObjectFact[]>;
}

/** A kind of thing that can carry marks; its owner registers it, so that whoever marks need not know the owner. */
export interface ObjectType {
  /** `PATIENT`. */
  code: string;
  /** Those of the ids that the viewer sees; others are left out. */
  labels(db: Db | Tx, viewer: Viewer, ids: readonly string[], now: Instant): Promise<ObjectLabel[]>;
  /** The things of these numbers that the viewer sees. */
  numbered(db: Db | Tx, viewer: Viewer, numbers: readonly string[], now: Instant): Promise<ObjectLabel[]>;
  /** Whether the thing of an id expression is one that the viewer sees. */
  sees(viewer: Viewer, id: RawBuilder<unknown>, now: Instant): RawBuilder<SqlBool>;
  /** A statement that answers the ids of the things of this number, or whose name holds the text. */
  found(viewer: Viewer, text: string, now: Instant): RawBuilder<unknown>;
  /** Things of this number, or whose name holds the text. */
  search(db: Db | Tx, viewer: Viewer, text: string, limit: number, now: Instant): Promise<ObjectLabel[]>;
  /** Where one of them is looked at; null: on no page of its own. */
  link(object: ObjectLabel): { path: string; search: Record<string, string> } | null;
  /** Ids of all things behind one, in their order: how rules walk through them. */
  after(db: Db | Tx, id: string, limit: number, now: Instant): Promise<string[]>;
  count(db: Db | Tx, now: Instant): Promise<number>;
  /** The fact that says whether customers are offered one; null: all of them are. */
  offeredFact: string | null;
  /** null: no rules are made of things of this kind. */
  rules: ObjectRules | null;
}

const holds = (text: string) => sql`(o.no = ${text.trim().toUpperCase()} or ${containsText(sql`o.name`, text)})`;

interface Declaration {
  code: string;
  /** A statement that answers `id`, `no` and `name` of all that the viewer sees. */
  seen(viewer: Viewer, now: Instant): RawBuilder<unknown>;
  link: ObjectType['link'];
  rules?: ObjectRules;
  offeredFact?: string;
}

type VariableFacts = Pick<ObjectVariable, 'code' | 'name' | 'source' | 'refreshOn'>;

/** A variable that counts or measures something. */
export const numberVariable = (facts: VariableFacts, unit: string, decimals = 0): ObjectVariable => ({
  ...facts,
  valueType: 'NUMBER',
  operators: basicOperators,
  unit,
  decimals,
  options: [],
});

/** A variable with a few values. */
export const optionVariable = (facts: VariableFacts, options: ObjectVariable['options']): ObjectVariable => ({
  ...facts,
  valueType: 'OPTION',
  operators: ['=', 'in', 'not in'],
  unit: '',
  decimals: 0,
  options,
});

export const yesOrNo: ObjectVariable['options'] = [
  { value: '1', label: '是' },
  { value: '0', label: '否' },
];

/** Answers `id`, `value` and `at` of the things of these ids. */
export type FactStatement = (ids: readonly string[], now: Instant) => RawBuilder<Omit<ObjectFact, 'code'>>;

/** Reads facts by one statement for each variable. */
export const factsBy =
  (statements: Readonly<Record<string, FactStatement>>): ObjectRules['facts'] =>
  async (db, ids, codes, now) => {
    const found: ObjectFact[] = [];
    if (ids.length === 0) return found;
    for (const code of codes) {
      const statement = statements[code];
      if (statement) for (const row of (await statement(ids, now).execute(db)).rows) found.push({ ...row, code });
    }
    return found;
  };

/** Declares a kind of thing by the one statement that knows who sees it. */
export function objectType({ code, seen, link, rules, offeredFact }: Declaration): ObjectType {
  const read = async (db: Db | Tx, viewer: Viewer, now: Instant, rest: RawBuilder<unknown>) =>
    (await sql<ObjectLabel>`select o.id::text as id, o.no, o.name from (${seen(viewer, now)}) o where ${rest}`.execute(db)).rows;
  return {
    code,
    link,
    rules: rules ?? null,
    offeredFact: offeredFact ?? null,
    after: async (db, id, limit, now) =>
      (
        await sql<{
          id: string;
        }>`select o.id::text as id from (${seen(everyone, now)}) o where o.id > ${id}::bigint order by o.id limit ${limit}`.execute(db)
      ).rows.map((row) => row.id),
    count: async (db, now) =>
      (await sql<{ n: number }>`select count(*)::int as n from (${seen(everyone, now)}) o`.execute(db)).rows[0]?.n ?? 0,
    labels: async (db, viewer, ids, now) =>
      ids.length === 0 ? [] : read(db, viewer, now, sql`o.id = any(${[...new Set(ids)]}::bigint[]) order by o.id`),
    numbered: async (db, viewer, numbers, now) =>
      numbers.length === 0 ? [] : read(db, viewer, now, sql`o.no = any(${[...new Set(numbers)]}::text[]) order by o.id`),
    sees: (viewer, id, now) => sql<SqlBool>`exists (select from (${seen(viewer, now)}) o where o.id = ${id})`,
    found: (viewer, text, now) => sql`select o.id from (${seen(viewer, now)}) o where ${holds(text)}`,
    search: (db, viewer, text, limit, now) => read(db, viewer, now, sql`${holds(text)} order by o.id limit ${limit}`),
  };
}
