import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagePolicy } from '#kernel/server/http/headers.ts';
import { startTestApp, type TestApp } from './testApp.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-headers-'));
let app: TestApp;
let address: URL;
beforeAll(async () => {
  mkdirSync(path.join(folder, 'assets'));
  for (const name of ['index.html', 'wx.html', 'form.html', 'logo.svg', 'assets/one.js']) {
    writeFileSync(path.join(folder, name), `<script type="application/json" id="kangqiao-config">{}</script>${name}`);
  }
  app = await startTestApp({ browser: { folder, buildId: 'b1' } });
  address = new URL(await app.listen());
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends bytes as they are: clients would mend such addresses before they send them. */
function raw(line: string, accept = 'text/html'): Promise<{ status: number; headers: Map<string, string>; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(address.port), address.hostname, () => {
      socket.write(`${line} HTTP/1.1\r\nHost: kangqiao.test\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`);
    });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n', 2);
      const [first = '', ...lines] = head.split('\r\n');
      const headers = new Map(
        lines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 1).trim()]),
      );
      resolve({ status: Number(first.split(' ')[1]), headers, body });
    });
  });
}

/** What is missing of the protection of one answer. */
function unprotected(headers: { get(name: string): string | null | undefined }): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  return [
    ...(headers.get('x-content-type-options') === 'nosniff' ? [] : ['nosniff']),
    ...(headers.get('x-frame-options') === 'SAMEORIGIN' ? [] : ['frame options']),
    ...(/^(same-origin|no-referrer)$/.test(headers.get('referrer-policy') ?? '') ? [] : ['referrer']),
    ...(/frame-ancestors '(self|none)'|^sandbox$/.test(policy) ? [] : [`policy: ${policy}`]),
  ];
}

const PAGES = [
  '/',
  '/login',
  '/corpus?diseaseId=1',
  '/index.html',
  '/wx.html',
  '/wx/consult?ticket=x',
  '/form.html',
  '/wx/form?token=x',
  '/unknown',
];
const FILES = ['/logo.svg', '/assets/one.js'];
const OTHERS = [
  '/assets/gone.js',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/q/AAAAAAAAAA',
  '/pay/unknown',
  '/files/get/forged',
  '/wecom/callback/1',
  '/socket.io/?EIO=4&transport=polling',
  '/socket.io/?EIO=9&transport=polling',
];
const ODD = [
  'GET //evil.example',
  'GET //evil.example/login',
  'GET //',
  'GET http://evil.example/',
  'GET /\\evil.example',
  'GET /%5cevil.example',
  'GET /%2f%2fevil.example',
  'GET /%',
  'GET /%00',
  'GET /../package.json',
  'GET /assets/../../package.json',
  'GET /%2e%2e/package.json',
  `GET /${'a'.repeat(5_000)}`,
  `GET /assets/${'a'.repeat(300)}.js`,
  'DELETE /',
  'OPTIONS /login',
  'POST //evil.example',
  'NONSENSE',
  `GET /${'a'.repeat(20_000)}`,
];

describe('every answer', () => {
  it.each([...PAGES, ...FILES, ...OTHERS])('%s is protected, read whole or by its head', async (url) => {
    for (const method of ['GET', 'HEAD']) expect(unprotected((await raw(`${method} ${url}`)).headers), method).toEqual([]);
  });

  it('of every call is protected, refused without a session', async () => {
    const open: string[] = [];
    for (const call of app.kernel.registry.calls) {
      const { headers } = await app.send(call, { surplus: 1 });
      const missing = unprotected({ get: (name) => headers[name] });
      if (missing.length > 0 || !headers['content-security-policy']?.startsWith("default-src 'none'"))
        open.push(`${call.name}: ${missing}`);
    }
    expect(open).toEqual([]);
  });

  it.each(ODD)('%.40s is refused cleanly', async (line) => {
    const { status, headers, body } = await raw(line);
    expect(unprotected(headers)).toEqual([]);
    expect(status === 400 || status === 431, `${status} ${body}`).toBe(true);
    expect(JSON.parse(body)).toMatchObject({ code: expect.stringMatching(/^SCM900[24]0$/), data: null });
  });
});

describe('pages', () => {
  it.each(PAGES)('%s carries the policy and the configuration', async (url) => {
    const { status, headers, body } = await raw(`GET ${url}`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(pagePolicy(app.kernel.config));
    expect(body).toContain('"buildId":"b1"');
    expect(await raw(`HEAD ${url}`)).toMatchObject({ status: 200, body: '' });
  });

  it('reach their own host alone, the object store and the vendor only where they are configured', () => {
    const s3 = { endpoint: 'https://s3.example:9000/base', region: 'r', bucket: 'b', accessKeyId: 'a', secretAccessKey: 's' };
    const tencentIm = { sdkAppId: 1, secretKey: 'k', admin: 'a', callbackToken: 't', url: 'https://console.tim.qq.com' };
    const connect = (config: Parameters<typeof pagePolicy>[0]) => /connect-src ([^;]*)/.exec(pagePolicy(config))?.[1];
    expect(connect({ s3: null, tencentIm: null })).toBe("'self'");
    expect(connect({ s3, tencentIm: null })).toBe("'self' https://s3.example:9000");
    expect(connect({ s3: null, tencentIm })?.split(' ')).toEqual(
      expect.arrayContaining(["'self'", 'wss://*.im.qcloud.com', 'wss://*.rtc.qq.com', 'https://*.tim.qq.com']),
    );
    for (const config of [
      { s3: null, tencentIm: null },
      { s3, tencentIm },
    ]) {
      const policy = pagePolicy(config);
      for (const rule of ["base-uri 'none'", "form-action 'self'", "object-src 'none'", "script-src 'self';", "frame-ancestors 'self'"])
        expect(policy).toContain(rule);
      expect(policy).not.toMatch(/connect-src[^;]* (https?:|wss?:)( |;|$)/);
    }
  });
});
