import type { Difference } from '../context.ts';

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/**
 * The labelled fields that differ, for the operation log and the audit trail.
 * @param labels field to Chinese label; only these fields are compared.
 */
export function differencesOf(before: object, after: object, labels: Readonly<Record<string, string>>): Difference[] {
  const old: Record<string, unknown> = { ...before };
  const fresh: Record<string, unknown> = { ...after };
  return Object.entries(labels).flatMap(([path, label]) =>
    path in fresh && !same(old[path], fresh[path]) ? [{ path, label, before: old[path] ?? null, after: fresh[path] ?? null }] : [],
  );
}
