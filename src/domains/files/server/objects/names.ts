import { randomUUID } from 'node:crypto';
import { dayOf, type Instant } from '#kernel/contract/time.ts';

const LONGEST = 120;
// oxlint-disable-next-line no-control-regex
const REFUSED = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069<>:"/\\|?*]/g;

/** A name without path, control characters and what file systems refuse; never empty. */
export function cleanName(fileName: string): string {
  const last = fileName.split(/[\\/]/).at(-1) ?? '';
  const clean = last.replace(REFUSED, '').replace(/^\.+/, '').trim();
  return clean === '' ? '未命名' : withinLimit(clean);
}

function withinLimit(name: string): string {
  if (name.length <= LONGEST) return name;
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  return name.slice(0, LONGEST - extension.length) + extension;
}

/** The name with the extension of what the bytes are. */
export function nameOfType(fileName: string, type: string): string {
  const match = /\.([^.]{1,10})$/.exec(fileName);
  const given = match?.[1]?.toLowerCase();
  if (given === type || (given === 'jpeg' && type === 'jpg')) return fileName;
  return withinLimit(`${match ? fileName.slice(0, match.index) : fileName}.${type}`);
}

/** Where new bytes lie; never holds the user's name. */
export function newStorageKey(purpose: string, now: Instant): string {
  const day = dayOf(now);
  return `${purpose}/${day.slice(0, 4)}/${day.slice(5, 7)}/${randomUUID()}`;
}

/** Where an upload puts its parts until it is complete. */
export const partKey = (fileId: string, no: number) => `parts/${fileId}/${no}`;

const CONTENT_TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  zip: 'application/zip',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  amr: 'audio/amr',
  mp4: 'video/mp4',
};

export const contentTypeOf = (type: string | null): string => (type && CONTENT_TYPES[type]) || 'application/octet-stream';
