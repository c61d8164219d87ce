import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addIncentiveBudget,
  addIncentiveProgram,
  auditIncentiveChange,
  auditIncentiveProgram,
  closeIncentiveProgram,
  exportIncentiveFactList,
  exportIncentiveProgramList,
  importIncentiveFact,
  modifyIncentiveIntroduction,
  modifyIncentiveProgram,
  pauseIncentiveProgram,
  queryIncentiveFactList,
  queryIncentiveProgramDetail,
  queryIncentiveProgramList,
  resumeIncentiveProgram,
  submitIncentiveProgram,
} from '../contract/calls/incentive.ts';
import { own } from './database.ts';
import { incentiveFactImporter } from './incentive/importer.ts';
import { key, newDoctor, NONE } from './testing/fixtures.ts';
import { draftProgram, programInput, recorded, runningProgram, submittedProgram } from './testing/programs.ts';

const opinion = '按合作协议处理';
const missing = { id: NONE, version: 1 };
const passed = { decision: 'approve' as const, opinion };
const ofRow = ({ id, version }: { id: string; version: number }) => ({ id, version });
const running = async (app: TestApp) => ofRow(await runningProgram(app));
async function paused(app: TestApp) {
  const { maker, ...program } = await runningProgram(app);
  const { id, version } = await app.ok(pauseIncentiveProgram, { ...ofRow(program), opinion }, { as: maker });
  return { id, version };
}
async function worked(app: TestApp) {
  const { id, doctorId } = await runningProgram(app);
  await recorded(app, doctorId);
  return id;
}
async function asked(app: TestApp) {
  const { maker, ...program } = await runningProgram(app);
  return ofRow(await app.ok(addIncentiveBudget, { ...ofRow(program), amountFen: 1_000, reason: '参与医生多于预期' }, key(maker)));
}
async function ended(app: TestApp) {
  const program = await running(app);
  await own(app.db).updateTable('settlementProgram').set({ status: 'ENDED' }).where('id', '=', program.id).execute();
  return program;
}
const facts = {
  doctorNo: 'YS20261121000001',
  taskName: '病例征集',
  doneOn: '2026-11-20',
  itemCount: '1',
  voucherNo: 'PZ0001',
};

export const incentiveCases: readonly CallCase[] = [
  callCase(queryIncentiveProgramList, async (app) => {
    await draftProgram(app);
    return {};
  }),
  callCase(exportIncentiveProgramList, async (app) => {
    await draftProgram(app);
    return {};
  }),
  callCase(queryIncentiveProgramDetail, async (app) => ({ id: (await draftProgram(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addIncentiveProgram, async (app, as) => programInput(app, as!, await newDoctor(app)), {
    foreign: async (app, as) => programInput(app, as!, NONE),
  }),
  callCase(
    modifyIncentiveProgram,
    async (app, as) => {
      const { id, version, doctorId } = await draftProgram(app);
      return { ...(await programInput(app, as!, doctorId)), id, version };
    },
    { foreign: async (app, as) => ({ ...(await programInput(app, as!, await newDoctor(app))), ...missing }) },
  ),
  callCase(submitIncentiveProgram, async (app) => ofRow(await draftProgram(app)), { foreign: async () => missing }),
  callCase(auditIncentiveProgram, async (app) => ({ ...ofRow(await submittedProgram(app)), ...passed }), {
    foreign: async () => ({ ...missing, ...passed }),
  }),
  callCase(pauseIncentiveProgram, async (app) => ({ ...(await running(app)), opinion }), {
    foreign: async () => ({ ...missing, opinion }),
  }),
  callCase(resumeIncentiveProgram, async (app) => ({ ...(await paused(app)), opinion }), {
    foreign: async () => ({ ...missing, opinion }),
  }),
  callCase(closeIncentiveProgram, async (app) => ({ ...(await ended(app)), opinion }), {
    foreign: async () => ({ ...missing, opinion }),
  }),
  callCase(addIncentiveBudget, async (app) => ({ ...(await running(app)), amountFen: 1_000, reason: '参与医生多于预期' }), {
    foreign: async () => ({ ...missing, amountFen: 1_000, reason: '参与医生多于预期' }),
  }),
  callCase(
    modifyIncentiveIntroduction,
    async (app) => ({ ...(await running(app)), introduction: '每条随访记录10元，次月发放。', reason: '补充说明' }),
    { foreign: async () => ({ ...missing, introduction: '每条随访记录10元，次月发放。', reason: '补充说明' }) },
  ),
  callCase(auditIncentiveChange, async (app) => ({ ...(await asked(app)), ...passed }), {
    foreign: async () => ({ ...missing, ...passed }),
  }),
  callCase(queryIncentiveFactList, async (app) => ({ programId: await worked(app) })),
  callCase(exportIncentiveFactList, async (app) => ({ programId: await worked(app) })),
  callCase(
    importIncentiveFact,
    async (app, as) => ({
      programId: (await running(app)).id,
      fileId: await uploadRows(app, as!, incentiveFactImporter, [facts]),
    }),
    { foreign: async (app, as) => ({ programId: NONE, fileId: await uploadRows(app, as!, incentiveFactImporter, [facts]) }) },
  ),
];
