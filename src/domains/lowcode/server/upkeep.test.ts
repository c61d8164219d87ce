import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHospital } from '#domains/institution/server/testing/fixtures.ts';
import { own as identity } from '#domains/identity/server/database.ts';
import { jobContext } from '#testing/jobContext.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { runDatasetAction } from '../contract/calls/data.ts';
import * as pages from '../contract/calls/pages.ts';
import { saveDraft } from '../contract/calls/versions.ts';
import { own } from './database.ts';
import { findingsOf, nightlyJob } from './nightly.ts';
import { releasePage } from './pages/release.ts';
import { recheck } from './pages/health.ts';
import { makersOf, publishedPage, requestKey, withContact } from './testing/pages.ts';

let app: TestApp;
let editor: TestStaff;
let publisher: TestStaff;
let operator: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  ({ editor, publisher } = await makersOf(app));
  operator = await app.staff({ permissions: ['institution.hospital.view', 'institution.hospital.edit'] });
});
afterAll(() => app.close());

const of = (page: { token: string; versionId: string }) => ({
  pageToken: page.token,
  versionId: page.versionId,
  datasetCode: 'institution.hospital',
});
const save = (pageId: string, rowVersion: number, definition: unknown) =>
  app.ok(saveDraft, { pageId, rowVersion, definition: JSON.stringify(definition) }, { as: editor });
const publish = (input: object) => app.send(pages.publishPage, input, { as: publisher, idempotencyKey: requestKey() });

describe('every night', () => {
  const found = () => findingsOf(app.db, app.kernel.registry, app.clock.now());

  it('finds manifests that say another thing, acts outside of them, and pages that the catalogue has not', async () => {
    const page = await publishedPage(app, withContact);
    const hospital = await makeHospital(app);
    await app.ok(
      runDatasetAction,
      { ...of(page), action: 'contact', key: hospital.id, version: hospital.version, input: { phone: '0571-87065702' } },
      { as: operator },
    );
    const about = async () => (await found()).filter((line) => line.includes(page.token));
    expect(await about()).toEqual([]);
    // A check that lets something through is found too: here it knows the page that a sample links to.
    const { registry } = app.kernel;
    const admitted = async (routes = registry.routes) =>
      (await findingsOf(app.db, { ...registry, routes }, app.clock.now())).filter((line) => line.startsWith('L6'));
    expect(await admitted()).toEqual([]);
    expect(
      await admitted([...registry.routes, { ...registry.routes.find(({ path }) => path === '/hospitalList')!, path: '/nosuchpage' }]),
    ).toEqual(['L6 示例“未知页面”未按V09拒绝']);
    const version = own(app.db).updateTable('lowcodePageVersion').where('pageId', '=', page.id);
    await version.set({ manifest: JSON.stringify([{ datasetCode: 'institution.hospital', operations: ['list'] }]) }).execute();
    expect(await about()).toEqual([
      `L4 ${page.token} v1的使用清单与定义不符`,
      // Its form reads the hospital first, and that leaves no row.
      `L5 ${page.token}执行了清单之外的institution.hospital admin/HospitalService/modifyHospital（1次）`,
    ]);
    await expect(version.set({ definition: '{"type":"page"}' }).execute()).rejects.toThrow('no draft any more');
    await identity(app.db).deleteFrom('identityRouteCatalogue').where('routeKey', '=', page.token).execute();
    expect(await about()).toContain(`L7 ${page.token}已发布但不在路由目录`);
    await nightlyJob.run(
      {},
      jobContext(app, { traceId: 'nightly', transaction: (work) => app.kernel.transactions.run('lowcode.nightly', work) }),
    );
    const notices = await identity(app.db)
      .selectFrom('identityNotice')
      .select('title')
      .where('businessKey', 'like', 'lowcode.invariants:%')
      .execute();
    expect(notices).toHaveLength(1);
  });
});

describe('what ships with the code', () => {
  it('is published anew when it changed, lies beside where somebody wrote the page, and a broken page is told', async () => {
    const shipped = app.kernel.registry.builtinPages.find(({ token }) => token === 'tDrugstore')!;
    const release = (title: string) =>
      app.kernel.transactions.run('test', ({ tx }) =>
        releasePage(app.kernel, tx, { ...shipped, definition: { ...shipped.definition, title } }, app.clock.now()),
      );
    expect(await app.kernel.transactions.run('test', ({ tx }) => releasePage(app.kernel, tx, shipped, app.clock.now()))).toBe('same');
    expect(await release('甲')).toBe('published');
    const [row] = (await app.ok(pages.queryPageList, { token: 'tDrugstore' }, { as: publisher })).rows;
    const { versionId } = await app.ok(pages.editPage, { pageId: row!.id }, { as: editor });
    await save(row!.id, 1, { type: 'page', title: '手工', body: [] });
    await publish({ pageId: row!.id, versionId, rowVersion: 2, changeNote: '手工修改页面' });
    expect(await release('乙')).toBe('kept');
    const detail = await app.ok(pages.queryPageDetail, { id: row!.id }, { as: publisher });
    expect(detail.versions.map(({ origin, state }) => `${origin} ${state}`)).toEqual([
      'RELEASE ARCHIVED',
      'EDIT PUBLISHED',
      'RELEASE ARCHIVED',
      'RELEASE ARCHIVED',
    ]);

    const page = await publishedPage(app);
    await own(app.db).updateTable('lowcodePage').set({ health: 'OK' }).where('id', '=', page.id).execute();
    const without = { ...app.kernel, registry: { ...app.kernel.registry, datasets: new Map() } };
    const { broken } = await app.kernel.transactions.run('test', ({ tx }) => recheck(without, tx, app.clock.now()));
    expect(broken).toContainEqual({ routeKey: page.token, faults: 1 });
    expect((await app.ok(pages.recheckPages, {}, { as: editor })).broken).toEqual([]);
  });
});
