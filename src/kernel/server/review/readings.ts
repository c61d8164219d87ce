import type { Secrets } from '../sensitive/secrets.ts';

/** What stands on a material, by field; encrypted as a whole where it is stored. */
export type Readings<Field extends string = string> = Partial<Record<Field, string>>;

export const unsealed = <Field extends string = string>(secrets: Secrets, cipher: string | null): Readings<Field> =>
  cipher === null ? {} : (JSON.parse(secrets.decrypt(cipher)) as Readings<Field>);
export const sealed = (secrets: Secrets, readings: Readings): string | null =>
  Object.keys(readings).length === 0 ? null : secrets.encrypt(JSON.stringify(readings));

/** What was confirmed so far with a change of it: an empty value takes the former one back, an absent one leaves it. */
export function withChange<Field extends string>(
  known: Readings<Field>,
  change: { readonly [F in Field]?: string | null | undefined },
): Readings<Field> {
  const merged: Record<string, unknown> = { ...known };
  for (const [field, value] of Object.entries(change)) {
    if (value === null || value === '') delete merged[field];
    else if (value !== undefined) merged[field] = value;
  }
  return merged as Readings<Field>;
}
