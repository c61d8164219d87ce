/** Looks a cell can have; the number is its place in `cellXfs` below. */
export const cellStyle = {
  plain: 0,
  header: 1,
  money: 2,
  text: 3,
  percent: 4,
  integer: 5,
  error: 6,
  warning: 7,
  note: 8,
  required: 9,
} as const;
export type CellStyle = keyof typeof cellStyle;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

// Characters that XML 1.0 cannot carry at all.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const HALF_PAIRS = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it may stand in an element or attribute. */
export const xmlText = (text: string) =>
  text
    .replace(CONTROLS, '')
    .replace(HALF_PAIRS, '')
    .replace(/[&<>"]/g, (sign) => ESCAPES[sign]!);

/** `0` → `A`, `27` → `AB`. */
export function columnLetter(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

export function packageParts(sheetNames: readonly string[]): readonly [name: string, xml: string][] {
  const sheets = sheetNames.map((name, index) => ({ name, no: index + 1 }));
  return [
    [
      '[Content_Types].xml',
      [
        `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">`,
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
        '<Default Extension="xml" ContentType="application/xml"/>',
        `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
        `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
        ...sheets.map(({ no }) => `<Override PartName="/xl/worksheets/sheet${no}.xml" ContentType="${TYPE}.worksheet+xml"/>`),
        '</Types>',
      ].join(''),
    ],
    [
      '_rels/.rels',
      `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">` +
        `<Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      [
        `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>`,
        ...sheets.map(({ name, no }) => `<sheet name="${xmlText(name)}" sheetId="${no}" r:id="rId${no}"/>`),
        '</sheets></workbook>',
      ].join(''),
    ],
    [
      'xl/_rels/workbook.xml.rels',
      [
        `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">`,
        ...sheets.map(({ no }) => `<Relationship Id="rId${no}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${no}.xml"/>`),
        `<Relationship Id="rId${sheets.length + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
      ].join(''),
    ],
    ['xl/styles.xml', STYLES],
  ];
}

const font = (inner: string) => `<font>${inner}<sz val="11"/><name val="等线"/><family val="2"/></font>`;
const fill = (rgb: string) =>
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${rgb}"/><bgColor indexed="64"/></patternFill></fill>`;
const look = (numFmtId: number, fontId = 0, fillId = 0, wrap = false) =>
  `<xf numFmtId="${numFmtId}" fontId="${fontId}" fillId="${fillId}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"` +
  ` applyFill="1"${wrap ? ' applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>' : '/>'}`;

const STYLES = [
  `${DECLARATION}<styleSheet xmlns="${MAIN}"><fonts count="4">`,
  font(''),
  font('<b/>'),
  font('<color rgb="FF808080"/>'),
  font('<b/><color rgb="FFC0392B"/>'),
  '</fonts><fills count="5">',
  '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
  fill('E8EEF4'),
  fill('F9C9C4'),
  fill('FCE8B2'),
  '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="10">',
  look(0),
  look(49, 1, 2),
  look(4),
  look(49),
  look(10),
  look(1),
  look(49, 0, 3),
  look(49, 0, 4),
  look(49, 2, 0, true),
  look(49, 3, 2),
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join('');

export interface SheetFrame {
  /** Widths in characters. */
  widths: readonly number[];
  /** Printed at the head of every page. */
  pageHeader?: string;
  /** Rows that stay while scrolling. */
  frozenRows?: number;
  /** Drop-down lists: cells of column `column` from row `fromRow` on take one of `values`. */
  lists?: readonly { column: number; fromRow: number; toRow: number; formula: string }[];
}

/** XML before and after the rows of a sheet. */
export function sheetFrame({ widths, pageHeader, frozenRows = 0, lists = [] }: SheetFrame): { head: string; tail: string } {
  const pane =
    frozenRows > 0 ? `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/>` : '';
  const columns = widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('');
  const validations = lists.map(({ column, fromRow, toRow, formula }) => {
    const letter = columnLetter(column);
    const cells = `${letter}${fromRow}:${letter}${toRow}`;
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${cells}"><formula1>${xmlText(formula)}</formula1></dataValidation>`;
  });
  return {
    head: [
      `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`,
      '<sheetFormatPr defaultRowHeight="15"/>',
      columns ? `<cols>${columns}</cols>` : '',
      '<sheetData>',
    ].join(''),
    tail: [
      '</sheetData>',
      validations.length > 0 ? `<dataValidations count="${validations.length}">${validations.join('')}</dataValidations>` : '',
      pageHeader ? `<headerFooter><oddHeader>&amp;C${xmlText(pageHeader.replaceAll('&', '&&'))}</oddHeader></headerFooter>` : '',
      '</worksheet>',
    ].join(''),
  };
}
