import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { ObjectMissing, type ObjectStorage, ObjectTooLarge, type StoredObject } from './objectStorage.ts';

export interface S3Options {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Bodies up to this size go as one PUT; above, as a multipart upload of such pieces (S3's least is 5 MiB). */
const PIECE = 8 * 1024 * 1024;
const RETRIES = 3;

const tagged = (xml: string, tag: string): string[] =>
  [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map((match) => match[1]!);
const unescapeXml = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Pieces of exactly `PIECE` bytes (the last may be shorter). */
async function* pieces(body: Readable | Buffer): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  const chunks: AsyncIterable<Buffer> | Buffer[] = Buffer.isBuffer(body) ? [body] : body;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    size += chunk.length;
    while (size >= PIECE) {
      const joined = Buffer.concat(waiting);
      yield joined.subarray(0, PIECE);
      waiting = [joined.subarray(PIECE)];
      size -= PIECE;
    }
  }
  if (size > 0) yield Buffer.concat(waiting);
}

/** Keeps objects in an S3-compatible bucket (path style addresses). */
export class S3Storage implements ObjectStorage {
  readonly kind = 's3';
  readonly #client: AwsClient;
  readonly #base: string;

  constructor(options: S3Options) {
    this.#client = new AwsClient({
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
      region: options.region,
      service: 's3',
      retries: RETRIES,
    });
    this.#base = `${options.endpoint.replace(/\/$/, '')}/${options.bucket}`;
  }

  async #send(
    method: string,
    address: string,
    init: { body?: Buffer | string; headers?: Record<string, string>; accept?: readonly number[] } = {},
  ): Promise<Response> {
    const body = typeof init.body === 'string' ? init.body : init.body && new Uint8Array(init.body);
    const response = await this.#client.fetch(`${this.#base}${address}`, {
      method,
      ...(body ? { body } : {}),
      ...(init.headers ? { headers: init.headers } : {}),
    });
    if (response.ok || init.accept?.includes(response.status)) return response;
    throw new Error(`object store answered ${response.status} to ${method} ${address}: ${(await response.text()).slice(0, 300)}`);
  }

  async put(key: string, body: Readable | Buffer, options: { contentType: string; maxSize?: number }): Promise<StoredObject> {
    const hash = createHash('sha256');
    const headers = { 'Content-Type': options.contentType };
    let size = 0;
    let uploadId: string | null = null;
    const etags: string[] = [];
    const sendPart = async (piece: Buffer) => {
      const part = await this.#send('PUT', `/${key}?partNumber=${etags.length + 1}&uploadId=${encodeURIComponent(uploadId!)}`, {
        body: piece,
      });
      etags.push(part.headers.get('etag') ?? '');
    };
    try {
      let held: Buffer = Buffer.alloc(0);
      for await (const piece of pieces(body)) {
        size += piece.length;
        if (options.maxSize !== undefined && size > options.maxSize) throw new ObjectTooLarge(key, options.maxSize);
        hash.update(piece);
        if (held.length > 0) {
          uploadId ??= unescapeXml(tagged(await (await this.#send('POST', `/${key}?uploads`, { headers })).text(), 'UploadId')[0] ?? '');
          await sendPart(held);
        }
        held = piece;
      }
      if (uploadId === null) {
        await this.#send('PUT', `/${key}`, { body: held, headers });
      } else {
        await sendPart(held);
        const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`).join('');
        await this.#send('POST', `/${key}?uploadId=${encodeURIComponent(uploadId)}`, {
          body: `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`,
        });
      }
    } catch (error) {
      if (uploadId !== null)
        await this.#send('DELETE', `/${key}?uploadId=${encodeURIComponent(uploadId)}`, { accept: [404] }).catch(() => {});
      throw error;
    }
    return { size, sha256: hash.digest('hex') };
  }

  async get(key: string, range?: { start: number; end: number }): Promise<{ body: Readable; size: number }> {
    const response = await this.#send('GET', `/${key}`, {
      ...(range ? { headers: { Range: `bytes=${range.start}-${range.end}` } } : {}),
      accept: [404],
    });
    if (response.status === 404 || !response.body) throw new ObjectMissing(key);
    const whole = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? response.headers.get('content-length');
    // The two declarations of the web stream (DOM's and Node's) describe the same object.
    return { body: Readable.fromWeb(response.body as WebStream<Uint8Array>), size: Number(whole ?? 0) };
  }

  async stat(key: string): Promise<{ size: number } | null> {
    const response = await this.#send('HEAD', `/${key}`, { accept: [404] });
    return response.status === 404 ? null : { size: Number(response.headers.get('content-length') ?? 0) };
  }

  async remove(key: string): Promise<void> {
    await this.#send('DELETE', `/${key}`, { accept: [404] });
  }

  async presignPut(key: string, options: { size: number; contentType: string; expiresAt: string }) {
    const address = new URL(`${this.#base}/${key}`);
    const seconds = Math.max(1, Math.ceil((Date.parse(options.expiresAt) - Date.now()) / 1000));
    address.searchParams.set('X-Amz-Expires', String(Math.min(seconds, 604_800)));
    // The length is part of the signature: a longer or shorter body is refused by the bucket.
    const signed = await this.#client.sign(address.toString(), {
      method: 'PUT',
      headers: { 'Content-Type': options.contentType, 'Content-Length': String(options.size) },
      aws: { signQuery: true, allHeaders: true },
    });
    return { url: signed.url, headers: { 'Content-Type': options.contentType } };
  }

  async compose(key: string, partKeys: readonly string[], contentType: string): Promise<StoredObject> {
    return this.put(key, Readable.from(this.#joined(partKeys), { objectMode: false }), { contentType });
  }

  async *#joined(partKeys: readonly string[]): AsyncGenerator<Buffer> {
    for (const partKey of partKeys) yield* (await this.get(partKey)).body as AsyncIterable<Buffer>;
  }

  async *keys(): AsyncGenerator<string> {
    let marker: string | undefined;
    do {
      const page: string = await (
        await this.#send('GET', `?list-type=2&max-keys=1000${marker ? `&continuation-token=${encodeURIComponent(marker)}` : ''}`)
      ).text();
      for (const key of tagged(page, 'Key')) yield unescapeXml(key);
      marker = tagged(page, 'NextContinuationToken').map(unescapeXml)[0];
    } while (marker);
  }

  async usage(): Promise<null> {
    return null;
  }

  async space(): Promise<null> {
    return null;
  }
}
