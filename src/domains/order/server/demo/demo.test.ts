import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryShieldGoodsList } from '../../contract/calls/shield.ts';
import { shieldScopes, shieldStatuses } from '../../contract/dictionaries.ts';
import { keeper } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

describe('the demonstration of hidden goods', () => {
  it('has twelve settings in each scope and each status, every one with its words and its editor', async () => {
    const { rows } = await app.ok(queryShieldGoodsList, { pageSize: 50 }, { as: await keeper(app) });
    expect(rows).toHaveLength(12);
    expect(new Set(rows.map(({ scope }) => scope))).toEqual(new Set(shieldScopes.codes));
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(shieldStatuses.codes));
    expect(rows.filter(({ goodsName, scopeWords, updatedBy }) => !goodsName || !scopeWords || !updatedBy)).toEqual([]);
  });
});
