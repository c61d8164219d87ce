import * as z from 'zod/mini';
import { fieldFacts, shapeOf, unwrapped } from '../../contract/field.ts';
import { limitsOf } from '../../contract/fieldRules.ts';
import type { Filter, UnlabelledFilter } from './filters.ts';

/**
 * A field of the call by its name, the same with words of the page's own, or a search field that the schema alone does not describe (who is
 * found by typing, two days); of one field the label is the schema's.
 */
export type FilterChoice<Input> =
  | (keyof Input & string)
  | { name: keyof Input & string; label?: string; placeholder?: string; fallback?(): readonly (string | undefined)[] }
  | UnlabelledFilter<Input>
  | Filter<Input>;

/** Whether the field takes several values at once. */
function takesSeveral(schema: z.ZodMiniType): boolean {
  if (schema instanceof z.ZodMiniArray) return true;
  if (schema instanceof z.ZodMiniUnion) return schema.def.options.some((option) => option instanceof z.ZodMiniArray);
  const inner = unwrapped(schema);
  return inner ? takesSeveral(inner) : false;
}

function derived<Input>(name: keyof Input & string, schema: z.ZodMiniType): Filter<Input> {
  const facts = fieldFacts(schema);
  if (!facts) throw new Error(`The call labels no filter ${name}`);
  const { label, kind, dictionary, example } = facts;
  const base = { name, label, ...(example && { placeholder: example }) };
  const { maxLength } = limitsOf(schema);
  // Each kind goes with the schema that it was derived from.
  const made = (filter: object) => filter as Filter<Input>;
  if (dictionary) return made({ ...base, kind: 'dict', dictionary, several: takesSeveral(schema) });
  if (kind === 'flag' || kind === 'day' || kind === 'month' || kind === 'number' || kind === 'money') return made({ ...base, kind });
  return made({ ...base, kind: 'text', ...(maxLength !== undefined && { maxLength }) });
}

function labelled<Input>(shape: Readonly<Record<string, z.ZodMiniType>>, choice: Filter<Input> | UnlabelledFilter<Input>): Filter<Input> {
  if (choice.label !== undefined) return choice;
  const schema = shape[choice.name];
  const facts = schema && fieldFacts(schema);
  if (!facts) throw new Error(`The call labels no filter ${choice.name}`);
  return { ...choice, label: facts.label };
}

/** Search fields of a list call: label, kind, dictionary and length come from its schema. @throws where it labels no such field. */
export function filtersOf<Input>(input: z.ZodMiniType, choices: readonly FilterChoice<Input>[]): Filter<Input>[] {
  const shape = shapeOf(input);
  return choices.map((choice) => {
    if (typeof choice !== 'string' && 'kind' in choice) return labelled(shape, choice);
    const name = typeof choice === 'string' ? choice : choice.name;
    const schema = shape[name];
    if (!schema) throw new Error(`The call takes no filter ${name}`);
    const own = derived<Input>(name, schema);
    if (typeof choice === 'string') return own;
    const { name: _name, ...words } = choice;
    return Object.assign({}, own, words);
  });
}
