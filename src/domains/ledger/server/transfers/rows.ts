/** Names and types of columns, as a statement reads them. */
export type Columns = readonly (readonly [name: string, type: string])[];

/** The database opens a function for each array, which costs more than the row it brings: few rows go as a list of values. */
const FEW = 4;

/** Rows as they stand in `from`, named; their parameters are numbered from `first`. */
export function rowsText(name: string, columns: Columns, count: number, first: number): string {
  const names = `${name} (${columns.map(([column]) => column).join(', ')})`;
  if (count === 0 || count > FEW) return `unnest(${columns.map(([, type], at) => `$${first + at}::${type}[]`).join(', ')}) as ${names}`;
  const rows = Array.from(
    { length: count },
    (_, row) => `(${columns.map(([, type], at) => `$${first + row * columns.length + at}::${type}`).join(', ')})`,
  );
  return `(values ${rows.join(', ')}) as ${names}`;
}

/** How many parameters rows take. */
export const parametersOf = (columns: Columns, count: number): number => columns.length * (count === 0 || count > FEW ? 1 : count);

/** The parameters of rows. */
export const rowsValues = (columns: Columns, rows: readonly (readonly unknown[])[]): unknown[] =>
  rows.length === 0 || rows.length > FEW ? columns.map((_, at) => rows.map((row) => row[at])) : rows.flat();

/** Statements by the numbers of their rows, each text written once. */
export function textOf(write: (...counts: number[]) => string): (...counts: number[]) => string {
  const written = new Map<string, string>();
  return (...counts) => {
    const key = counts.map((count) => (count > FEW ? 0 : count)).join(':');
    const known = written.get(key) ?? write(...counts);
    written.set(key, known);
    return known;
  };
}
