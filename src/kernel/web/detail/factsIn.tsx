import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import { shapeOf } from '../../contract/field.ts';
import { limitsOf } from '../../contract/fieldRules.ts';
import { Cell } from '../kit/Cell.tsx';
import type { Column } from '../kit/columns.ts';
import type { Fact } from '../kit/fact.ts';
import { Money } from '../kit/values.tsx';
import { columnsOf } from '../list/columnsOf.ts';

/** A labelled field of the record by its key, the same with a value or words of the page's own, or a fact that is none of them. */
type FactChoice<R> = (keyof R & string) | Adjusted<R> | Fact;
interface Adjusted<R> {
  key: keyof R & string;
  label?: string;
  value?: ReactNode;
  wide?: boolean;
}

/** Texts longer than this take the whole line. */
const LONG = 200;

/** A value as its cell shows it; an amount with its unit, unless its label says the unit. */
function Shown<R extends object>({ column, row }: { column: Column<R>; row: R }) {
  if (column.kind !== 'money' || column.title.endsWith('（元）')) return <Cell column={column} row={row} />;
  const fen: unknown = Reflect.get(row, column.key);
  return <Money fen={typeof fen === 'string' || typeof fen === 'number' ? fen : null} unit />;
}

/**
 * Facts of a record that a contract describes: label, kind and dictionary come from the fields' declarations.
 * @param rest fields of which none is forgotten: those that are neither chosen nor `without` follow at the end
 * @throws where the contract does not label a key.
 */
export function factsIn<R extends object>(
  output: z.ZodMiniType,
  record: R,
  choices: readonly FactChoice<R>[],
  rest?: { of: readonly (keyof R & string)[]; without: readonly (keyof R & string)[] },
): Fact[] {
  const shape = shapeOf(output);
  const named = choices.flatMap((choice) => (typeof choice === 'string' ? [choice] : 'key' in choice ? [choice.key] : []));
  const forgotten = rest ? rest.of.filter((key) => !named.includes(key) && !rest.without.includes(key)) : [];
  return [...choices, ...forgotten].map((choice): Fact => {
    if (typeof choice !== 'string' && !('key' in choice)) return choice;
    const { key, label, wide, ...own }: Adjusted<R> = typeof choice === 'string' ? { key: choice } : choice;
    const [column] = columnsOf<R>(output, [{ key, plain: true }]);
    const { maxLength = 0 } = limitsOf(shape[key]!);
    const value = 'value' in own ? own.value : <Shown column={column!} row={record} />;
    return { label: label ?? column!.title, value, wide: wide ?? maxLength > LONG };
  });
}
