import { createCanvas, loadImage } from '@napi-rs/canvas';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { bufferOf } from '#kernel/server/documents/xlsxStream.ts';
import { ZipStream } from '#kernel/server/documents/zipStream.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';
import { seesChannel, type Viewer } from '../access.ts';
import { own } from '../database.ts';
import { drawPng, drawSvg } from './draw.ts';
import { linkOf, logoOf } from './target.ts';

type Format = 'PNG' | 'SVG' | 'PDF';
const TYPES = { PNG: 'image/png', SVG: 'image/svg+xml', PDF: 'application/pdf' } as const;
/** A4 at 150 dpi, three by four codes a page. */
const PAGE = { width: 1240, height: 1754, columns: 3, rows: 4, margin: 60 };

const safe = (text: string) => text.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_');

/** Pictures of codes: one as it is, several in an archive or on A4 pages. */
export async function codeFiles(kernel: Kernel, db: Db, viewer: Viewer, ids: readonly string[], format: Format): Promise<FileAnswer> {
  const codes = await own(db)
    .selectFrom('channelQrCode as q')
    .innerJoin('channelChannel as c', 'c.id', 'q.channelId')
    .select(['q.id', 'q.token', 'q.name', 'q.style'])
    .where('q.id', 'in', [...new Set(ids)])
    .where(seesChannel(viewer))
    .orderBy('q.id')
    .execute();
  if (codes.length === 0) throw refuse(platformErrors.NOT_FOUND);
  const picture = async (code: (typeof codes)[number]): Promise<Buffer> => {
    const style = code.style as CodeStyle;
    if (format === 'SVG') return Buffer.from(drawSvg(linkOf(kernel, code.token), style));
    return drawPng(linkOf(kernel, code.token), style, await logoOf(kernel, db, style));
  };
  const [first] = codes;
  if (codes.length === 1 && first && format !== 'PDF') {
    return new FileAnswer({
      name: `${safe(first.name)}_${first.token}.${format.toLowerCase()}`,
      contentType: TYPES[format],
      body: await picture(first),
      rowCount: 1,
    });
  }
  if (format === 'PDF')
    return new FileAnswer({
      name: '二维码.pdf',
      contentType: TYPES.PDF,
      body: await pdfOf(await Promise.all(codes.map(picture))),
      rowCount: codes.length,
    });
  async function* zipped(): AsyncGenerator<Buffer> {
    const zip = new ZipStream();
    for (const [index, code] of codes.entries()) {
      const [name, bytes] = [
        `${String(index + 1).padStart(4, '0')}_${safe(code.name)}_${code.token}.${format.toLowerCase()}`,
        await picture(code),
      ];
      if (format === 'PNG') yield zip.stored(name, bytes);
      else yield* zip.entry(name, [bytes]);
    }
    yield zip.end();
  }
  return new FileAnswer({ name: '二维码.zip', contentType: 'application/zip', body: await bufferOf(zipped()), rowCount: codes.length });
}

async function pageOf(pictures: readonly Buffer[]): Promise<Buffer> {
  const canvas = createCanvas(PAGE.width, PAGE.height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, PAGE.width, PAGE.height);
  const width = (PAGE.width - PAGE.margin * 2) / PAGE.columns;
  const height = (PAGE.height - PAGE.margin * 2) / PAGE.rows;
  for (const [index, bytes] of pictures.entries()) {
    const image = await loadImage(bytes);
    const scale = Math.min((width - 30) / image.width, (height - 30) / image.height);
    const left = PAGE.margin + (index % PAGE.columns) * width + (width - image.width * scale) / 2;
    const top = PAGE.margin + Math.floor(index / PAGE.columns) * height + (height - image.height * scale) / 2;
    context.drawImage(image, left, top, image.width * scale, image.height * scale);
  }
  return canvas.encode('jpeg', 92);
}

/** A PDF whose pages are pictures (PDF 1.4, DCTDecode), 12 codes each. */
async function pdfOf(pictures: readonly Buffer[]): Promise<Buffer> {
  const perPage = PAGE.columns * PAGE.rows;
  const count = Math.ceil(pictures.length / perPage);
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const add = (id: number, ...body: (string | Buffer)[]) => {
    offsets[id] = length;
    for (const piece of [`${id} 0 obj\n`, ...body, '\nendobj\n']) {
      const bytes = Buffer.from(piece as string);
      parts.push(bytes);
      length += bytes.length;
    }
  };
  add(1, '<</Type/Catalog/Pages 2 0 R>>');
  add(2, `<</Type/Pages/Count ${count}/Kids[${Array.from({ length: count }, (_, page) => `${3 + page * 3} 0 R`).join(' ')}]>>`);
  for (let page = 0; page < count; page += 1) {
    const id = 3 + page * 3;
    const jpeg = await pageOf(pictures.slice(page * perPage, (page + 1) * perPage));
    const content = 'q 595 0 0 842 0 0 cm /P Do Q';
    add(id, `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</XObject<</P ${id + 1} 0 R>>>>/Contents ${id + 2} 0 R>>`);
    add(
      id + 1,
      `<</Type/XObject/Subtype/Image/Width ${PAGE.width}/Height ${PAGE.height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>\nstream\n`,
      jpeg,
      '\nendstream',
    );
    add(id + 2, `<</Length ${content.length}>>\nstream\n${content}\nendstream`);
  }
  const last = 3 + count * 3;
  const table = Array.from({ length: last - 1 }, (_, index) => `${String(offsets[index + 1]).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(`xref\n0 ${last}\n0000000000 65535 f \n${table}trailer\n<</Size ${last}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}
