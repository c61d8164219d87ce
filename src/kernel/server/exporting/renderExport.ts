import { showInstant } from '../../contract/time.ts';
import type { Instant } from '../../contract/time.ts';
import type { Staff } from '../context.ts';
import { csvStream } from '../documents/csvStream.ts';
import { type XlsxCell, type XlsxSheet, xlsxStream } from '../documents/xlsxStream.ts';
import { asCsv, safeCell, UNREADABLE } from './presentCell.ts';
import { filterTextOf, type ExportColumnFacts, type ExportPage, type ExportReading, type ExportSource } from './source.ts';

const ROWS_PER_SHEET = 500_000;

export interface ExportRequest {
  source: ExportSource;
  columns: readonly ExportColumnFacts[];
  format: 'XLSX' | 'CSV';
  plain: boolean;
  /** Rows of the same snapshot, for the number of sheets and the note. */
  rowsTotal: number;
  /** One page of the list alone. */
  page?: ExportPage;
  /** Called for each value that cannot be shown; its cell is marked, and the note counts them. */
  onUnreadable?(error: unknown, column: ExportColumnFacts): void;
  /** Called after each chunk with the rows done so far; may throw to stop. */
  onProgress?(rowsDone: number): void | Promise<void>;
}

export const CONTENT_TYPES = {
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  CSV: 'text/csv; charset=utf-8',
  ZIP: 'application/zip',
} as const;

/** `理赔订单查询_20261121_1530.xlsx` */
export function exportName(title: string, now: Instant, format: 'XLSX' | 'CSV'): string {
  const shown = showInstant(now);
  return `${title}_${shown.slice(0, 10).replaceAll('-', '')}_${shown.slice(11, 16).replace(':', '')}.${format.toLowerCase()}`;
}

/** `张三 A0001 2026-11-21 15:30`: who took the data out, when. */
export const watermarkOf = (staff: Pick<Staff, 'displayName' | 'opNo'>, now: Instant) =>
  `${staff.displayName} ${staff.opNo} ${showInstant(now).slice(0, 16)}`;

/** What went wrong so far; the note is written last. */
interface Tally {
  unreadable: number;
}

async function* presentedRows(request: ExportRequest, reading: ExportReading, tally: Tally): AsyncGenerator<XlsxCell[]> {
  const { source, columns, plain } = request;
  const csv = request.format === 'CSV';
  let done = 0;
  const keys = columns.map(({ key }) => key);
  for await (const chunk of source.chunks(reading, keys, request.page)) {
    for (const row of chunk) {
      const cells = row.map((value, index) => {
        const column = columns[index]!;
        return safeCell(column, value, plain, (error) => {
          tally.unreadable += 1;
          request.onUnreadable?.(error, column);
        });
      });
      yield csv ? cells.map(asCsv) : cells;
    }
    done += chunk.length;
    await request.onProgress?.(done);
  }
}

const headerRow = (columns: readonly ExportColumnFacts[]): XlsxCell[] => columns.map(({ label }) => ({ text: label, style: 'header' }));

/** Takes at most `limit` rows off a shared iterator, after the header. */
async function* sheetRows(header: XlsxCell[], rows: AsyncIterator<XlsxCell[]>, limit: number): AsyncGenerator<XlsxCell[]> {
  yield header;
  for (let taken = 0; taken < limit; taken += 1) {
    const next = await rows.next();
    if (next.done) return;
    yield next.value;
  }
}

async function* noteRows(request: ExportRequest, reading: ExportReading, tally: Tally): AsyncGenerator<XlsxCell[]> {
  const facts: [string, string][] = [
    ['页面', request.source.title],
    ['筛选条件', filterTextOf(request.source, reading.filter)],
    ['导出人', `${reading.staff.displayName}（${reading.staff.opNo}）`],
    ['导出时间', showInstant(reading.now)],
    ['数据行数', String(request.rowsTotal)],
    ['敏感信息', request.plain ? '明文' : '已脱敏'],
    ...(tally.unreadable > 0
      ? [['异常数据', `${tally.unreadable}个单元格无法显示，已标记${UNREADABLE}，请联系管理员核对`] satisfies [string, string]]
      : []),
    ['声明', '内部资料，禁止外传'],
  ];
  for (const [label, value] of facts) {
    yield [
      { text: label, style: 'header' },
      { text: value, style: 'note' },
    ];
  }
}

/**
 * Bytes of an export, piece by piece. Read it within the snapshot whose handle is in `reading`.
 * Sheets hold 500,000 rows each; the last one, 说明, records what was exported, by whom and when.
 */
export function renderExport(request: ExportRequest, reading: ExportReading): AsyncIterable<Buffer> {
  const tally: Tally = { unreadable: 0 };
  const rows = presentedRows(request, reading, tally);
  const header = headerRow(request.columns);
  if (request.format === 'CSV') return csvStream(sheetRows(header, rows, Number.POSITIVE_INFINITY));
  const frame = {
    widths: request.columns.map(({ width, label }) => width ?? Math.max(12, label.length * 2 + 4)),
    pageHeader: watermarkOf(reading.staff, reading.now),
    frozenRows: 1,
  };
  const count = Math.max(1, Math.ceil(request.rowsTotal / ROWS_PER_SHEET));
  const sheets: XlsxSheet[] = Array.from({ length: count }, (_, index) => ({
    ...frame,
    name: count === 1 ? '数据' : `数据${index + 1}`,
    rows: sheetRows(header, rows, index === count - 1 ? Number.POSITIVE_INFINITY : ROWS_PER_SHEET),
  }));
  sheets.push({ name: '说明', widths: [14, 80], pageHeader: frame.pageHeader, rows: noteRows(request, reading, tally) });
  return xlsxStream(sheets);
}
