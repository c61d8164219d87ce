import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import { fieldFacts, shapeOf, shownValue, type FieldFacts } from '../../contract/field.ts';
import type { Column } from '../kit/columns.ts';

type Given<Row, Kind extends string> = Omit<Extract<Column<Row>, { kind: Kind }>, 'kind' | 'key' | 'title'>;
type PlainKind = 'text' | 'number' | 'money' | 'rate' | 'day' | 'month' | 'time' | 'flag' | 'image';

/** A labelled field of the row, shown otherwise than its contract alone would have it. */
type Adjusted<Row> = Partial<Omit<Column<Row>, 'key' | 'kind' | 'value'>> & {
  key: keyof Row & string;
  /** Shown as another kind than the contract's. */
  kind?: PlainKind;
  /** Words of the page's own for it: text, unless `kind` says otherwise. */
  value?(row: Row): unknown;
  /** Text instead of a coloured tag. */
  plain?: boolean;
  to?: Given<Row, 'link'>['to'];
  masked?: Given<Row, 'masked'>['masked'];
  render?(row: Row): ReactNode;
};

/** A labelled field by its key, the same adjusted, or a column of the page's own. */
export type ColumnChoice<Row> = (keyof Row & string) | Adjusted<Row> | Column<Row>;

const isOwn = <Row>(choice: Adjusted<Row> | Column<Row>): choice is Column<Row> =>
  'title' in choice && ('kind' in choice || 'value' in choice);

function ofFacts<Row>(key: string, facts: FieldFacts): Column<Row> {
  const base = { key, title: facts.label, ...(facts.width !== undefined && { width: facts.width }) };
  const { kind, dictionary } = facts;
  if (facts.text || kind === 'dicts')
    return { ...base, value: (row) => shownValue(facts, (row as Readonly<Record<string, unknown>>)[key]) };
  if (kind === 'dict') return dictionary ? { ...base, kind, dictionary } : base;
  return { ...base, kind };
}

function adjusted<Row>(column: Column<Row>, { kind, value, plain, to, masked, render, ...rest }: Adjusted<Row>): Column<Row> {
  const { key, title, width } = column;
  const own = kind !== undefined || value !== undefined;
  const shown: Column<Row> = own
    ? {
        key,
        title,
        ...(width !== undefined && { width }),
        ...(kind && { kind }),
        ...(value ? { value } : column.value && { value: column.value }),
      }
    : column;
  const base = { ...shown, ...rest };
  if (render) return { ...base, kind: 'custom', render };
  if (to) return { ...base, kind: 'link', to };
  if (masked) return { ...base, kind: 'masked', masked };
  return plain && base.kind === 'dict' ? { ...base, plain } : base;
}

/**
 * Columns of rows that a contract describes: label, kind, width and dictionary come from the fields' declarations.
 * @throws where a key is neither labelled by the contract nor a column of the page's own.
 */
export function columnsOf<Row extends object>(output: z.ZodMiniType, choices: readonly ColumnChoice<Row>[]): Column<Row>[] {
  const shape = shapeOf(output);
  return choices.map((choice) => {
    if (typeof choice !== 'string' && isOwn(choice)) return choice;
    const key = typeof choice === 'string' ? choice : choice.key;
    const schema = shape[key];
    const facts = schema && fieldFacts(schema);
    if (facts) return typeof choice === 'string' ? ofFacts<Row>(key, facts) : adjusted(ofFacts<Row>(key, facts), choice);
    if (typeof choice !== 'string' && choice.title !== undefined) return adjusted({ key, title: choice.title }, choice);
    throw new Error(`The contract labels no field ${key}`);
  });
}
