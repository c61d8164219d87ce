import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type IncomingMessage, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Secrets } from '../sensitive/secrets.ts';
import { DiskStorage } from './diskStorage.ts';
import { ObjectMissing, type ObjectStorage, ObjectTooLarge } from './objectStorage.ts';
import { S3Storage } from './s3Storage.ts';
import { readPut } from './signedAddress.ts';

const mac = (purpose: string, text: string) => createHmac('sha256', `key of ${purpose}`).update(text).digest('hex');
const secrets: Secrets = {
  checkValue: '',
  encrypt: (plain) => plain,
  decrypt: (cipher) => cipher,
  blindIndex: mac,
  sign: mac,
  verify: (purpose, text, signature) => signature.length === 64 && timingSafeEqual(Buffer.from(mac(purpose, text)), Buffer.from(signature)),
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const typed = { contentType: 'application/octet-stream' };
const read = async (storage: ObjectStorage, key: string, range?: { start: number; end: number }) => {
  const chunks: Buffer[] = [];
  const { body } = await storage.get(key, range);
  for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
};
async function keysOf(storage: ObjectStorage) {
  const all: string[] = [];
  for await (const key of storage.keys()) all.push(key);
  return all.toSorted();
}

interface Rig {
  storage: ObjectStorage;
  folder: string;
  /** Sends a PUT to a presigned address and answers its HTTP status. */
  put(url: string, headers: Record<string, string>, body: Buffer): Promise<number>;
  close(): Promise<unknown>;
}

async function diskRig(): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'kangqiao-storage-'));
  const storage = new DiskStorage({ folder, secrets });
  // The route of the domain `files` in its shortest form.
  const server = createServer(async (request, response) => {
    const permit = readPut(secrets, (request.url ?? '').replace('/files/put/', ''), new Date().toISOString());
    const fits = permit && request.method === 'PUT' && Number(request.headers['content-length']) === permit.size;
    if (fits) await storage.put(permit.key, request, { contentType: permit.contentType, maxSize: permit.size });
    response.writeHead(fits ? 200 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    storage,
    folder,
    put: async (url, headers, body) =>
      (await fetch(`http://127.0.0.1:${port}${url}`, { method: 'PUT', headers, body: new Uint8Array(body) })).status,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** What S3 does with a presigned address, and s3rver does not: signs again what arrived and compares. */
async function isSigned(arrived: IncomingMessage, origin: string): Promise<boolean> {
  const url = new URL(arrived.url ?? '/', origin);
  const signature = url.searchParams.get('X-Amz-Signature');
  if (!signature) return true;
  const signed = (url.searchParams.get('X-Amz-SignedHeaders') ?? '').split(';');
  const at = url.searchParams.get('X-Amz-Date') ?? '';
  for (const name of ['Signature', 'Date', 'Algorithm', 'Credential', 'SignedHeaders']) url.searchParams.delete(`X-Amz-${name}`);
  const headers = Object.fromEntries(signed.filter((name) => name !== 'host').map((name) => [name, String(arrived.headers[name])]));
  const again = await new AwsV4Signer({
    method: arrived.method ?? '',
    url: url.toString(),
    headers,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    region: 'us-east-1',
    service: 's3',
    datetime: at,
    signQuery: true,
    allHeaders: true,
  }).sign();
  return again.url.searchParams.get('X-Amz-Signature') === signature;
}

async function s3Rig(): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'kangqiao-s3-'));
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder, configureBuckets: [{ name: 'kangqiao' }] });
  const bucket = await server.run();
  const gate = createServer(async (arrived, answer) => {
    if (!(await isSigned(arrived, `http://127.0.0.1:${port}`))) return void arrived.resume().on('end', () => answer.writeHead(403).end());
    const { method, headers, url: path } = arrived;
    arrived.pipe(
      send({ host: '127.0.0.1', port: bucket.port, method, path, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      }),
    );
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const { port } = gate.address() as AddressInfo;
  const storage = new S3Storage({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: 'kangqiao',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  });
  return {
    storage,
    folder,
    put: async (url, headers, body) => (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status,
    close: () => Promise.all([server.close(), new Promise((resolve) => gate.close(resolve))]),
  };
}

describe.each([
  ['disk', diskRig],
  ['S3', s3Rig],
] as const)('object storage on %s', (_name, makeRig) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await makeRig();
  });
  afterAll(async () => {
    await rig.close();
    await rm(rig.folder, { recursive: true, force: true });
  });

  it('gives back what was put, whole and in ranges', async () => {
    const bytes = randomBytes(100_000);
    await expect(rig.storage.put('evidence/2026/1', Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), typed)).resolves.toEqual({
      size: 100_000,
      sha256: sha256(bytes),
    });
    expect(await read(rig.storage, 'evidence/2026/1')).toEqual(bytes);
    expect(await read(rig.storage, 'evidence/2026/1', { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20));
    expect((await rig.storage.get('evidence/2026/1', { start: 10, end: 19 })).size).toBe(100_000);
    await expect(rig.storage.stat('evidence/2026/1')).resolves.toEqual({ size: 100_000 });
    await rig.storage.remove('evidence/2026/1');
  });

  it('says that an object is missing, and removes one that is not there without complaint', async () => {
    await expect(rig.storage.get('evidence/none')).rejects.toBeInstanceOf(ObjectMissing);
    await expect(rig.storage.stat('evidence/none')).resolves.toBeNull();
    await rig.storage.remove('evidence/none');
  });

  it('keeps nothing of a body that is too long or breaks off', async () => {
    await expect(
      rig.storage.put('evidence/long', Readable.from([Buffer.alloc(600), Buffer.alloc(600)]), { ...typed, maxSize: 1000 }),
    ).rejects.toBeInstanceOf(ObjectTooLarge);
    async function* broken() {
      yield Buffer.alloc(9 * 1024 * 1024);
      throw new Error('the line broke');
    }
    await expect(rig.storage.put('evidence/broken', Readable.from(broken(), { objectMode: false }), typed)).rejects.toThrow(
      'the line broke',
    );
    expect(await keysOf(rig.storage)).toEqual([]);
  });

  it('joins parts in their order into an object larger than one piece', async () => {
    const parts = [randomBytes(5_242_880), randomBytes(5_242_880), randomBytes(1_000)];
    for (const [index, part] of parts.entries()) await rig.storage.put(`parts/7/${index + 1}`, part, typed);
    const whole = Buffer.concat(parts);
    await expect(rig.storage.compose('evidence/7', ['parts/7/1', 'parts/7/2', 'parts/7/3'], typed.contentType)).resolves.toEqual({
      size: whole.length,
      sha256: sha256(whole),
    });
    expect(sha256(await read(rig.storage, 'evidence/7'))).toBe(sha256(whole));
    await expect(rig.storage.compose('evidence/8', ['parts/7/1', 'parts/7/9'], typed.contentType)).rejects.toBeInstanceOf(ObjectMissing);
    expect(await keysOf(rig.storage)).toEqual(['evidence/7', 'parts/7/1', 'parts/7/2', 'parts/7/3']);
  });

  it('accepts a PUT at a presigned address, and no other length, key or time', async () => {
    const bytes = randomBytes(5_000);
    const permit = { size: bytes.length, contentType: 'image/png', expiresAt: new Date(Date.now() + 60_000).toISOString() };
    const { url, headers } = await rig.storage.presignPut('evidence/put', permit);
    expect(await rig.put(url, headers, Buffer.concat([bytes, bytes]))).toBeGreaterThanOrEqual(400);
    expect(await rig.put(url, headers, bytes.subarray(1))).toBeGreaterThanOrEqual(400);
    const other = await rig.storage.presignPut('evidence/other', permit);
    const forged =
      rig.storage.kind === 's3' ? url.replace('evidence/put', 'evidence/other') : `${other.url.split('.')[0]}.${url.split('.')[1]}`;
    expect(await rig.put(forged, headers, bytes)).toBeGreaterThanOrEqual(400);
    await expect(rig.storage.stat('evidence/other')).resolves.toBeNull();
    expect(await rig.put(url, headers, bytes)).toBe(200);
    expect(await read(rig.storage, 'evidence/put')).toEqual(bytes);
  });
});

describe('embedded store', () => {
  it('refuses an address after its time and one of another purpose', () => {
    const storage = new DiskStorage({ folder: tmpdir(), secrets });
    const permit = { size: 1, contentType: 'a/b', expiresAt: '2026-11-21T02:30:00.000Z' };
    return storage.presignPut('a/1', permit).then(({ url }) => {
      const address = url.replace('/files/put/', '');
      expect(readPut(secrets, address, '2026-11-21T02:29:59.999Z')).toMatchObject({ key: 'a/1', size: 1 });
      expect(readPut(secrets, address, '2026-11-21T02:30:00.000Z')).toBeNull();
      expect(readPut(secrets, `${address}0`, '2026-11-21T02:00:00.000Z')).toBeNull();
    });
  });

  it('refuses keys that leave the folder and leaves no temporary file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kangqiao-keys-'));
    const storage = new DiskStorage({ folder, secrets });
    for (const key of ['../x', '/etc/x', 'a//b', 'a/../b', '.x', 'a\\b'])
      await expect(storage.put(key, Buffer.alloc(1), typed)).rejects.toThrow('not a storage key');
    await storage.put('a/b', Buffer.from('x'), typed);
    expect(await readdir(join(folder, '.incoming'))).toEqual([]);
    expect(await storage.usage()).toBe(1);
    await rm(folder, { recursive: true });
  });
});
