import { type XlsxCell, bufferOf, xlsxStream } from '../documents/xlsxStream.ts';
import type { ImportFault, Importer } from './importer.ts';

export interface AnnotatedRow {
  rowNo: number;
  raw: Readonly<Record<string, string>>;
}

/** Sheet row of the annotated file that a row of the upload occupies: the same one where rows were given as uploaded. */
function* annotatedRows(importer: Importer, rows: readonly AnnotatedRow[], faults: readonly ImportFault[]): Generator<XlsxCell[]> {
  const byRow = Map.groupBy(faults, ({ rowNo }) => rowNo);
  yield [...importer.columns.map(({ label }): XlsxCell => ({ text: label, style: 'header' })), { text: '校验结果', style: 'header' }];
  let last = 1;
  for (const { rowNo, raw } of rows) {
    for (; last < rowNo - 1; last += 1) yield [];
    last = rowNo;
    const own = byRow.get(rowNo) ?? [];
    const worst = (key: string) => {
      const hits = own.filter(({ columnKey }) => columnKey === key);
      if (hits.length === 0) return undefined;
      return hits.some(({ severity }) => severity === 'ERROR') ? ('error' as const) : ('warning' as const);
    };
    const cells = importer.columns.map(({ key }): XlsxCell => {
      const style = worst(key);
      // A coloured cell stays visible when it is empty.
      return style ? { text: raw[key] ?? '', style } : { text: raw[key] ?? '' };
    });
    yield [...cells, { text: own.map(({ message }) => message).join('；') }];
  }
}

/** The uploaded table with its faulty cells coloured, each row on its own line number, and the reasons in the last column. */
export function annotatedTable(
  importer: Importer,
  rows: readonly AnnotatedRow[],
  faults: readonly ImportFault[],
  shownTo: string,
): Promise<Buffer> {
  return bufferOf(
    xlsxStream([
      {
        name: '数据',
        widths: [...importer.columns.map(({ label }) => Math.max(14, label.length * 2 + 6)), 60],
        frozenRows: 1,
        pageHeader: shownTo,
        rows: annotatedRows(importer, rows, faults),
      },
    ]),
  );
}
