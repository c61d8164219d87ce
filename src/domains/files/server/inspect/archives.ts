import { BadZip, unzipEntry, zipEntries, type ZipEntry } from '#kernel/server/documents/zipRead.ts';

const MAX_ENTRIES = 1_000;
const MAX_UNPACKED = 200 * 1024 * 1024;
const MAX_RATIO = 100;
/** Small archives of repetitive XML legitimately pass the ratio; a bomb needs size too. */
const RATIO_FROM = 10 * 1024 * 1024;

export type ArchiveVerdict = { type: 'xlsx' | 'zip' } | { reason: string } | null;

/** Names that an unpacking program might write outside of its folder: upwards, absolute, of a drive, with what ends a name early. */
const leavesFolder = (name: string) => /(^|[\\/])\.\.([\\/]|$)|^[\\/]|^[a-z]:|[\p{Cc}]/iu.test(name);

/** Unpacks every entry within the limits, because a directory may lie about sizes. */
async function unpacksWithin(bytes: Buffer, entries: readonly ZipEntry[]): Promise<boolean> {
  let left = MAX_UNPACKED;
  for (const entry of entries) {
    left -= (await unzipEntry(bytes, entry, left)).length;
    if (left <= 0) return false;
  }
  return true;
}

/** What a zip-based file is, or why it is refused; null = no archive at all. */
export async function judgeArchive(bytes: Buffer): Promise<ArchiveVerdict> {
  let entries: ZipEntry[];
  try {
    entries = zipEntries(bytes, MAX_ENTRIES);
  } catch (error) {
    if (!(error instanceof BadZip)) throw error;
    return error.message === 'too many entries' ? { reason: '压缩比异常' } : null;
  }
  const claimed = entries.reduce((total, { unpacked }) => total + unpacked, 0);
  if (claimed > MAX_UNPACKED || (claimed > RATIO_FROM && claimed > bytes.length * MAX_RATIO)) return { reason: '压缩比异常' };
  if (entries.some(({ encrypted }) => encrypted)) return { reason: '加密' };
  if (entries.some(({ name }) => leavesFolder(name))) return { reason: '压缩包内的文件名不安全' };
  const names = new Set(entries.map(({ name }) => name));
  if ([...names].some((name) => /vbaProject\.bin$/i.test(name))) return { reason: '包含宏' };
  try {
    if (!(await unpacksWithin(bytes, entries))) return { reason: '压缩比异常' };
  } catch (error) {
    if (!(error instanceof BadZip)) throw error;
    return { reason: '损坏' };
  }
  return { type: names.has('[Content_Types].xml') && names.has('xl/workbook.xml') ? 'xlsx' : 'zip' };
}
