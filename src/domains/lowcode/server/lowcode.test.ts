import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeHospital, openStore } from '#domains/institution/server/testing/fixtures.ts';
import { queryHospitalList } from '#domains/institution/contract/hospitalCalls.ts';
import { queryDrugstoreList } from '#domains/institution/contract/storeCalls.ts';
import { makeAgent, makeCompany, makeLine } from '#domains/pharma/server/testing/fixtures.ts';
import { enterMenu } from '#domains/identity/server/index.ts';
import { own as identity } from '#domains/identity/server/database.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { exportDataset, queryDataset, queryPageByToken, revealDatasetValue, runDatasetAction } from '../contract/calls/data.ts';
import * as pages from '../contract/calls/pages.ts';
import { checkDefinition, compareVersion, saveDraft } from '../contract/calls/versions.ts';
import { own } from './database.ts';
import { hashOf } from './stored.ts';
import { billLines, listDefinition, makePage, makersOf, pageVersion, publishedPage, requestKey, withContact } from './testing/pages.ts';

let app: TestApp;
let editor: TestStaff;
let publisher: TestStaff;
/** Sees and changes hospitals, writes no pages. */
let operator: TestStaff;
/** Sees hospitals alone. */
let viewer: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  ({ editor, publisher } = await makersOf(app));
  operator = await app.staff({
    permissions: [
      'institution.hospital.view',
      'institution.hospital.edit',
      'institution.hospital.export',
      'institution.store.view',
      'institution.store.edit',
    ],
  });
  viewer = await app.staff({ permissions: ['institution.hospital.view'] });
});
afterAll(() => app.close());

const of = (page: { token: string; versionId: string }) => ({
  pageToken: page.token,
  versionId: page.versionId,
  datasetCode: 'institution.hospital',
});
const save = (pageId: string, rowVersion: number, definition: unknown, as = editor) =>
  app.ok(saveDraft, { pageId, rowVersion, definition: JSON.stringify(definition) }, { as });
const publish = (input: object, as = publisher) => app.send(pages.publishPage, input, { as, idempotencyKey: requestKey() });

describe('opening', () => {
  it('answers the same for a page that is unknown, offline or not the user’s', async () => {
    const page = await publishedPage(app);
    const stranger = await app.staff({ permissions: ['files.object.remove'] });
    const answers = [await app.refused(queryPageByToken, { token: 'nosuchpage' }, { as: viewer })];
    answers.push(await app.refused(queryPageByToken, { token: page.token }, { as: stranger }));
    expect(await app.ok(queryPageByToken, { token: page.token }, { as: viewer })).toMatchObject({ versionNo: 1 });
    const version = await pageVersion(app, page.id);
    await app.ok(pages.offlinePage, { id: page.id, version, opinion: '不再使用' }, { as: publisher });
    answers.push(await app.refused(queryPageByToken, { token: page.token }, { as: viewer }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: 'SCM90040' });
  });

  it('leaves out what the user may not do, and counts openings', async () => {
    const page = await publishedPage(app, withContact);
    const seen = await app.ok(queryPageByToken, { token: page.token, opened: true }, { as: viewer });
    expect(JSON.stringify(seen.definition)).not.toContain('action.contact');
    expect(seen.datasets[0]?.actions).toEqual([]);
    const full = await app.ok(queryPageByToken, { token: page.token, opened: true }, { as: operator });
    expect(JSON.stringify(full.definition)).toContain('action.contact');
    expect(full.datasets[0]?.actions).toMatchObject([{ code: 'contact', permission: 'institution.hospital.edit' }]);
    const { rows } = await app.ok(pages.queryPageList, { token: page.token }, { as: publisher });
    expect(rows).toMatchObject([{ views30d: 2 }]);
  });
});

describe('data of a page', () => {
  it('refuses what the page does not name, filters, orders and sizes that the dataset has not', async () => {
    const page = await publishedPage(app);
    const ask = (more: object, as = operator) => app.refused(queryDataset, { ...of(page), operation: 'list', ...more }, { as });
    expect(await ask({ datasetCode: 'institution.drugstore' })).toMatchObject({ code: 'SCM03031' });
    expect(await ask({ operation: 'stat.city' })).toMatchObject({ code: 'SCM03031' });
    expect(await ask({ filters: { nokey: 'x' } })).toMatchObject({ code: 'SCM03032', message: '筛选条件不支持：nokey' });
    expect(await ask({ orderBy: 'region asc' })).toMatchObject({ code: 'SCM03033' });
    expect(await ask({ pageSize: 500 })).toMatchObject({ code: 'SCM90020' });
    expect(await ask({ versionId: '999999' })).toMatchObject({ code: 'SCM03030' });
    expect(await ask({ pageToken: 'nosuchpage' })).toMatchObject({ code: 'SCM90040' });
    const forged = await app.refused(runDatasetAction, { ...of(page), action: 'contact', key: '1' }, { as: operator });
    expect(forged).toMatchObject({ code: 'SCM03031' });
    const settler = await app.staff({ permissions: ['card.card.view', 'institution.hospital.view'] });
    const lines = { ...of(await publishedPage(app, billLines)), datasetCode: 'tHmoCardSettlement.line', operation: 'list' };
    expect(await app.refused(queryDataset, lines, { as: settler })).toMatchObject({
      code: 'SCM03034',
      message: '请先填写筛选条件：结算单',
    });
  });

  it('equals the ordinary list, within the user’s scope, with words beside the values', async () => {
    const there = await makeHospital(app, { phone: '0571-87065701' });
    await makeHospital(app, { adcode: '310104' });
    const page = await publishedPage(app);
    const local = await app.staff({ permissions: ['institution.hospital.view'], scope: { region: ['310000'] } });
    for (const reader of [local, viewer]) {
      const list = await app.ok(queryHospitalList, { pageSize: 100 }, { as: reader });
      const shown = await app.ok(queryDataset, { ...of(page), operation: 'list', pageSize: 100 }, { as: reader });
      expect(shown.items.map(({ id }) => id)).toEqual(list.rows.map(({ id }) => id));
      expect(shown.total).toBe(list.total);
    }
    const { items } = await app.ok(
      queryDataset,
      { ...of(page), operation: 'list', filters: { hospitalNo: there.hospitalNo } },
      { as: viewer },
    );
    expect(items).toMatchObject([{ levelText: '三级甲等', stateText: '启用', allowedActions: [] }]);
  });

  it('acts by the owner’s call: rights, state, version and log are its own', async () => {
    const page = await publishedPage(app, withContact);
    const hospital = await makeHospital(app);
    const act = { ...of(page), action: 'contact', key: hospital.id, version: hospital.version, input: { phone: '0571-87065701' } };
    expect(await app.refused(runDatasetAction, act, { as: viewer })).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(runDatasetAction, { ...act, input: { phone: 'abc' } }, { as: operator })).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'phone', message: '电话格式不正确' }],
    });
    await app.ok(runDatasetAction, { ...act, idempotencyKey: 'act-once-1' }, { as: operator });
    await app.ok(runDatasetAction, { ...act, idempotencyKey: 'act-once-1' }, { as: operator });
    expect(await app.refused(runDatasetAction, act, { as: operator })).toMatchObject({ code: 'SCM90030' });
    const { items } = await app.ok(
      queryDataset,
      { ...of(page), operation: 'list', filters: { hospitalNo: hospital.hospitalNo } },
      { as: operator },
    );
    expect(items).toMatchObject([
      { phone: '0571-87065701', version: hospital.version + 1, name: hospital.name, allowedActions: ['contact'] },
    ]);
    const rows = await identity(app.db)
      .selectFrom('identityOperationLog')
      .select(['call', 'resultCode', 'pageToken', 'datasetCode'])
      .where('pageToken', '=', page.token)
      .orderBy('id')
      .execute();
    const row = { call: 'admin/HospitalService/modifyHospital', pageToken: page.token, datasetCode: 'institution.hospital' };
    expect(rows).toMatchObject([
      { ...row, resultCode: 'SCM90010' },
      // The repeated request was answered what the first was.
      { ...row, resultCode: '0000000' },
      { ...row, resultCode: 'SCM90030' },
    ]);
  });

  it('offers no act in a state that forbids it, and the owner refuses a forged one', async () => {
    const definition = {
      type: 'page',
      body: [
        {
          type: 'form',
          api: { url: '/ds/pharma.company/action.disable', data: { key: '${id}', version: '${version}', opinion: '${opinion}' } },
          body: [{ type: 'textarea', name: 'opinion', label: '原因' }],
        },
        { type: 'crud', api: '/ds/pharma.company/list', placeholder: '无', columns: [{ name: 'name', label: '名称' }] },
        { type: 'kq-timeline', dataset: 'pharma.company' },
        { type: 'form', body: [{ type: 'kq-picker', name: 'company', dataset: 'pharma.company', options: 'company' }] },
      ],
    };
    const page = { ...(await publishedPage(app, definition)), datasetCode: 'pharma.company' };
    const place = { ...of(page), datasetCode: 'pharma.company' };
    const company = await makeCompany(app);
    const as = await app.staff({ permissions: ['institution.hospital.view', 'pharma.company.view', 'pharma.company.state'] });
    const act = { ...place, action: 'disable', key: company.id, opinion: '资质到期' };
    const row = async () =>
      (await app.ok(queryDataset, { ...place, operation: 'list', filters: { name: company.name } }, { as })).items[0] ?? {};
    expect(await row()).toMatchObject({ allowedActions: ['disable'] });
    await app.ok(runDatasetAction, { ...act, version: Number((await row())['version']) }, { as });
    const stopped = await row();
    expect(stopped).toMatchObject({ allowedActions: ['enable'], stateText: '已停用' });
    const again = await app.refused(runDatasetAction, { ...act, version: Number(stopped['version']) }, { as });
    expect(again).toMatchObject({ code: 'SCM90031' });
    const detail = await app.ok(queryDataset, { ...place, operation: 'detail', key: company.id }, { as });
    expect(detail.items).toMatchObject([
      { name: company.name, trail: expect.arrayContaining([expect.objectContaining({ label: '停用', opinion: '资质到期' })]) },
    ]);
    const options = await app.ok(queryDataset, { ...place, operation: 'options.company', filters: { keyword: company.name } }, { as });
    expect(options.items).toEqual([{ value: company.id, label: company.name }]);
  });

  it('tells of each record of a batch, and refuses one that is too large', async () => {
    const definition = {
      type: 'page',
      body: [
        {
          type: 'button',
          label: '设置',
          actionType: 'dialog',
          dialog: {
            body: {
              type: 'form',
              api: {
                url: '/ds/institution.drugstore/action.batchHours',
                data: { keys: '${ids}', days: '${days}', from: '${from}', to: '${to}' },
              },
              body: [
                { type: 'input-text', name: 'from' },
                { type: 'input-text', name: 'to' },
                { type: 'checkboxes', name: 'days' },
              ],
            },
          },
        },
      ],
    };
    const page = await publishedPage(app, definition);
    const stores = [await openStore(app), await openStore(app)];
    const act = {
      ...of(page),
      datasetCode: 'institution.drugstore',
      action: 'batchHours',
      input: { days: ['1'], from: '09:00', to: '21:00' },
    };
    const many = Array.from({ length: 201 }, (_, at) => String(at + 1));
    expect(await app.refused(runDatasetAction, { ...act, keys: many }, { as: operator })).toMatchObject({ code: 'SCM03035' });
    const keys = [...stores.map(({ id }) => id), '999999999'];
    const sent = { ...act, keys, idempotencyKey: 'batch-hours-once' };
    expect(await app.ok(runDatasetAction, sent, { as: operator })).toMatchObject({
      done: 2,
      failed: 1,
      message: '成功2条，失败1条',
      outcomes: [{ code: '0000000' }, { code: '0000000' }, { key: '999999999', code: 'SCM90040' }],
    });
    // Sent again, it is answered what the first was, and no record is touched again.
    const versions = async () =>
      (await app.ok(queryDrugstoreList, { pageSize: 100 }, { as: operator })).rows
        .filter(({ id }) => stores.some((store) => store.id === id))
        .map(({ version }) => version);
    const before = await versions();
    expect(await app.ok(runDatasetAction, sent, { as: operator })).toMatchObject({ done: 2, failed: 1 });
    expect(await versions()).toEqual(before);
    const other = { ...sent, input: { ...act.input, to: '22:00' } };
    expect(await app.ok(runDatasetAction, other, { as: operator })).toMatchObject({
      done: 0,
      outcomes: [{ code: 'SCM90050' }, { code: 'SCM90050' }, { key: '999999999' }],
    });
  });

  it('shows a sensitive value masked, in the export too, and in the clear to who may, leaving a row', async () => {
    const definition = {
      type: 'page',
      body: [
        { type: 'kq-export', dataset: 'pharma.agent' },
        { type: 'kq-reveal', name: 'mobile', dataset: 'pharma.agent', column: 'mobile' },
        { type: 'crud', api: '/ds/pharma.agent/list', placeholder: '无', columns: [{ name: 'mobile', label: '手机号' }] },
      ],
    };
    const page = { ...(await publishedPage(app, definition)), datasetCode: 'pharma.agent' };
    const place = { ...of(page), datasetCode: 'pharma.agent' };
    const company = await makeCompany(app);
    const agent = await makeAgent(app, company.id, (await makeLine(app, company.id)).id, { mobile: '13912345678' });
    const rights = ['institution.hospital.view', 'pharma.agent.view', 'pharma.agent.export'];
    const [plain, revealer] = [
      await app.staff({ permissions: rights }),
      await app.staff({ permissions: [...rights, 'pharma.sensitive.reveal'] }),
    ];
    const row = async (as: TestStaff) =>
      (await app.ok(queryDataset, { ...place, operation: 'list', filters: { agentNo: agent.agentNo } }, { as })).items;
    expect(await row(plain)).toMatchObject([{ mobile: '139****5678', mobileReveal: false }]);
    expect(await row(revealer)).toMatchObject([{ mobileReveal: true }]);
    const ask = { ...place, column: 'mobile', key: agent.id };
    expect(await app.refused(revealDatasetValue, ask, { as: plain })).toMatchObject({ code: 'SCM90010' });
    expect(await app.ok(revealDatasetValue, ask, { as: revealer })).toEqual({ value: '13912345678' });
    const { body } = await app.file(exportDataset, { ...place, format: 'CSV' }, { as: plain });
    expect(body.toString()).toContain('139****5678');
    const revealed = await identity(app.db)
      .selectFrom('identityOperationLog')
      .select('kind')
      .where('pageToken', '=', page.token)
      .where('kind', '=', 'REVEAL')
      .where('resultCode', '=', '0000000')
      .execute();
    expect(revealed).toHaveLength(1);
  });
});

describe('writing a page', () => {
  it('refuses tokens that are taken, reserved or malformed, and rights that nobody declared', async () => {
    const { token } = await publishedPage(app);
    const add = (input: object) => app.refused(pages.addPage, { title: '页', ...input }, { as: editor });
    for (const taken of ['login', 'tHospital', token.toUpperCase()])
      expect(await add({ token: taken })).toMatchObject({ code: 'SCM03001' });
    for (const bad of ['claimAudit!', '1abc', 'ab']) expect(await add({ token: bad })).toMatchObject({ code: 'SCM03002' });
    expect(await add({ token: 'rightless', permission: 'none.such.right' })).toMatchObject({ code: 'SCM03003' });
  });

  it('keeps a draft with errors, publishes none, and asks for a note and a second person', async () => {
    const page = await makePage(app);
    expect(await app.refused(saveDraft, { pageId: page.id, rowVersion: 1, definition: '{"type":' }, { as: editor })).toMatchObject({
      code: 'SCM03010',
    });
    const nodes = { type: 'page', body: Array.from({ length: 10_000 }, () => ({ type: 'divider' })) };
    expect(
      await app.refused(saveDraft, { pageId: page.id, rowVersion: 1, definition: JSON.stringify(nodes) }, { as: editor }),
    ).toMatchObject({
      code: 'SCM03011',
      data: { pointer: '/body/4998' },
    });
    const large = await app.refused(checkDefinition, { definition: 'x'.repeat(5 * 1024 * 1024) }, { as: editor });
    expect(large).toMatchObject({ code: 'SCM90020', fields: [{ path: 'body' }] });
    const saved = await save(page.id, 1, { type: 'page', body: [{ type: 'script' }] });
    expect(saved.problems).toMatchObject([{ code: 'V02', pointer: '/body/0/type' }]);
    const wish = { pageId: page.id, versionId: page.versionId, changeNote: '更新页面内容' };
    expect((await publish({ ...wish, rowVersion: 2 })).envelope).toMatchObject({
      code: 'SCM03012',
      message: '定义校验未通过（1处错误），请修改后发布',
    });
    await save(page.id, 2, listDefinition());
    expect((await publish({ ...wish, rowVersion: 3, changeNote: '短' })).envelope).toMatchObject({ code: 'SCM03013' });
    expect((await publish({ ...wish, rowVersion: 2 })).envelope).toMatchObject({ code: 'SCM90030' });
    const both = await app.staff({ permissions: ['lowcode.page.edit', 'lowcode.page.publish'] });
    await save(page.id, 3, listDefinition(), both);
    expect((await publish({ ...wish, rowVersion: 4 }, both)).envelope).toMatchObject({ code: 'SCM03014' });
    expect((await publish({ ...wish, rowVersion: 4 })).envelope).toMatchObject({ code: '0000000' });
  });

  it('makes the publisher look at acts that he may not do himself, and gives him none of them', async () => {
    const page = await makePage(app, withContact);
    const bare = await app.staff({ permissions: ['lowcode.page.publish', 'institution.hospital.view'] });
    const wish = { pageId: page.id, versionId: page.versionId, rowVersion: 1, changeNote: '新增修改按钮' };
    expect((await publish(wish, bare)).envelope).toMatchObject({ code: 'SCM03015', data: { names: ['医院·修改联系方式'] } });
    expect((await publish({ ...wish, confirmActions: true }, bare)).envelope).toMatchObject({ code: '0000000' });
    const logged = await identity(app.db)
      .selectFrom('identityOperationLog')
      .select('diff')
      .where('targetId', '=', page.id)
      .where('label', '=', '发布低代码页面')
      .where('resultCode', '=', '0000000')
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(logged.diff)).toContain('医院·修改联系方式');
    const hospital = await makeHospital(app);
    const act = { ...of(page), action: 'contact', key: hospital.id, version: 1, input: {} };
    expect(await app.refused(runDatasetAction, act, { as: bare })).toMatchObject({ code: 'SCM90010' });
  });

  it('refuses the second of two editors with what the first wrote, and one of two publications at once', async () => {
    const page = await makePage(app);
    await save(page.id, 1, listDefinition({ title: '甲' }));
    const other = await app.staff({ permissions: ['lowcode.page.edit'] });
    const second = await app.refused(
      saveDraft,
      { pageId: page.id, rowVersion: 1, definition: JSON.stringify(listDefinition({ title: '乙' })) },
      { as: other },
    );
    expect(second).toMatchObject({ code: 'SCM90030', data: { current: { version: 2, definition: expect.stringContaining('甲') } } });
    const wish = { pageId: page.id, versionId: page.versionId, rowVersion: 2, changeNote: '首次发布页面' };
    const codes = (await Promise.all([publish(wish), publish(wish)])).map(({ envelope }) => envelope.code).toSorted();
    expect(codes[0]).toBe('0000000');
    expect(codes[1]).toMatch(/^SCM(90030|90031|90040)$/);
    const published = await own(app.db)
      .selectFrom('lowcodePageVersion')
      .select('id')
      .where('pageId', '=', page.id)
      .where('state', '=', 'PUBLISHED')
      .execute();
    expect(published).toHaveLength(1);
  });

  it('rolls back to an old version as a new one, and to nothing that is the same or broken', async () => {
    const page = await publishedPage(app);
    const { versionId } = await app.ok(pages.editPage, { pageId: page.id }, { as: editor });
    await save(page.id, 1, withContact);
    await publish({ pageId: page.id, versionId, rowVersion: 2, changeNote: '增加联系表单' });
    const difference = await app.ok(compareVersion, { versionIdA: page.versionId, versionIdB: versionId }, { as: publisher });
    expect(difference.operations).toMatchObject([{ operation: 'action.contact', added: true, writes: true }]);
    expect(difference.changes).toMatchObject([{ op: 'add', pointer: '/body/1' }]);
    const back = async (id: string) =>
      (
        await app.send(
          pages.rollbackPage,
          { pageId: page.id, versionId: id, version: await pageVersion(app, page.id), changeNote: '回到旧的版本' },
          { as: publisher, idempotencyKey: requestKey() },
        )
      ).envelope;
    expect(await back(versionId)).toMatchObject({ code: 'SCM03017' });
    // A reader of the version before the published one is answered for a minute; he writes nothing any more.
    const reads = { ...of(page), operation: 'list' };
    await app.ok(queryDataset, reads, { as: viewer });
    expect(await back(page.versionId)).toMatchObject({ code: '0000000', data: { versionNo: 3 } });
    const old = { pageToken: page.token, versionId, datasetCode: 'institution.hospital' };
    await app.ok(queryDataset, { ...old, operation: 'list' }, { as: viewer });
    expect(await app.refused(runDatasetAction, { ...old, action: 'contact', key: '1' }, { as: operator })).toMatchObject({
      code: 'SCM03030',
    });
    await app.advance(61_000);
    expect(await app.refused(queryDataset, { ...old, operation: 'list' }, { as: viewer })).toMatchObject({ code: 'SCM03030' });
    const hashes = await own(app.db)
      .selectFrom('lowcodePageVersion')
      .select(['versionNo', 'definitionHash', 'state'])
      .where('pageId', '=', page.id)
      .orderBy('versionNo')
      .execute();
    expect(hashes[2]).toMatchObject({ state: 'PUBLISHED', definitionHash: hashes[0]?.definitionHash });
    expect(hashes.map(({ state }) => state)).toEqual(['ARCHIVED', 'ARCHIVED', 'PUBLISHED']);
  });

  it('does not roll back to what names a column that is gone, and takes nothing off that a menu shows', async () => {
    const page = await publishedPage(app);
    const gone = listDefinition({
      body: [{ type: 'crud', api: '/ds/institution.hospital/list', columns: [{ name: 'gone', label: '旧列' }] }],
    });
    const old = await own(app.db)
      .insertInto('lowcodePageVersion')
      .values({
        pageId: page.id,
        versionNo: 2,
        state: 'ARCHIVED',
        definition: JSON.stringify(gone),
        definitionHash: hashOf(gone),
        origin: 'EDIT',
        editedAt: app.clock.now(),
        archivedAt: app.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const version = await pageVersion(app, page.id);
    const back = { pageId: page.id, versionId: old.id, version, changeNote: '回到旧的版本' };
    const { envelope } = await app.send(pages.rollbackPage, back, { as: publisher, idempotencyKey: requestKey() });
    expect(envelope).toMatchObject({ code: 'SCM03016' });
    await app.kernel.transactions.run('test', ({ tx }) => enterMenu(tx, { routeKey: page.token, under: '1:机构与药品' }, app.clock.now()));
    const off = { id: page.id, version, opinion: '不再使用' };
    expect(await app.refused(pages.offlinePage, off, { as: publisher })).toMatchObject({
      code: 'SCM03019',
      message: '仍有菜单使用该页面：探查页面',
    });
  });

  it('previews with the draft what it may read, and writes nothing', async () => {
    const page = await makePage(app, withContact);
    const hospital = await makeHospital(app);
    const both = await app.staff({ permissions: ['lowcode.page.edit', 'institution.hospital.view', 'institution.hospital.edit'] });
    await app.ok(queryDataset, { ...of(page), operation: 'list' }, { as: both });
    const act = { ...of(page), action: 'contact', key: hospital.id, version: 1, input: { phone: '0571-87065701' } };
    expect(await app.refused(runDatasetAction, act, { as: both })).toMatchObject({ code: 'SCM03036' });
    expect(await app.refused(queryDataset, { ...of(page), operation: 'list' }, { as: viewer })).toMatchObject({ code: 'SCM90040' });
  });

  it('keeps builtin pages online and locked pages as they are', async () => {
    const { rows } = await app.ok(pages.queryPageList, { token: 'tHospital' }, { as: publisher });
    const builtin = rows[0]!;
    expect(builtin).toMatchObject({
      builtin: true,
      state: 'ONLINE',
      publishedNo: 1,
      health: 'OK',
      permission: 'institution.hospital.view',
    });
    expect(
      await app.refused(pages.offlinePage, { id: builtin.id, version: builtin.version, opinion: '下线' }, { as: publisher }),
    ).toMatchObject({ code: 'SCM03018' });
    const page = await makePage(app);
    await app.ok(pages.lockPage, { id: page.id, version: 1, opinion: '封版' }, { as: publisher });
    expect(await app.refused(saveDraft, { pageId: page.id, rowVersion: 1, definition: '{"type":"page"}' }, { as: editor })).toMatchObject({
      code: 'SCM03020',
    });
    await app.ok(pages.unlockPage, { id: page.id, version: 2, opinion: '解封' }, { as: publisher });
    await save(page.id, 1, listDefinition());
  });
});
