import { bufferOf } from '#kernel/server/documents/xlsxStream.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import type { FileRow } from '../objects/fileRows.ts';
import { newStorageKey } from '../objects/names.ts';
import { pdfPage } from './pdfPage.ts';
import { type Picture, scaled } from './watermark.ts';

export type RenditionKind = 'THUMB' | 'WEB' | 'PDF_PAGE';

const SIDES = { THUMB: 320, WEB: 1_600 } as const;
const PICTURES = new Set(['jpg', 'png', 'gif', 'webp']);

export const isPicture = (file: FileRow) => PICTURES.has(file.detectedType ?? '');

const readAll = async (kernel: Kernel, key: string) => bufferOf((await kernel.storage.get(key)).body as AsyncIterable<Buffer>);

async function draw(kernel: Kernel, file: FileRow, kind: RenditionKind, page: number): Promise<Picture | null> {
  const bytes = await readAll(kernel, file.storageKey);
  if (isPicture(file)) return kind === 'PDF_PAGE' ? null : scaled(bytes, SIDES[kind]);
  if (file.detectedType !== 'pdf') return null;
  const drawn = await pdfPage(bytes, page);
  return drawn && kind === 'THUMB' ? scaled(drawn.bytes, SIDES.THUMB) : drawn;
}

/** A picture of the file for viewing, without any mark; made when first asked for, then kept. Null where there is none. */
export async function renditionOf(kernel: Kernel, file: FileRow, kind: RenditionKind, page: number): Promise<Buffer | null> {
  const stored = await own(kernel.db)
    .selectFrom('filesRendition')
    .select('storageKey')
    .where('fileId', '=', file.id)
    .where('kind', '=', kind)
    .where('page', '=', page)
    .executeTakeFirst();
  if (stored) return readAll(kernel, stored.storageKey);
  const drawn = await draw(kernel, file, kind, page);
  if (!drawn) return null;
  const now = kernel.clock.now();
  const key = newStorageKey('RENDITION', now);
  await kernel.storage.put(key, drawn.bytes, { contentType: 'image/jpeg' });
  const kept = await own(kernel.db)
    .insertInto('filesRendition')
    .values({
      fileId: file.id,
      kind,
      page,
      storageKey: key,
      contentType: 'image/jpeg',
      width: drawn.width,
      height: drawn.height,
      size: String(drawn.bytes.length),
      createdAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!kept) await kernel.storage.remove(key); // another request drew the same page meanwhile
  return drawn.bytes;
}
