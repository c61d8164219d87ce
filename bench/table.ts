export interface Row {
  what: string;
  measured: string;
  /** The bound as the product promises it. */
  goal: string;
  held: boolean;
}

/** Prints the measurements as one table; a row that falls short says so. */
export function printTable(rows: readonly Row[]): void {
  const lines = [
    ['measurement', 'measured', 'goal', ''],
    ...rows.map((row) => [row.what, row.measured, row.goal, row.held ? '' : 'falls short']),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]!.length)));
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

export const ratioRow = (what: string, ratio: number, goal: number): Row => ({
  what,
  measured: ratio.toFixed(2),
  goal: `>= ${goal.toFixed(2)}`,
  held: ratio >= goal,
});

export const atMostRow = (what: string, value: number, goal: number, unit = ''): Row => ({
  what,
  measured: `${value.toFixed(unit === '' ? 2 : 1)}${unit}`,
  goal: `<= ${goal}${unit}`,
  held: value <= goal,
});
