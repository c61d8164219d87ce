import type { AnswerOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/http/client.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { completeUpload, getPresignedUrl, queryFileState, renewPartUrl } from '../../contract/calls/objects.ts';
import { putBytes } from './putBytes.ts';

export type Uploaded = AnswerOf<typeof completeUpload>;
type Presigned = AnswerOf<typeof getPresignedUrl>[number];

export interface UploadWatch {
  signal: AbortSignal;
  /** 0 to 100. */
  onProgress(percent: number): void;
}

interface Part {
  no: number;
  size: number;
  url: string;
}

/** Pauses before the second, third and fourth try of a part, in ms. */
const PAUSES = [1_000, 3_000, 9_000];
const POLL_MS = 1_000;

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)), { once: true });
  });

/** Hex SHA-256, where the browser can (secure origins). */
async function digestOf(file: Blob): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined;
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sends one part; a broken line or a refused part is tried again with a fresh address. */
async function sendPart(
  file: File,
  upload: Presigned,
  part: Part,
  start: number,
  watch: UploadWatch,
  onBytes: (sent: number) => void,
): Promise<void> {
  const bytes = file.slice(start, start + part.size);
  let url = part.url;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await putBytes(url, bytes, upload.headers, watch.signal, onBytes);
      return;
    } catch (error) {
      const wait = PAUSES[attempt];
      if (watch.signal.aborted || wait === undefined) throw error;
      await pause(wait, watch.signal);
      if (error instanceof RefusalError) {
        const renewed = await send(renewPartUrl, { fileId: upload.fileId, partNos: [part.no] }, { quiet: true, signal: watch.signal });
        if (renewed.present.includes(part.no)) return;
        url = renewed.parts[0]?.url ?? url;
      }
    }
  }
}

interface Plan {
  parts: readonly Part[];
  /** Numbers of the parts that are there already. */
  present: readonly number[];
}

const allParts = (upload: Presigned, file: File): readonly Part[] =>
  upload.parts.length > 0 ? upload.parts : [{ no: 1, size: file.size, url: upload.url }];

async function sendParts(file: File, upload: Presigned, plan: Plan, watch: UploadWatch): Promise<void> {
  let done = 0;
  for (const { no, size } of allParts(upload, file)) {
    const start = done;
    const part = plan.parts.find((planned) => planned.no === no);
    if (part && !plan.present.includes(no)) {
      await sendPart(file, upload, part, start, watch, (sent) => watch.onProgress(Math.floor(((start + sent) / file.size) * 99)));
    }
    done += size;
    watch.onProgress(Math.floor((done / file.size) * 99));
  }
}

/** Goes on with an upload that broke off; null when it can no longer be continued. */
async function resumed(upload: Presigned, file: File, watch: UploadWatch): Promise<Plan | null> {
  const partNos = allParts(upload, file).map(({ no }) => no);
  return send(renewPartUrl, { fileId: upload.fileId, partNos }, { quiet: true, signal: watch.signal }).catch((error: unknown) => {
    if (error instanceof RefusalError) return null;
    throw error;
  });
}

/** Waits until a larger file is inspected; the second completion answers the file or its refusal. */
async function settled(fileId: string, watch: UploadWatch): Promise<Uploaded> {
  for (;;) {
    await pause(POLL_MS, watch.signal);
    const [file] = await send(queryFileState, { fileIds: [fileId] }, { quiet: true, signal: watch.signal });
    if (file?.state !== 'CHECKING') return send(completeUpload, { fileId }, { quiet: true, signal: watch.signal });
  }
}

/** An upload that may be continued by a later try. */
export interface Resume {
  upload?: Presigned;
}

/**
 * Uploads one file: addresses, bytes in parts, inspection. A second try with the same `resume` sends only what is missing.
 * @throws RefusalError with the server's sentence; the signal's reason when cancelled.
 */
export async function uploadFile(file: File, purpose: string, watch: UploadWatch, resume: Resume = {}): Promise<Uploaded> {
  let plan = resume.upload ? await resumed(resume.upload, file, watch) : null;
  if (!plan || !resume.upload) {
    const sha256 = await digestOf(file);
    const [fresh] = await send(
      getPresignedUrl,
      {
        purpose,
        files: [
          { fileName: file.name, size: file.size, contentType: file.type || 'application/octet-stream', ...(sha256 ? { sha256 } : {}) },
        ],
      },
      { quiet: true, signal: watch.signal },
    );
    if (!fresh) throw new RefusalError('', '上传失败，请重试');
    resume.upload = fresh;
    plan = { parts: allParts(fresh, file), present: [] };
  }
  const { upload } = resume;
  if (!upload.instant) await sendParts(file, upload, plan, watch);
  const answer = await send(completeUpload, { fileId: upload.fileId }, { quiet: true, signal: watch.signal });
  const result = answer.state === 'CHECKING' ? await settled(upload.fileId, watch) : answer;
  watch.onProgress(100);
  return result;
}
