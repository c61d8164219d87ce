import { expect, it } from 'vitest';
import { wantsPage } from './browser.ts';

it.each([
  ['/corpus?diseaseId=1', 'text/html,application/xhtml+xml', true],
  ['/', '*/*', true],
  ['/corpus', undefined, true],
  ['/assets/gone-1a2b.js', '*/*', false],
  ['/admin/UserInfoService/unknown', '*/*', false],
  ['/administration', '*/*', true],
  ['/corpus', 'application/json', false],
])('%s for %s: %s', (url, accept, page) => expect(wantsPage(url, accept, ['/admin', '/gateway'])).toBe(page));
