import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { testConfig } from '#testing/testConfig.ts';
import { registerBrowser, wantsPage } from './browser.ts';

it('goes on with a build that was made under the running server', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-dist-'));
  const build = (name: string, seconds: number) => {
    rmSync(path.join(folder, 'assets'), { recursive: true, force: true });
    mkdirSync(path.join(folder, 'assets'));
    writeFileSync(path.join(folder, 'assets', `${name}.js`), `// ${name}`);
    writeFileSync(path.join(folder, 'index.html'), `<script type="application/json" id="kangqiao-config">{}</script>${name}`);
    utimesSync(path.join(folder, 'index.html'), seconds, seconds);
  };
  build('one', 1000);
  const app = fastify();
  registerBrowser(app, testConfig(folder), { folder, buildId: 'b1' });
  const get = async (url: string) => app.inject({ method: 'GET', url, headers: { accept: url.includes('assets') ? '*/*' : 'text/html' } });
  expect((await get('/corpus')).body).toContain('"buildId":"b1"');
  for (const encoding of ['gzip', 'identity']) {
    for (const url of ['/', '/assets/']) {
      const answer = await app.inject({ method: 'GET', url, headers: { accept: 'text/html', 'accept-encoding': encoding } });
      expect([answer.statusCode, answer.body.includes('"buildId":"b1"')], `${url} as ${encoding}`).toEqual([200, true]);
    }
  }
  expect((await get('/assets/one.js')).statusCode).toBe(200);
  writeFileSync(path.join(folder, 'wx.html'), `<script type="application/json" id="kangqiao-config">{}</script>participants`);
  expect((await get('/wx/consult?ticket=x')).body).toMatch(/"buildId":"b1".*participants/);
  expect((await get('/wx/other')).body).toContain('one');
  writeFileSync(path.join(folder, 'form.html'), `<script type="application/json" id="kangqiao-config">{}</script>questions`);
  expect((await get('/wx/form?token=x')).body).toMatch(/"buildId":"b1".*questions/);
  build('two', 2000);
  expect((await get('/corpus')).body).toContain('two');
  expect((await get('/assets/two.js')).body).toBe('// two');
  expect((await get('/assets/one.js')).statusCode).toBe(400);
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

it('answers files of the build alone, compressed for who takes it, once for who has them already', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-dist-'));
  mkdirSync(path.join(folder, 'assets'));
  mkdirSync(path.join(folder, '.vite'));
  const page = '<script type="application/json" id="kangqiao-config">{}</script>';
  const files = { 'index.html': page, 'logo.svg': '<svg/>', '.vite/manifest.json': '{}', 'assets/a.js': 'a', 'assets/a.js.gz': 'zipped' };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const app = fastify();
  registerBrowser(app, testConfig(folder), { folder, buildId: 'b1' });
  const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url, headers: { accept: 'application/json', ...headers } });
  for (const url of ['/.vite/manifest.json', '/assets/a.js.gz', '/assets//a.js', '/index.html', '/assets/b.js'])
    expect((await ask(url)).statusCode, url).toBe(400);
  const plain = await ask('/assets/a.js', { 'accept-encoding': 'br;q=0, gzip;q=0' });
  expect([plain.statusCode, plain.body, plain.headers['content-encoding']]).toEqual([200, 'a', undefined]);
  const zipped = await ask('/assets/a.js?1', { 'accept-encoding': 'deflate, gzip, br' });
  expect([zipped.body, zipped.headers['content-encoding'], zipped.headers['vary']]).toEqual(['zipped', 'gzip', 'accept-encoding']);
  expect([plain.headers['content-type'], zipped.headers['content-type']]).toEqual(Array(2).fill('text/javascript; charset=utf-8'));
  expect(zipped.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  const head = await ask('/assets/a.js', {}, 'HEAD');
  expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '1']);
  const logo = await ask('/logo.svg');
  expect([logo.headers['content-type'], logo.headers['cache-control']]).toEqual(['image/svg+xml', 'no-cache']);
  const again = await ask('/logo.svg', { 'if-none-match': `"other", W/${String(logo.headers['etag'])}` });
  expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', logo.headers['etag']]);
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each([
  ['/corpus?diseaseId=1', 'text/html,application/xhtml+xml', true],
  ['/', '*/*', true],
  ['/corpus', undefined, true],
  ['/assets/gone-1a2b.js', '*/*', false],
  ['/admin/UserInfoService/unknown', '*/*', false],
  ['/administration', '*/*', true],
  ['/corpus', 'application/json', false],
])('%s for %s: %s', (url, accept, page) => expect(wantsPage(url, accept, ['/admin', '/gateway'])).toBe(page));
