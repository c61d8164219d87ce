import type { FieldFault } from '../../contract/envelope.ts';

type Name = string | number;

/** `dataDetail.0.sceneName` → `['dataDetail', 0, 'sceneName']`, as the form names its fields. */
const nameOf = (path: string): Name[] => path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));

const same = (a: readonly Name[], b: readonly Name[]) =>
  a.length === b.length && a.every((part, index) => String(part) === String(b[index]));

/**
 * Sorts the server's field refusals into those of fields that the form shows and the others.
 * A refusal inside a field (one chip of several) goes to the field.
 */
export function sortFaults(
  faults: readonly FieldFault[],
  shown: readonly (readonly Name[])[],
): { inline: { name: Name[]; errors: string[] }[]; other: string[] } {
  const inline: { name: Name[]; errors: string[] }[] = [];
  const other: string[] = [];
  for (const fault of faults) {
    const path = nameOf(fault.path);
    const home = path.map((_, index) => path.slice(0, path.length - index)).find((prefix) => shown.some((name) => same(name, prefix)));
    if (!home) {
      other.push(fault.message);
      continue;
    }
    const there = inline.find((entry) => same(entry.name, home));
    if (there) there.errors.push(fault.message);
    else inline.push({ name: home, errors: [fault.message] });
  }
  return { inline, other };
}
