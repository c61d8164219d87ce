import type { ReactNode } from 'react';
import type * as z from 'zod/mini';
import { shapeOf } from '../../contract/field.ts';
import { limitsOf } from '../../contract/fieldRules.ts';
import { Cell } from '../kit/Cell.tsx';
import { columnsOf } from '../list/columnsOf.ts';

/** A label with its value; a wide one takes the whole line. */
export interface Fact {
  label: string;
  value: ReactNode;
  wide?: boolean;
}

/** A labelled field of the record by its key, the same under other words, or a fact of the page's own. */
type FactChoice<R> = (keyof R & string) | { key: keyof R & string; label?: string; wide?: boolean } | Fact;

/** Texts longer than this take the whole line. */
const LONG = 200;

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
    const { key, label, wide }: { key: keyof R & string; label?: string; wide?: boolean } =
      typeof choice === 'string' ? { key: choice } : choice;
    const [column] = columnsOf<R>(output, [{ key, plain: true }]);
    const { maxLength = 0 } = limitsOf(shape[key]!);
    return { label: label ?? column!.title, value: <Cell column={column!} row={record} />, wide: wide ?? maxLength > LONG };
  });
}
