import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryManualOrderList } from '../../contract/calls/manualOrders.ts';
import { queryShieldGoodsList } from '../../contract/calls/shield.ts';
import { querySupplierDetail, querySupplierList } from '../../contract/calls/supplier.ts';
import { licenceStates, shieldScopes, shieldStatuses } from '../../contract/dictionaries.ts';
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

describe('the demonstration of suppliers', () => {
  it('has nine in each state but drafts, with regions, goods and licences in each state', async () => {
    const as = await keeper(app);
    const { rows } = await app.ok(querySupplierList, { pageSize: 50, orderBy: 'supplierCode asc' }, { as });
    expect(rows.map(({ status }) => status)).toEqual([
      'ENABLED',
      'ENABLED',
      'ENABLED',
      'ENABLED',
      'PAUSED',
      'ENABLED',
      'PENDING_AUDIT',
      'REJECTED',
      'DISABLED',
    ]);
    expect(new Set(rows.map(({ licenceState }) => licenceState))).toEqual(new Set(licenceStates.codes));
    expect(rows.filter(({ regionCount, goodsCount, updatedBy }) => regionCount === 0 || goodsCount === 0 || !updatedBy)).toEqual([]);
    const cold = await app.ok(querySupplierDetail, { id: rows[1]!.id }, { as });
    expect(cold).toMatchObject({
      supplier: { coldChainCapable: true },
      included: [{ name: '上海市' }, { name: '江苏省' }],
      hasSecret: true,
      pauses: [{ state: 'WAITING' }],
    });
    expect(cold.trail.map(({ label, displayName }) => [label, displayName])).toEqual([
      ['提交审核', '魏来'],
      ['审核通过', '吕梁'],
    ]);
  });
});

describe('the demonstration of manual orders', () => {
  it('has twenty-four in each state in which they stay, some paid by cards, each done one with its order', async () => {
    const { rows } = await app.ok(queryManualOrderList, { pageSize: 50 }, { as: await keeper(app) });
    const countOf = (state: string) => rows.filter((row) => row.state === state).length;
    expect(['DRAFT', 'PENDING_REVIEW', 'REJECTED', 'FAILED', 'DONE', 'VOIDED'].map(countOf)).toEqual([5, 6, 3, 2, 6, 2]);
    expect(
      rows
        .filter(({ cardFen }) => cardFen > 0)
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(['DONE', 'PENDING_REVIEW']);
    expect(rows.filter(({ state, orderNo }) => (state === 'DONE') !== (orderNo !== null))).toEqual([]);
  });
});
