import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { floorTypes } from '../../contract/floors/dictionaries.ts';
import { auditPage, previewPage, queryPageReleaseList } from '../../contract/releases/calls.ts';
import { releaseStates } from '../../contract/releases/states.ts';
import { auditor, editor } from '../testing/floors.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

describe('the demonstration of floors', () => {
  it('holds 74 floors of every type and 31 releases of every state', async () => {
    const { rows: types } = await sql<{ type: string; n: number }>`
      select floor_type as type, count(*)::int as n from content_floor group by floor_type`.execute(app.db);
    expect(types.map(({ type }) => type).toSorted()).toEqual([...floorTypes.codes].toSorted());
    expect(types.reduce((sum, { n }) => sum + n, 0)).toBe(74);
    const { rows: states } = await sql<{ state: string; n: number }>`
      select state, count(*)::int as n from content_page_release group by state`.execute(app.db);
    expect(states.map(({ state }) => state).toSorted()).toEqual(Object.keys(releaseStates.states).toSorted());
    expect(states.reduce((sum, { n }) => sum + n, 0)).toBe(31);
  });

  it('has things in its floors of medicines and doctors, and a release that can be approved', async () => {
    const as = await editor(app);
    const home = await app.ok(previewPage, { pageCode: 'MP_HOME', source: 'LIVE' }, { as });
    for (const type of ['GOODS', 'DOCTOR'])
      expect(
        home.floors.find(({ floorType }) => floorType === type)?.items.every(({ reason, objectName }) => reason === null && objectName),
      ).toBe(true);
    const waiting = (await app.ok(queryPageReleaseList, { pageCode: 'MP_MALL' }, { as })).find(({ state }) => state === 'AUDITING');
    const approve = { pageCode: 'MP_MALL' as const, action: 'approve' as const, releaseId: waiting?.id ?? '' };
    expect(await app.ok(auditPage, approve, { as: await auditor(app) })).toMatchObject({ state: 'LIVE' });
  });
});
