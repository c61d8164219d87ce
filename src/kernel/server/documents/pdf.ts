import { createCanvas, PDFDocument, type CanvasRenderingContext2D } from '@napi-rs/canvas';
import { FAMILY, useChineseFont } from './chineseFont.ts';

const A4 = { width: 595, height: 842 };
const MARGIN = 48;
const BOTTOM = A4.height - 56;
const WIDTH = A4.width - 2 * MARGIN;
const COLOURS = { text: '#1f2933', quiet: '#667085', line: '#d0d5dd', head: '#f2f4f7', mark: 'rgba(31, 41, 51, 0.07)' };

/** Content of the pages, from top to bottom; long texts wrap, tables go on over pages with their head repeated. */
export type PdfBlock =
  | { kind: 'title'; text: string; note?: string }
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'fields'; fields: readonly (readonly [label: string, value: string])[] }
  /** Widths are shares of the page. */
  | { kind: 'table'; columns: readonly { label: string; width: number }[]; rows: readonly (readonly string[])[] };

interface PdfSpec {
  title: string;
  /** Stands slantwise over every page: who made it and when. */
  watermark: string;
  /** Left of the page number. */
  footer: string;
  blocks: readonly PdfBlock[];
}

type Draw = (page: CanvasRenderingContext2D) => void;

/** Widths of what was measured before, at one pixel's size: the same few thousand characters make all texts. */
const widths = new Map<string, number>();
const KNOWN = 20_000;

function widthOf(meter: CanvasRenderingContext2D, piece: string): number {
  const known = widths.get(piece);
  if (known !== undefined) return known;
  meter.font = `100px ${FAMILY}`;
  const width = meter.measureText(piece).width / 100;
  if (widths.size < KNOWN) widths.set(piece, width);
  return width;
}

/** Breaks a text into lines of a width; Chinese breaks anywhere. */
function wrap(meter: CanvasRenderingContext2D, text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    let used = 0;
    for (const piece of paragraph.match(/[A-Za-z0-9.%/+-]+|[^A-Za-z0-9.%/+-]/gu) ?? []) {
      const parts = widthOf(meter, piece) * size > width ? [...piece] : [piece];
      for (const part of parts) {
        const more = widthOf(meter, part) * size;
        if (line !== '' && used + more > width) {
          lines.push(line);
          line = part.trimStart();
          used = line === part ? more : widthOf(meter, line) * size;
        } else {
          line += part;
          used += more;
        }
      }
    }
    lines.push(line);
  }
  return lines;
}

class Layout {
  readonly pages: Draw[][] = [[]];
  readonly #meter = createCanvas(8, 8).getContext('2d');
  #y = MARGIN;

  #room(height: number): void {
    if (this.#y + height <= BOTTOM) return;
    this.pages.push([]);
    this.#y = MARGIN;
  }
  #put(draw: Draw): void {
    this.pages.at(-1)!.push(draw);
  }
  #line(text: string, x: number, size: number, colour: string): void {
    const y = this.#y;
    this.#put((page) => {
      page.font = `${size}px ${FAMILY}`;
      page.fillStyle = colour;
      page.fillText(text, x, y + size);
    });
  }
  text(text: string, size: number, colour: string, gap: number): void {
    for (const line of wrap(this.#meter, text, size, WIDTH)) {
      this.#room(size * 1.5);
      this.#line(line, MARGIN, size, colour);
      this.#y += size * 1.5;
    }
    this.#y += gap;
  }
  heading(text: string): void {
    this.#room(48);
    this.#y += 10;
    this.text(text, 13, COLOURS.text, 2);
    const y = this.#y;
    this.#put((page) => {
      page.fillStyle = COLOURS.line;
      page.fillRect(MARGIN, y - 2, WIDTH, 0.7);
    });
    this.#y += 6;
  }
  fields(fields: readonly (readonly [string, string])[]): void {
    const label = 84;
    for (const [name, value] of fields) {
      const lines = wrap(this.#meter, value, 10, WIDTH - label);
      this.#room(lines.length * 15);
      this.#line(name, MARGIN, 10, COLOURS.quiet);
      for (const line of lines) {
        this.#line(line, MARGIN + label, 10, COLOURS.text);
        this.#y += 15;
      }
    }
    this.#y += 6;
  }
  table(columns: readonly { label: string; width: number }[], rows: readonly (readonly string[])[]): void {
    const shares = columns.reduce((sum, { width }) => sum + width, 0);
    const widths = columns.map(({ width }) => (width / shares) * WIDTH);
    const head = columns.map(({ label }) => label);
    this.#row(head, widths, true);
    for (const row of rows) {
      const before = this.pages.length;
      this.#room(this.#heightOf(row, widths));
      if (this.pages.length > before) this.#row(head, widths, true);
      this.#row(row, widths, false);
    }
    this.#y += 8;
  }
  #heightOf(cells: readonly string[], widths: readonly number[]): number {
    return Math.max(...cells.map((cell, at) => wrap(this.#meter, cell, 9, widths[at]! - 8).length)) * 13 + 8;
  }
  #row(cells: readonly string[], widths: readonly number[], head: boolean): void {
    // A cell higher than a page is cut; nothing that the product writes is.
    const height = Math.min(this.#heightOf(cells, widths), BOTTOM - MARGIN);
    this.#room(height);
    const top = this.#y;
    this.#put((page) => {
      if (head) {
        page.fillStyle = COLOURS.head;
        page.fillRect(MARGIN, top, WIDTH, height);
      }
      page.fillStyle = COLOURS.line;
      page.fillRect(MARGIN, top + height, WIDTH, 0.5);
    });
    let x = MARGIN;
    cells.forEach((cell, at) => {
      wrap(this.#meter, cell, 9, widths[at]! - 8).forEach((line, index) => {
        this.#y = top + 4 + index * 13;
        this.#line(line, x + 4, 9, head ? COLOURS.quiet : COLOURS.text);
      });
      x += widths[at]!;
    });
    this.#y = top + height;
  }
  add(block: PdfBlock): void {
    if (block.kind === 'title') {
      this.text(block.text, 20, COLOURS.text, 0);
      if (block.note) this.text(block.note, 10, COLOURS.quiet, 6);
    } else if (block.kind === 'heading') this.heading(block.text);
    else if (block.kind === 'text') this.text(block.text, 10, COLOURS.text, 6);
    else if (block.kind === 'fields') this.fields(block.fields);
    else this.table(block.columns, block.rows);
  }
}

function mark(page: CanvasRenderingContext2D, text: string): void {
  page.save();
  page.translate(A4.width / 2, A4.height / 2);
  page.rotate(-Math.PI / 6);
  page.font = `16px ${FAMILY}`;
  page.fillStyle = COLOURS.mark;
  const step = page.measureText(text).width + 60;
  for (let y = -480; y <= 480; y += 110) for (let x = -step * 2; x <= step; x += step) page.fillText(text, x, y);
  page.restore();
}

/** Writes an A4 document in Chinese with a watermark and page numbers on every page. */
export function renderPdf({ title, watermark, footer, blocks }: PdfSpec): Buffer {
  useChineseFont();
  const layout = new Layout();
  for (const block of blocks) layout.add(block);
  const pdf = new PDFDocument({ title, creator: 'Kangqiao', producer: 'Kangqiao' });
  layout.pages.forEach((draws, index) => {
    const page = pdf.beginPage(A4.width, A4.height);
    mark(page, watermark);
    for (const draw of draws) draw(page);
    page.font = `9px ${FAMILY}`;
    page.fillStyle = COLOURS.quiet;
    page.fillText(footer, MARGIN, A4.height - 28);
    const number = `${index + 1} / ${layout.pages.length}`;
    page.fillText(number, A4.width - MARGIN - page.measureText(number).width, A4.height - 28);
    pdf.endPage();
  });
  return pdf.close();
}
