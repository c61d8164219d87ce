interface Difference {
  label: string;
  before?: unknown;
  after?: unknown;
}

/** One value of a difference as people read it. */
export const differenceValue = (value: unknown): string =>
  value === null || value === undefined || value === '' ? '—' : typeof value === 'string' ? value : JSON.stringify(value);

/** All differences in one line: lists and exports show the same. */
export const differencesText = (differences: readonly Difference[]): string =>
  differences.map(({ label, before, after }) => `${label}：${differenceValue(before)}→${differenceValue(after)}`).join('；');
