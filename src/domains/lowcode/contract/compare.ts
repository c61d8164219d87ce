import type { OutputOf } from '#kernel/contract/call.ts';
import type { compareVersion } from './calls/versions.ts';
import { isObject, step } from './words.ts';

type Change = OutputOf<typeof compareVersion>['changes'][number];

const MOST = 200;
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Where two definitions differ, as steps from the first to the second; lists are compared place by place. */
export function changesBetween(a: unknown, b: unknown, pointer = ''): Change[] {
  if (same(a, b)) return [];
  if (Array.isArray(a) && Array.isArray(b)) return changesOfLists(a, b, pointer);
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key): Change[] => {
      const at = step(pointer, key);
      if (!(key in b)) return [{ op: 'remove', pointer: at, before: a[key] }];
      if (!(key in a)) return [{ op: 'add', pointer: at, after: b[key] }];
      return changesBetween(a[key], b[key], at);
    });
  }
  return [{ op: 'replace', pointer, before: a, after: b }];
}

/** What is alike at both ends of a list stays; between them place by place. */
function changesOfLists(a: readonly unknown[], b: readonly unknown[], pointer: string): Change[] {
  let head = 0;
  while (head < a.length && head < b.length && same(a[head], b[head])) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && same(a[a.length - 1 - tail], b[b.length - 1 - tail])) tail += 1;
  const before = a.slice(head, a.length - tail);
  const after = b.slice(head, b.length - tail);
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at): Change[] => {
    const here = step(pointer, head + at);
    if (at >= after.length) return [{ op: 'remove', pointer: here, before: before[at] }];
    if (at >= before.length) return [{ op: 'add', pointer: here, after: after[at] }];
    return changesBetween(before[at], after[at], here);
  }).flat();
}

export const cutChanges = (changes: readonly Change[]) => ({ changes: changes.slice(0, MOST), more: changes.length > MOST });
