import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  addQueryView,
  exportQueryTable,
  modifyQueryView,
  queryDatasetList,
  queryTableData,
  queryViewList,
  queryViewRecipientOptions,
  removeQueryView,
  shareQueryView,
} from '../../contract/calls/query.ts';
import { queryPermissions as may } from '../../contract/permissions.ts';
import { serial } from '../testing/fixtures.ts';
import { coveredPerson } from '../testing/orders.ts';

const none = { id: '999999999', version: 1 };
const config = { columns: [{ key: 'policyNo' }, { key: 'holderName' }] };
const question = { dataset: 'policy', config } as const;
const wish = () => ({ ...question, viewName: `月度清单${serial()}` });

/** A view of whoever makes the call. */
async function aView(app: TestApp, as: TestStaff | null) {
  const { id, version } = await app.ok(addQueryView, wish(), as ? { as } : {});
  return { id, version };
}
const sharer = { permissions: [may['query.view'].code, may['query.share'].code] };

export const queryCases: readonly CallCase[] = [
  callCase(queryDatasetList, async () => ({})),
  callCase(queryTableData, async (app) => {
    await coveredPerson(app);
    return question;
  }),
  callCase(exportQueryTable, async (app) => {
    await coveredPerson(app);
    return question;
  }),
  callCase(queryViewList, async (app, as) => {
    await aView(app, as);
    return {};
  }),
  callCase(queryViewRecipientOptions, async () => ({})),
  callCase(addQueryView, async () => wish()),
  callCase(modifyQueryView, async (app, as) => ({ ...(await aView(app, as)), viewName: `改名${serial()}`, config }), {
    foreign: async () => ({ ...none, viewName: '改名', config }),
  }),
  callCase(removeQueryView, (app, as) => aView(app, as), { foreign: async () => none }),
  callCase(shareQueryView, async (app, as) => ({ ...(await aView(app, as)), scope: 'ALL' as const }), {
    as: sharer,
    foreign: async () => ({ ...none, scope: 'ALL' as const }),
  }),
];
