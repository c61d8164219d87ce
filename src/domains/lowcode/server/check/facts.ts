import type { PageWindow } from '#kernel/contract/pageWindow.ts';
import type { Dataset } from '#kernel/server/datasets/dataset.ts';
import type { Manifest, Problem } from '../../contract/definition.ts';

export { isObject, step, type Json } from '../../contract/words.ts';

/** What a definition is checked against: what runs now. */
export interface CheckFacts {
  datasets: ReadonlyMap<string, Dataset>;
  /** Names of pages that a link may lead to. */
  routes: ReadonlySet<string>;
  windows: ReadonlyMap<string, PageWindow>;
}

/** Gathers what a check finds: problems, and what the definition names. */
export class Findings {
  readonly problems: Problem[] = [];
  private readonly named = new Map<string, Set<string>>();

  refuse(code: string, pointer: string, message: string, advice = ''): void {
    this.problems.push({ code, severity: 'E', pointer, message, advice });
  }

  warn(pointer: string, message: string, advice = ''): void {
    this.problems.push({ code: 'V12', severity: 'W', pointer, message, advice });
  }

  uses(datasetCode: string, operation: string): void {
    const operations = this.named.get(datasetCode) ?? new Set();
    operations.add(operation);
    this.named.set(datasetCode, operations);
  }

  manifest(): Manifest {
    return [...this.named]
      .map(([datasetCode, operations]) => ({ datasetCode, operations: [...operations].toSorted() }))
      .toSorted((a, b) => (a.datasetCode < b.datasetCode ? -1 : 1));
  }
}

/** The listed word that is written most alike, for who mistyped. */
export function nearest(word: string, among: Iterable<string>): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 2)) + 1;
  for (const candidate of among) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}
