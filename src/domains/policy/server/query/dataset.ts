import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type * as z from 'zod/mini';
import type { AnyDictionary } from '#kernel/contract/dictionary.ts';
import { factsOf, type FieldKind } from '#kernel/contract/field.ts';
import type { SensitiveKind } from '#kernel/contract/masking.ts';
import { operatorsOfKind, type TypedKind } from '#kernel/contract/rules/groups.ts';
import type { Operator } from '#kernel/contract/rules/rule.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Day } from '#kernel/contract/time.ts';
import { aggregationsOf, type Aggregation, type DatasetCode } from '../../contract/query.ts';

/** One column that may be asked for; its expression is the only SQL that a question can bring in. */
export interface QueryColumn {
  key: string;
  label: string;
  kind: TypedKind;
  width: number;
  unit: string;
  expression: RawBuilder<unknown>;
  dictionary?: AnyDictionary;
  /** What stands in `expression` is masked; this is the value, encrypted. */
  sensitive?: { mask: SensitiveKind; cipher: RawBuilder<unknown> };
  operators: readonly Operator[];
  aggregations: readonly Aggregation[];
  /** Rows can be put together by it. */
  groups: boolean;
}

interface Asked {
  asOf: Day;
  /** The data scope, for what is computed within. */
  scope(column: string): RawBuilder<SqlBool>;
}

export interface Dataset {
  code: DatasetCode;
  /** Its rows are those of a day. */
  asOf: boolean;
  from(asked: Asked): RawBuilder<unknown>;
  /** The column that the data scope limits. */
  insurer: string;
  /** Rows that some viewers within their scope see none of. */
  seen?(viewer: Viewer): RawBuilder<SqlBool>;
  /** What makes the order of its rows whole. */
  id: RawBuilder<unknown>;
  columns: readonly QueryColumn[];
}

const kinds: Readonly<Record<FieldKind, TypedKind>> = {
  text: 'TEXT',
  number: 'NUMBER',
  money: 'MONEY',
  rate: 'NUMBER',
  day: 'DATE',
  month: 'TEXT',
  time: 'DATE',
  flag: 'BOOL',
  image: 'TEXT',
  dict: 'OPTION',
  dicts: 'TEXT',
};
const WIDTHS: Readonly<Record<TypedKind, number>> = { NUMBER: 90, MONEY: 120, DATE: 110, OPTION: 100, SET: 120, TEXT: 150, BOOL: 80 };

type More = Partial<Pick<QueryColumn, 'label' | 'unit' | 'aggregations'>> & { cipher?: RawBuilder<unknown>; mask?: SensitiveKind };

function column(
  key: string,
  facts: { label: string; kind: TypedKind; width?: number; dictionary?: AnyDictionary; mask?: SensitiveKind },
  expression: RawBuilder<unknown>,
  { cipher, mask: given, label = facts.label, unit = '', aggregations }: More = {},
): QueryColumn {
  const mask = given ?? facts.mask;
  const sensitive = mask && cipher ? { mask, cipher } : undefined;
  return {
    key,
    label,
    kind: facts.kind,
    width: facts.width ?? WIDTHS[facts.kind],
    unit: facts.kind === 'MONEY' ? '元' : unit,
    expression,
    ...(facts.dictionary && { dictionary: facts.dictionary }),
    ...(sensitive && { sensitive }),
    // What is masked is compared with nothing, and nobody is told apart by it.
    operators: sensitive ? [] : operatorsOfKind[facts.kind],
    aggregations: sensitive ? ['COUNT'] : (aggregations ?? aggregationsOf[facts.kind]),
    groups: !sensitive,
  };
}

/** A column that a list of this domain shows too: label, kind, dictionary and width are those of its contract. */
export const shownIn =
  (row: z.ZodMiniType) =>
  (key: string, expression: RawBuilder<unknown>, more: More & { as?: string } = {}): QueryColumn => {
    const { kind, ...facts } = factsOf(row, key);
    return column(more.as ?? key, { ...facts, kind: kinds[kind] }, expression, more);
  };

/** A column that no list shows. */
export const ownColumn = (key: string, label: string, kind: TypedKind, expression: RawBuilder<unknown>, more: More = {}): QueryColumn =>
  column(key, { label, kind }, expression, more);

/** The day in China of a moment. */
export const dayColumn = (key: string, label: string, at: string): QueryColumn =>
  ownColumn(key, label, 'DATE', sql`(${sql.ref(at)} at time zone 'Asia/Shanghai')::date`);
