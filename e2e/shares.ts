import recorded from './seconds.json' with { type: 'json' };

/** How long each file of journeys took when it was recorded last (`npm test -- --only=journeys --record`). */
const seconds: Readonly<Record<string, number>> = recorded;

/** What is not recorded yet is taken for an ordinary one. */
const ordinary = Object.values(seconds).toSorted((one, other) => one - other)[Math.floor(Object.keys(seconds).length / 2)] ?? 1;

/**
 * Shares out the files to runs beside one another, so that all of them end together: the longest first, each to whoever has least to do
 * until then. The same files always give the same shares.
 * @param names with their folder, from `e2e/` on
 */
export function shareOut(names: readonly string[], count: number): string[][] {
  const shares = Array.from({ length: count }, () => ({ names: [] as string[], seconds: 0 }));
  const of = (name: string) => seconds[name] ?? ordinary;
  for (const name of names.toSorted((one, other) => of(other) - of(one) || one.localeCompare(other))) {
    const least = shares.reduce((found, one) => (one.seconds < found.seconds ? one : found));
    least.names.push(name);
    least.seconds += of(name);
  }
  return shares.map((share) => share.names.toSorted((one, other) => one.localeCompare(other)));
}
