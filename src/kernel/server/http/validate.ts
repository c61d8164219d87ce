import type * as z from 'zod/mini';
import { platformErrors, Refusal, refuse } from '../../contract/errors.ts';
import { checkAgainst, MOST_FAULTS } from '../../contract/faults.ts';

/** PostgreSQL stores neither NUL nor half a surrogate pair, in text as in jsonb. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The value as the database can keep it: what it would refuse is shown as U+FFFD. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : value.toWellFormed().replaceAll('\0', '\uFFFD');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]));
}

/** Paths of the first texts, keys included, that the database would refuse. */
function unstorableIn(value: unknown, path: readonly string[] = [], found: string[] = []): string[] {
  if (typeof value === 'string') {
    if (!isStorable(value)) found.push(path.join('.'));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (found.length >= MOST_FAULTS) break;
      if (isStorable(key)) unstorableIn(inner, [...path, key], found);
      else found.push(path.join('.'));
    }
  }
  return found;
}

/**
 * Checks what a caller sent against the call's schema; a handler so checks what it has put together of it and of what is stored.
 * @throws Refusal SCM90020 with one fault per field; by the code of its own where only such rules are broken.
 */
export function checkInput<T extends z.ZodMiniType>(schema: T, body: unknown): z.output<T> {
  const unstorable = unstorableIn(body);
  if (unstorable.length > 0) {
    throw refuse(platformErrors.MALFORMED, {
      fields: unstorable.map((path) => ({ path, message: '内容含有无法保存的字符，请删除后重试' })),
    });
  }
  const checked = checkAgainst(schema, body ?? {});
  if (checked.faults === null) return checked.data;
  const { faults, refusedAs } = checked;
  if (refusedAs !== null) throw new Refusal(refusedAs, faults[0]!.message, { fields: faults });
  throw refuse(platformErrors.MALFORMED, { fields: faults });
}
