import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addFormulary,
  addFormularyVersion,
  auditFormularyVersion,
  delFormularyVersion,
  diffFormularyVersion,
  exportFormularyList,
  modifyFormulary,
  modifyFormularyVersion,
  queryFormularyDetail,
  queryFormularyList,
} from '../../contract/formulary/calls.ts';
import {
  addFormularyLine,
  exportFormularyLine,
  importFormularyLine,
  modifyFormularyLine,
  queryFormularyLineList,
  removeFormularyLine,
} from '../../contract/formulary/lineCalls.ts';
import { own } from '../database.ts';
import { makeFormulary, soon } from '../testing/products.ts';
import { makeMedicine } from '#domains/pharma/server/testing/fixtures.ts';
import { lineImporter } from './importer.ts';

export const NONE = '999999999';
let serial = 0;
const facts = () => ({ formularyCode: `CASE-${(serial += 1)}`, name: '测试目录' });
const line = { indicationCode: 'CASE', indicationText: '测试适应症', socialCategory: 'INSIDE' as const };
const aList = async (app: TestApp) => ({ id: (await makeFormulary(app)).formularyId, version: 1 });
const aVersion = async (app: TestApp) => ({ formularyVersionId: (await makeFormulary(app)).formularyVersionId });
/** A list without a version that is being written. */
async function bareList(app: TestApp): Promise<string> {
  const { formularyId, formularyVersionId } = await makeFormulary(app);
  await own(app.db).deleteFrom('insuranceFormularyVersion').where('id', '=', formularyVersionId).execute();
  return formularyId;
}
async function aLine(app: TestApp) {
  const { formularyVersionId } = await makeFormulary(app);
  const { id: medicineId } = await makeMedicine(app);
  const row = await own(app.db)
    .selectFrom('insuranceFormularyLine')
    .select(['id', 'version'])
    .where('formularyVersionId', '=', formularyVersionId)
    .limit(1)
    .executeTakeFirstOrThrow();
  return { lineId: row.id, version: row.version, medicineId };
}
const dates = (app: TestApp) => ({ effectiveFrom: soon(app, 7) });

export const formularyCases: readonly CallCase[] = [
  callCase(queryFormularyList, async (app) => {
    await makeFormulary(app);
    return {};
  }),
  callCase(exportFormularyList, async (app) => {
    await makeFormulary(app);
    return {};
  }),
  callCase(addFormulary, async () => facts()),
  callCase(modifyFormulary, async (app) => ({ ...(await aList(app)), ...facts() }), {
    foreign: async () => ({ id: NONE, version: 1, ...facts() }),
  }),
  callCase(queryFormularyDetail, async (app) => ({ formularyId: (await aList(app)).id }), { foreign: async () => ({ formularyId: NONE }) }),
  callCase(addFormularyVersion, async (app) => ({ formularyId: await bareList(app), ...dates(app) }), {
    foreign: async (app) => ({ formularyId: NONE, ...dates(app) }),
  }),
  callCase(modifyFormularyVersion, async (app) => ({ ...(await aVersion(app)), version: 1, ...dates(app) }), {
    foreign: async (app) => ({ formularyVersionId: NONE, version: 1, ...dates(app) }),
  }),
  callCase(delFormularyVersion, async (app) => ({ ...(await aVersion(app)), version: 1 }), {
    foreign: async () => ({ formularyVersionId: NONE, version: 1 }),
  }),
  callCase(
    auditFormularyVersion,
    async (app) => ({ id: (await aVersion(app)).formularyVersionId, version: 1, action: 'submit' as const, opinion: '新目录' }),
    { foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const, opinion: '新目录' }) },
  ),
  callCase(
    diffFormularyVersion,
    async (app) => {
      const { formularyVersionId } = await aVersion(app);
      return { fromId: formularyVersionId, toId: formularyVersionId };
    },
    { foreign: async () => ({ fromId: NONE, toId: NONE }) },
  ),
  callCase(queryFormularyLineList, aVersion, { foreign: async () => ({ formularyVersionId: NONE }) }),
  callCase(exportFormularyLine, aVersion),
  callCase(addFormularyLine, async (app) => ({ ...(await aVersion(app)), medicineId: (await makeMedicine(app)).id, ...line }), {
    foreign: async () => ({ formularyVersionId: NONE, medicineId: '1', ...line }),
  }),
  callCase(modifyFormularyLine, async (app) => ({ ...(await aLine(app)), ...line }), {
    foreign: async () => ({ lineId: NONE, version: 1, medicineId: '1', ...line }),
  }),
  callCase(
    removeFormularyLine,
    async (app) => {
      const { lineId, version } = await aLine(app);
      return { lineId, version };
    },
    { foreign: async () => ({ lineId: NONE, version: 1 }) },
  ),
  callCase(
    importFormularyLine,
    async (app, as) => {
      const { medicineNo } = await makeMedicine(app);
      const row = { medicineNo, indicationCode: 'NEW', indicationText: '新适应症', socialCategory: '目录内' };
      return { ...(await aVersion(app)), fileId: await uploadRows(app, as!, lineImporter, [row]) };
    },
    { foreign: async () => ({ formularyVersionId: NONE, fileId: '1' }) },
  ),
];
