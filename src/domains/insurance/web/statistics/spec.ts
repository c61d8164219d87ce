/** What a chart shows; colours are names of the theme. */
export interface ChartSpec {
  labels: readonly string[];
  series: readonly {
    label: string;
    /** A pair is a bar that floats between two values; null: a gap. */
    values: readonly (number | null | readonly [number, number])[];
    tone: string | readonly string[];
    kind?: 'bar' | 'line';
    /** On the axis at the right. */
    second?: boolean;
    dashed?: boolean;
  }[];
  unit: string;
  secondUnit?: string;
  horizontal?: boolean;
  stacked?: boolean;
}

export interface ChartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}
