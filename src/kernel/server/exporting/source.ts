import type { Call } from '../../contract/call.ts';
import type { SensitiveKind } from '../../contract/masking.ts';
import type { Db, Staff } from '../context.ts';
import type { Instant } from '../../contract/time.ts';

export type CellKind = 'text' | 'int' | 'money' | 'bp' | 'day' | 'instant' | 'flag';
export type Cell = string | number | bigint | boolean | null | undefined;

export interface ExportColumn<Row> {
  key: string;
  label: string;
  kind?: CellKind;
  /** Width in characters. */
  width?: number;
  /** Masked unless the export is plain. */
  sensitive?: SensitiveKind;
  value(row: Row): Cell;
}

export interface ExportReading<Filter> {
  db: Db;
  staff: Staff;
  filter: Filter;
  now: Instant;
}

/** What a list's export call writes: the same filters and rights as the list, other columns. */
export interface ExportSource<Filter = never, Row = never> {
  /** The export call; its input holds the list's filters beside `columns`, `format`, `plain`, `plainReason`. */
  call: Call;
  title: string;
  routeKey: string;
  permission: string;
  columns: readonly ExportColumn<Row>[];
  /** Chinese sentence of the filters, for the sheet 说明 and the download centre. */
  describe?(filter: Filter): string;
  count(reading: ExportReading<Filter>): Promise<number>;
  /** All rows, in keyset chunks of at most 1,000, within one snapshot. */
  chunks(reading: ExportReading<Filter>): AsyncIterable<Row[]>;
}
