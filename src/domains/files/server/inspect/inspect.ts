import { refuse } from '#kernel/contract/errors.ts';
import { PROTECTED } from '#kernel/server/importing/workbook.ts';
import { fileErrors } from '../../contract/errors.ts';
import { judgeArchive } from './archives.ts';
import { imageSize } from './images.ts';
import { hidesPage, isOle, isPlainText, isZip, typeByMagic } from './magic.ts';
import { judgePdf } from './pdf.ts';
import { perceptualHash } from './perceptualHash.ts';

export interface Inspected {
  type: string;
  width: number | null;
  height: number | null;
  pageCount: number | null;
  phash: string | null;
}

const MAX_PIXELS = 50_000_000;
const MAX_SIDE = 16_000;
const IMAGES = new Set(['jpg', 'png', 'gif', 'webp']);
const TEXTS = new Set(['csv', 'txt', 'json']);

const unreadable = (reason: string) => refuse(fileErrors.UNREADABLE, { reason });

/** The type that the bytes are, as far as any purpose may allow it. */
async function typeOf(bytes: Buffer, extension: string): Promise<string> {
  if (isOle(bytes)) {
    if (bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw unreadable(PROTECTED);
    throw refuse(fileErrors.DISGUISED, { message: '不支持旧版.xls文件，请另存为.xlsx后上传' });
  }
  if (isZip(bytes)) {
    const verdict = await judgeArchive(bytes);
    if (verdict === null) throw unreadable('损坏');
    if ('reason' in verdict) throw unreadable(verdict.reason);
    return verdict.type;
  }
  const type = typeByMagic(bytes);
  if (type) return type;
  if (TEXTS.has(extension) && isPlainText(bytes)) return extension;
  throw refuse(fileErrors.DISGUISED);
}

/**
 * Checks stored bytes (files.md R2) and answers what they are.
 * @param extension as the file was named; `types` those of its purpose
 * @throws Refusal SCM02006 not what the name says, SCM02007 with the reason.
 */
export async function inspectBytes(bytes: Buffer, extension: string, types: readonly string[]): Promise<Inspected> {
  const type = await typeOf(bytes, extension);
  if (!types.includes(type)) throw refuse(fileErrors.DISGUISED);
  if (IMAGES.has(type)) {
    if (hidesPage(bytes)) throw unreadable('夹带网页代码');
    const size = imageSize(bytes, type);
    if (!size || size.width === 0 || size.height === 0) throw unreadable('损坏');
    if (size.width * size.height > MAX_PIXELS || Math.max(size.width, size.height) > MAX_SIDE) throw unreadable('图片尺寸过大');
    return { type, ...size, pageCount: null, phash: await perceptualHash(bytes, size) };
  }
  if (type === 'pdf') {
    const verdict = await judgePdf(bytes);
    if ('reason' in verdict) throw unreadable(verdict.reason);
    return { type, width: null, height: null, pageCount: verdict.pageCount, phash: null };
  }
  return { type, width: null, height: null, pageCount: null, phash: null };
}
