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
  await registerBrowser(app, testConfig(folder), { folder, buildId: 'b1' });
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

it.each([
  ['/corpus?diseaseId=1', 'text/html,application/xhtml+xml', true],
  ['/', '*/*', true],
  ['/corpus', undefined, true],
  ['/assets/gone-1a2b.js', '*/*', false],
  ['/admin/UserInfoService/unknown', '*/*', false],
  ['/administration', '*/*', true],
  ['/corpus', 'application/json', false],
])('%s for %s: %s', (url, accept, page) => expect(wantsPage(url, accept, ['/admin', '/gateway'])).toBe(page));
