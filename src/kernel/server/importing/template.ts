import type { CellStyle } from '../documents/xlsxParts.ts';
import { columnLetter } from '../documents/xlsxParts.ts';
import { type XlsxCell, bufferOf, xlsxStream } from '../documents/xlsxStream.ts';
import type { ImportCellType, ImportColumn, Importer } from './importer.ts';

/** The sheet that records which template a file was made from. */
export const NOTES_SHEET = '填写说明';
export const TEMPLATE_MARK = '模板编码';
export const DICTIONARY_SHEET = '字典';
const LIST_ROWS = 100_001;

const TYPE_LABELS: Record<ImportCellType, string> = {
  text: '文本',
  int: '整数',
  money: '金额（元，最多两位小数）',
  bp: '百分比（如1.25%）',
  day: '日期（YYYY-MM-DD）',
  dict: '从字典中选择',
  adcode: '6位行政区划代码',
  mobile: '11位手机号码',
  idNo: '18位身份证号码',
};

const cells = (style: CellStyle, ...texts: string[]): XlsxCell[] => texts.map((text) => ({ text, style }));

function noteRow(column: ImportColumn): XlsxCell[] {
  const length = column.type === 'text' ? `，最多${column.maxLength ?? 500}个字符` : '';
  return cells(
    'text',
    column.label,
    column.required ? '是' : '否',
    `${TYPE_LABELS[column.type]}${length}`,
    column.example ?? '',
    column.note ?? '',
  );
}

/**
 * The workbook that operators fill in: a sheet with the headers alone, one that explains each column and names code
 * and version of the template, one with the values of the dictionaries (drop-down lists read them).
 */
export async function templateOf(importer: Importer): Promise<Buffer> {
  const listed = importer.columns.filter((column) => column.dictionary);
  const longest = Math.max(0, ...listed.map((column) => column.dictionary!.options.length));
  const lists = listed.map((column, index) => {
    const letter = columnLetter(index);
    return {
      column: importer.columns.indexOf(column),
      fromRow: 2,
      toRow: LIST_ROWS,
      formula: `${DICTIONARY_SHEET}!$${letter}$2:$${letter}$${column.dictionary!.options.length + 1}`,
    };
  });
  const sheets = [
    {
      name: '数据',
      widths: importer.columns.map(({ label }) => Math.max(14, label.length * 2 + 6)),
      frozenRows: 1,
      lists,
      rows: [
        importer.columns.map(({ label, required }): XlsxCell => ({
          text: required ? `*${label}` : label,
          style: required ? 'required' : 'header',
        })),
      ],
    },
    {
      name: NOTES_SHEET,
      widths: [20, 20, 36, 28, 50],
      rows: [
        cells('text', TEMPLATE_MARK, importer.code, '模板版本', importer.templateVersion, importer.label),
        cells('note', '请在“数据”表中从第2行起填写，不要改动表头；红色带*的列必填；不要使用公式和合并单元格。'),
        cells('header', '列名', '必填', '格式', '示例', '说明'),
        ...importer.columns.map(noteRow),
      ],
    },
  ];
  if (listed.length > 0) {
    sheets.push({
      name: DICTIONARY_SHEET,
      widths: listed.map(() => 24),
      rows: [
        cells('header', ...listed.map(({ label }) => label)),
        ...Array.from({ length: longest }, (_, row) =>
          cells('text', ...listed.map((column) => column.dictionary!.options[row]?.label ?? '')),
        ),
      ],
    });
  }
  return bufferOf(xlsxStream(sheets));
}
