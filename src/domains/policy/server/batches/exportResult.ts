import type { Tx } from '#kernel/server/context.ts';
import { bufferOf, xlsxStream, type XlsxCell } from '#kernel/server/documents/xlsxStream.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { exportBatchResult } from '../../contract/calls/batches.ts';
import { rowResults, type ListTarget } from '../../contract/batchDictionaries.ts';
import { listPermissions as may } from '../../contract/permissions.ts';
import { placesOf, type Layout } from '../../contract/rules/template.ts';
import { own } from '../database.ts';
import type { KeptNote } from './parsing/decide.ts';
import { shownCell } from './list.ts';
import { openList, readWholeList, type ReadList } from '../templates/readFile.ts';
import { batchRecords, layoutOf, type BatchRecord } from './records.ts';
import { cellsOf } from './parsing/writeRows.ts';

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CHUNK = 2_000;

interface Noted {
  rowNo: number;
  result: (typeof rowResults.codes)[number];
  errors: KeptNote[];
  warnings: KeptNote[];
  note: string;
  cells: Partial<Record<ListTarget, string>>;
}

/** Rows of a list in their order, some at a time. */
async function* notedRows(
  tx: Tx,
  { secrets }: Kernel,
  batchId: string,
  onlyErrors: boolean,
  fromSheet: boolean | null,
): AsyncGenerator<Noted> {
  let after = 0;
  for (;;) {
    const rows = await own(tx)
      .selectFrom('policyInsuredBatchRow')
      .select(['rowNo', 'result', 'errors', 'warnings', 'note', 'rawCipher', 'correctedCipher'])
      .where('batchId', '=', batchId)
      .where('rowNo', '>', after)
      .$if(onlyErrors, (all) => all.where('result', '=', 'ERROR'))
      .$if(fromSheet !== null, (all) => all.where('fromSheet', '=', fromSheet))
      .orderBy('rowNo')
      .limit(CHUNK)
      .execute();
    for (const { rawCipher, correctedCipher, errors, warnings, ...row } of rows) {
      const { raw, corrected } = cellsOf(secrets, { rawCipher, correctedCipher });
      yield { ...row, errors: errors as KeptNote[], warnings: warnings as KeptNote[], cells: { ...raw, ...corrected } };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.rowNo;
  }
}

const resultText = ({ result, errors, warnings, note }: Noted): string =>
  [
    rowResults.label(result),
    ...errors.map(({ code, message }) => `${code} ${message}`),
    ...warnings.map(({ code, message }) => `${code} ${message}`),
    note,
  ]
    .filter((one) => one !== '')
    .join('；');

function styleOf(row: Noted, target: ListTarget | undefined): XlsxCell['style'] {
  if (target === undefined) return undefined;
  if (row.errors.some(({ column }) => column === target)) return 'error';
  return row.warnings.some(({ column }) => column === target) ? 'warning' : undefined;
}
const cell = (text: string, style: XlsxCell['style']): XlsxCell => (style === undefined ? { text } : { text, style });

/** The sheet as it was uploaded, each row on its own line, its wrong cells red, and what was found behind them. */
async function* annotated(
  list: ReadList,
  asked: Layout,
  rows: AsyncGenerator<Noted>,
  show: (target: ListTarget | undefined, value: string) => string,
) {
  let next = (await rows.next()).value as Noted | undefined;
  const { at } = placesOf(asked, list.headers);
  const targetAt = new Map([...at].map(([target, place]) => [place, target]));
  const targets = list.headers.map((_text, place) => targetAt.get(place));
  for (let line = 1; line < list.headerRow; line += 1) yield [];
  yield [...list.headers.map((text): XlsxCell => ({ text, style: 'header' })), { text: '校验结果', style: 'header' as const }];
  let line = list.headerRow;
  for await (const { rowNo, cells } of list.rows) {
    for (; line < rowNo - 1; line += 1) yield [];
    line = rowNo;
    const found = next?.rowNo === rowNo ? next : null;
    if (found) next = (await rows.next()).value as Noted | undefined;
    const shown = targets.map((target, place) => cell(show(target, cells[place] ?? ''), found ? styleOf(found, target) : undefined));
    yield found ? [...shown, { text: resultText(found) }] : shown;
  }
}

/** Some rows with their fields, where the sheet is not needed or there is none. */
async function* listed(asked: Layout, rows: AsyncGenerator<Noted>, show: (target: ListTarget | undefined, value: string) => string) {
  yield ['行号', ...asked.columns.map(({ headerAliases }) => headerAliases[0] ?? ''), '校验结果'].map((text): XlsxCell => ({
    text,
    style: 'header',
  }));
  for await (const row of rows)
    yield [
      { text: String(row.rowNo), numeric: true },
      ...asked.columns.map(({ target }) => cell(show(target, row.cells[target] ?? ''), styleOf(row, target))),
      { text: resultText(row) },
    ];
}

const widthsOf = ({ columns }: Layout) => [10, ...columns.map(() => 18), 60];

export const exportResult = (kernel: Kernel) =>
  command(exportBatchResult, async ({ batchId, part }, ctx) => {
    const batch: BatchRecord = await batchRecords.get(ctx.tx, ctx.staff, batchId);
    const asked = layoutOf(batch);
    // Whoever imports has the file anyway; others see certificates and numbers as lists show them.
    const inFull = ctx.has(may['batch.import']);
    // Nobody knows what stands in a column that no field reads.
    const show = (target: ListTarget | undefined, value: string) =>
      target === undefined ? (inFull || value === '' ? value : '***') : shownCell(target, value, inFull);
    const whole = part === 'ALL' && batch.fileId !== null;
    const sheet = whole
      ? annotated(
          await readWholeList(await openList(kernel, ctx.tx, batch.fileId ?? ''), asked),
          asked,
          notedRows(ctx.tx, kernel, batch.id, false, true),
          show,
        )
      : listed(asked, notedRows(ctx.tx, kernel, batch.id, part === 'ERROR', null), show);
    const body = await bufferOf(xlsxStream([{ name: asked.sheet === '' ? '数据' : asked.sheet, widths: widthsOf(asked), rows: sheet }]));
    ctx.target({ type: 'policy.batch', id: batch.id, no: batch.batchNo });
    return new FileAnswer({
      name: `${batch.batchNo}_${part === 'ERROR' ? '错误行' : '校验结果'}.xlsx`,
      contentType: XLSX_TYPE,
      body,
      rowCount: part === 'ERROR' ? batch.errorRows : batch.totalRows,
    });
  });
