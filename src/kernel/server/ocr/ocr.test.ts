import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOcr } from './makeOcr.ts';

const document = { kind: 'ID_CARD', contentType: 'image/png', body: Buffer.from('picture') };
let server: Server;
let url: string;
let seen: { path: string | undefined; authorization: string | undefined; body: unknown }[] = [];
let answer: { status: number; body: unknown };

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocr/`;
});
afterAll(() => new Promise((closed) => void server.close(closed)));

describe('the reader of documents', () => {
  it('reads nothing without a provider', async () => {
    const ocr = makeOcr({ ocr: null });
    expect([ocr.available, await ocr.read(document), await ocr.faces(document)]).toEqual([false, {}, null]);
  });

  it('throws when the provider refuses or answers something else', async () => {
    const ocr = makeOcr({ ocr: { url, key: 'secret' } });
    answer = { status: 503, body: {} };
    await expect(ocr.read(document)).rejects.toThrow('503');
    answer = { status: 200, body: { fields: 'none' } };
    await expect(ocr.read(document)).rejects.toThrow();
  });

  it('sends bytes with the key and answers what could be read', async () => {
    const ocr = makeOcr({ ocr: { url, key: 'secret' } });
    seen = [];
    answer = { status: 200, body: { fields: { holderName: ' 李文博 ', validTo: null, issuer: '' } } };
    expect(await ocr.read(document)).toEqual({ holderName: '李文博' });
    answer = { status: 200, body: { count: 1 } };
    expect(await ocr.faces(document)).toBe(1);
    expect(seen).toEqual([
      { path: '/ocr/read', authorization: 'Bearer secret', body: { kind: 'ID_CARD', contentType: 'image/png', data: 'cGljdHVyZQ==' } },
      { path: '/ocr/faces', authorization: 'Bearer secret', body: { contentType: 'image/png', data: 'cGljdHVyZQ==' } },
    ]);
  });
});
