import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '#kernel/contract/errors.ts';
import { plusMs, type Instant } from '#kernel/contract/time.ts';
import { bufferOf } from '#kernel/server/documents/xlsxStream.ts';
import type { Context } from '#kernel/server/context.ts';
import { cookieOf } from '#kernel/server/http/cookie.ts';
import { tokenOf } from '#kernel/server/http/authorise.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { readFacts, signFacts } from '#kernel/server/storage/signedAddress.ts';
import { fileErrors } from '../../contract/errors.ts';
import { isPicture, renditionOf } from '../renditions/renditions.ts';
import { tablePreview } from '../renditions/tablePreview.ts';
import { marked } from '../renditions/watermark.ts';
import { type FileRow, findFile } from './fileRows.ts';
import { contentTypeOf } from './names.ts';

export interface ReadPermit {
  fileId: string;
  use: 'PREVIEW' | 'THUMB' | 'DOWNLOAD';
  /** Unmarked bytes may be given out. */
  original: boolean;
  page?: number;
  /** The request must prove this session, by its token or by the cookie of `signDownload`; null = the link alone suffices. */
  sessionId: string | null;
  /** Text drawn over what is shown; null = none. */
  marks: string | null;
}

const PURPOSE = 'files.read';
const LIFE_MS = 60_000;
const TABLES = new Set(['xlsx', 'csv', 'txt', 'json']);

/** Address of one read, good for 60 seconds. */
export const signRead = (kernel: Kernel, permit: ReadPermit, now: Instant, lifeMs = LIFE_MS): string =>
  `/files/get/${signFacts(kernel.secrets, PURPOSE, { ...permit, expiresAt: plusMs(now, lifeMs) })}`;

const READER = 'files.reader';
const COOKIE = 'kq_read';

/**
 * Address that the browser itself follows to save an original. A link sends no header, so a cookie that no script reads says whose
 * session it is; without it, in another session and after its end the address opens nothing.
 */
export function signDownload(kernel: Kernel, ctx: Pick<Context, 'staff' | 'now' | 'header'>, fileId: string): string {
  const { sessionId } = ctx.staff;
  const secure = kernel.config.publicOrigin?.startsWith('https:') ? '; Secure' : '';
  const proof = `${sessionId}.${kernel.secrets.sign(READER, sessionId)}`;
  ctx.header('Set-Cookie', `${COOKIE}=${proof}; Path=/files/get; HttpOnly; SameSite=Strict; Max-Age=${LIFE_MS / 1_000}${secure}`);
  return signRead(kernel, { fileId, use: 'DOWNLOAD', original: true, sessionId, marks: null }, ctx.now);
}

/** Whether the request comes from the living session that the cookie proves. */
async function isReader(kernel: Kernel, sessionId: string, request: FastifyRequest): Promise<boolean> {
  const [owner = '', signature = ''] = (cookieOf(request.headers.cookie, COOKIE) ?? '').split('.');
  if (owner !== sessionId || !kernel.secrets.verify(READER, owner, signature)) return false;
  return kernel.ports.sessions.isLive(kernel.db, sessionId, kernel.clock.now());
}

const expired = () => refuse(fileErrors.ADDRESS_EXPIRED, { message: '查看地址已失效，请重新打开' });

/** @throws Refusal SCM02012 for a forged or old address and for another session. */
async function permitOf(kernel: Kernel, address: string, request: FastifyRequest): Promise<ReadPermit> {
  // Signed by signRead, so its shape is known.
  const permit = readFacts(kernel.secrets, PURPOSE, address) as (ReadPermit & { expiresAt: string }) | null;
  if (!permit || permit.expiresAt <= kernel.clock.now()) throw expired();
  if (permit.sessionId === null) return permit;
  const token = tokenOf(request.headers.authorization);
  if (!token) {
    if (await isReader(kernel, permit.sessionId, request)) return permit;
    throw expired();
  }
  const { staff } = await kernel.ports.sessions.read(kernel.db, {
    token,
    opNo: null,
    userRoleMenu: null,
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    now: kernel.clock.now(),
    allowRestricted: false,
  });
  if (staff.sessionId !== permit.sessionId) throw expired();
  return permit;
}

/** A range of `bytes=a-b` within the size; null = the whole. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const start = match[1] === '' ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === '' || match[2] === '' ? size - 1 : Math.min(size - 1, Number(match[2]));
  return start <= end ? { start, end } : null;
}

async function sendOriginal(kernel: Kernel, file: FileRow, permit: ReadPermit, request: FastifyRequest, reply: FastifyReply) {
  const size = Number(file.size);
  const range = rangeOf(request.headers.range, size);
  const { body } = await kernel.storage.get(file.storageKey, range ?? undefined);
  reply.header('Accept-Ranges', 'bytes').type(permit.use === 'DOWNLOAD' ? 'application/octet-stream' : contentTypeOf(file.detectedType));
  reply.header('Content-Length', range ? range.end - range.start + 1 : size);
  if (range) reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  return reply.send(body);
}

async function sendPicture(kernel: Kernel, file: FileRow, permit: ReadPermit, reply: FastifyReply) {
  const kind = permit.use === 'THUMB' ? 'THUMB' : isPicture(file) ? 'WEB' : 'PDF_PAGE';
  // Thumbnails of pictures and PDFs alike are drawn from their first page.
  const page = kind === 'WEB' || isPicture(file) ? 0 : (permit.page ?? 1);
  const bytes = await renditionOf(kernel, file, kind, page);
  if (!bytes) throw refuse(fileErrors.UNREADABLE, { reason: '没有可显示的内容' });
  return reply.type('image/jpeg').send(permit.marks === null ? bytes : await marked(bytes, permit.marks));
}

/** Serves a signed read. Nothing is shown as a page of this site: no sniffing, no scripts. */
export async function answerRead(kernel: Kernel, address: string, request: FastifyRequest, reply: FastifyReply) {
  const permit = await permitOf(kernel, address, request);
  const file = await findFile(kernel.db, permit.fileId);
  if (!file || file.state !== 'READY') throw expired();
  reply.header('Content-Security-Policy', 'sandbox').header('Cache-Control', file.sensitive ? 'private, no-store' : 'private, max-age=60');
  if (permit.use === 'DOWNLOAD') {
    const name = permit.original ? file.fileName : file.fileName.replace(/\.[^.]+$/, '.jpg');
    reply.header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
    return permit.original ? sendOriginal(kernel, file, permit, request, reply) : sendPicture(kernel, file, permit, reply);
  }
  if (isPicture(file) || file.detectedType === 'pdf') return sendPicture(kernel, file, permit, reply);
  if (TABLES.has(file.detectedType ?? '')) {
    const bytes = await bufferOf((await kernel.storage.get(file.storageKey)).body as AsyncIterable<Buffer>);
    return reply.send(await tablePreview(bytes, file.detectedType ?? ''));
  }
  return sendOriginal(kernel, file, permit, request, reply);
}

/** What a page may show of a file without its original: pictures and PDF pages carry the reader's name. */
export const canBeMarked = (file: FileRow) => isPicture(file) || file.detectedType === 'pdf';

/** Content type of what `getFileUrl` leads to. */
export function shownType(file: FileRow, permit: Pick<ReadPermit, 'use' | 'original'>): string {
  if (permit.use === 'DOWNLOAD' && permit.original) return contentTypeOf(file.detectedType);
  if (canBeMarked(file)) return 'image/jpeg';
  return TABLES.has(file.detectedType ?? '') ? 'application/json' : contentTypeOf(file.detectedType);
}
