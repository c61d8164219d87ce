import { createCanvas } from '@napi-rs/canvas';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';
import { ZipStream } from '#kernel/server/documents/zipStream.ts';
import { bufferOf } from '#kernel/server/documents/xlsxStream.ts';

/** A readable picture of a paper with lines of text. */
export async function jpegOf(width: number, height: number, ...lines: string[]): Promise<Buffer> {
  useChineseFont();
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fdfcf7';
  context.fillRect(0, 0, width, height);
  context.strokeStyle = '#9aa7b4';
  context.strokeRect(8, 8, width - 16, height - 16);
  context.fillStyle = '#222';
  const size = Math.max(12, Math.round(width / 22));
  context.font = `${size}px ${FAMILY}`;
  for (const [index, line] of lines.entries()) context.fillText(line, size * 1.5, size * (2.5 + index * 1.8));
  return canvas.toBuffer('image/jpeg', 80);
}

/** A PDF with one line of Latin text a page. `trailer` and `catalog` add entries there. */
export function pdfOf(pages: readonly string[], trailer = '', catalog = ''): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  const objects = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((text, index) => {
      const latin = text.replaceAll(/[^\u0020-\u007E]/g, '-').replaceAll(/[()\\]/g, '');
      const stream = `BT /F1 22 Tf 60 760 Td (${latin}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + index * 2} 0 R>>`,
        `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Root 1 0 R/Size ${objects.length + 1}${trailer}>>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

/** Head of a PNG that claims a size and holds no picture. */
export function pngHeader(width: number, height: number): Buffer {
  const head = Buffer.alloc(64);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(head);
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
}

/** A workbook of a few hundred kilobytes that unpacks to more than 200 MB. */
export async function xlsxBomb(): Promise<Buffer> {
  const zip = new ZipStream();
  const zeros = Buffer.alloc(1024 * 1024);
  async function* archive() {
    yield* zip.entry('[Content_Types].xml', [Buffer.from('<Types/>')]);
    yield* zip.entry('xl/workbook.xml', [Buffer.from('<workbook/>')]);
    yield* zip.entry(
      'xl/worksheets/sheet1.xml',
      Array.from({ length: 210 }, () => zeros),
    );
    yield zip.end();
  }
  return bufferOf(archive());
}
