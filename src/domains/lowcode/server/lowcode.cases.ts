import { makeHospital } from '#domains/institution/server/testing/fixtures.ts';
import { makeAgent, makeCompany, makeLine } from '#domains/pharma/server/testing/fixtures.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import * as data from '../contract/calls/data.ts';
import * as datasets from '../contract/calls/datasets.ts';
import * as pages from '../contract/calls/pages.ts';
import * as versions from '../contract/calls/versions.ts';
import { freshToken, listDefinition, makePage, makersOf, pageVersion, publishedPage } from './testing/pages.ts';

const NONE = '999999999';
const opinion = '测试意见';
const text = JSON.stringify(listDefinition());
const note = '更新页面内容';
const reader = {
  permissions: ['institution.hospital.view', 'institution.hospital.edit', 'institution.hospital.export', 'lowcode.page.view'],
};

/** Published twice: the first version lies in the archive. */
async function twice(app: TestApp) {
  const page = await publishedPage(app);
  const { editor, publisher } = await makersOf(app);
  const { versionId } = await app.ok(pages.editPage, { pageId: page.id }, { as: editor });
  await app.ok(
    versions.saveDraft,
    { pageId: page.id, rowVersion: 1, definition: JSON.stringify(listDefinition({ title: '二' })) },
    { as: editor },
  );
  await app.ok(
    pages.publishPage,
    { pageId: page.id, versionId, rowVersion: 2, changeNote: note },
    { as: publisher, idempotencyKey: `case-${page.id}-second` },
  );
  return { pageId: page.id, first: page.versionId, version: await pageVersion(app, page.id) };
}

async function offline(app: TestApp) {
  const { pageId, first, version } = await twice(app);
  await app.ok(pages.offlinePage, { id: pageId, version, opinion }, { as: (await makersOf(app)).publisher });
  return { pageId, versionId: first, version: version + 1 };
}

const judged = (call: typeof pages.offlinePage, make: (app: TestApp) => Promise<string>) =>
  callCase(
    call,
    async (app) => {
      const id = await make(app);
      return { id, version: await pageVersion(app, id), opinion };
    },
    { foreign: async () => ({ id: NONE, version: 1, opinion }) },
  );

async function openedIn(app: TestApp, definition: unknown = listDefinition()) {
  const { token, versionId } = await publishedPage(app, definition);
  return { pageToken: token, versionId, datasetCode: 'institution.hospital' };
}

const exporting = listDefinition({
  body: [{ type: 'kq-export', dataset: 'institution.hospital' }, ...listDefinition().body],
});
const contact = listDefinition({
  body: [
    {
      type: 'form',
      api: { url: '/ds/institution.hospital/action.contact', data: { key: '${id}', version: '${version}', phone: '${phone}' } },
      body: [{ type: 'input-text', name: 'phone', label: '电话' }],
    },
  ],
});

async function companyWithLine(app: TestApp) {
  const company = await makeCompany(app);
  return { company, line: await makeLine(app, company.id) };
}
const agentDefinition = {
  type: 'page',
  body: [
    {
      type: 'crud',
      api: '/ds/pharma.agent/list',
      placeholder: '没有数据',
      columns: [
        { name: 'agentNo', label: '编号' },
        { name: 'mobile', label: '手机号', type: 'kq-reveal', dataset: 'pharma.agent', column: 'mobile' },
      ],
    },
  ],
};

export const lowcodeCases: readonly CallCase[] = [
  callCase(pages.queryPageList, async (app) => {
    await makePage(app);
    return {};
  }),
  callCase(pages.exportPageList, async (app) => {
    await makePage(app);
    return {};
  }),
  callCase(pages.queryPageDetail, async (app) => ({ id: (await makePage(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(versions.queryPageVersion, async (app) => ({ versionId: (await makePage(app)).versionId }), {
    foreign: async () => ({ versionId: NONE }),
  }),
  callCase(pages.addPage, async () => ({ token: freshToken(), title: '新页面' })),
  callCase(pages.importPage, async () => ({ token: freshToken(), title: '导入页面', definition: text })),
  callCase(
    pages.modifyPage,
    async (app) => {
      const { id, token } = await makePage(app);
      return { id, version: 1, token, title: '改名' };
    },
    { foreign: async () => ({ id: NONE, version: 1, token: freshToken(), title: '改名' }) },
  ),
  callCase(pages.editPage, async (app) => ({ pageId: (await publishedPage(app)).id }), { foreign: async () => ({ pageId: NONE }) }),
  callCase(versions.saveDraft, async (app) => ({ pageId: (await makePage(app)).id, rowVersion: 1, definition: text }), {
    foreign: async () => ({ pageId: NONE, rowVersion: 1, definition: text }),
  }),
  callCase(versions.checkDefinition, async () => ({ definition: text })),
  callCase(
    pages.publishPage,
    async (app) => {
      const { id, versionId } = await makePage(app);
      return { pageId: id, versionId, rowVersion: 1, changeNote: note };
    },
    { foreign: async () => ({ pageId: NONE, versionId: NONE, rowVersion: 1, changeNote: note }) },
  ),
  callCase(
    pages.rollbackPage,
    async (app) => {
      const { pageId, first, version } = await twice(app);
      return { pageId, versionId: first, version, changeNote: note };
    },
    { foreign: async () => ({ pageId: NONE, versionId: NONE, version: 1, changeNote: note }) },
  ),
  callCase(pages.onlinePage, async (app) => ({ ...(await offline(app)), changeNote: note }), {
    foreign: async () => ({ pageId: NONE, versionId: NONE, version: 1, changeNote: note }),
  }),
  callCase(
    pages.discardDraft,
    async (app) => {
      const { id, versionId } = await makePage(app);
      return { pageId: id, versionId, rowVersion: 1 };
    },
    { foreign: async () => ({ pageId: NONE, versionId: NONE, rowVersion: 1 }) },
  ),
  judged(pages.offlinePage, async (app) => (await publishedPage(app)).id),
  judged(pages.removePage, async (app) => (await makePage(app)).id),
  judged(pages.lockPage, async (app) => (await makePage(app)).id),
  judged(pages.unlockPage, async (app) => {
    const { id } = await makePage(app);
    await app.ok(pages.lockPage, { id, version: 1, opinion }, { as: (await makersOf(app)).publisher });
    return id;
  }),
  callCase(pages.exportPage, async (app) => ({ id: (await makePage(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(pages.leasePage, async (app) => ({ pageId: (await makePage(app)).id }), { foreign: async () => ({ pageId: NONE }) }),
  callCase(pages.recheckPages, async () => ({})),
  callCase(
    versions.compareVersion,
    async (app) => ({ versionIdA: (await makePage(app)).versionId, versionIdB: (await makePage(app)).versionId }),
    { foreign: async () => ({ versionIdA: NONE, versionIdB: NONE }) },
  ),
  callCase(datasets.queryDatasetList, async () => ({})),
  callCase(datasets.queryDatasetDetail, async () => ({ code: 'institution.hospital' }), { foreign: async () => ({ code: 'none' }) }),
  callCase(data.queryPageByToken, async (app) => ({ token: (await publishedPage(app)).token }), {
    as: reader,
    foreign: async () => ({ token: 'nosuchpage' }),
  }),
  callCase(data.queryDataset, async (app) => ({ ...(await openedIn(app)), operation: 'list' }), {
    as: reader,
    foreign: async () => ({ pageToken: 'nosuchpage', versionId: NONE, datasetCode: 'institution.hospital', operation: 'list' }),
  }),
  callCase(
    data.runDatasetAction,
    async (app) => {
      const { id, version } = await makeHospital(app);
      return { ...(await openedIn(app, contact)), action: 'contact', key: id, version, input: { phone: '0571-87065701' } };
    },
    {
      as: reader,
      foreign: async (app) => ({ ...(await openedIn(app, contact)), action: 'contact', key: NONE, version: 1, input: {} }),
    },
  ),
  callCase(
    data.exportDataset,
    async (app) => {
      await makeHospital(app);
      return openedIn(app, exporting);
    },
    { as: reader, foreign: async () => ({ pageToken: 'nosuchpage', versionId: NONE, datasetCode: 'institution.hospital' }) },
  ),
  callCase(
    data.revealDatasetValue,
    async (app) => {
      const { company, line } = await companyWithLine(app);
      const agent = await makeAgent(app, company.id, line.id);
      const { token, versionId } = await publishedPage(app, agentDefinition);
      return { pageToken: token, versionId, datasetCode: 'pharma.agent', column: 'mobile', key: agent.id };
    },
    {
      as: { permissions: [...reader.permissions, 'pharma.agent.view', 'pharma.sensitive.reveal'] },
      foreign: async () => ({ pageToken: 'nosuchpage', versionId: NONE, datasetCode: 'pharma.agent', column: 'mobile', key: NONE }),
    },
  ),
];
