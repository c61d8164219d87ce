import { visitRecordCompleted } from '#events/consultation.ts';
import { corpusTaskCompleted } from '#events/corpus.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { makeCompany, makeLine } from '#domains/pharma/server/testing/fixtures.ts';
import {
  addIncentiveProgram,
  auditIncentiveProgram,
  queryIncentiveFactList,
  queryIncentiveProgramDetail,
  submitIncentiveProgram,
} from '../../contract/calls/incentive.ts';
import { PROGRAM_AGREEMENT } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { acting, keeper, key, makeRules, newDoctor, openBooks, serial } from './fixtures.ts';

type Input = InputOf<typeof addIncentiveProgram>;
type Wish = Partial<Input>;
const opinion = '与合作协议一致';

export const taskInput = (change: object = {}) => ({
  taskType: 'FOLLOW_UP_RECORD' as const,
  taskName: '随访记录',
  unitFen: 1_000,
  monthlyCapCount: 100,
  ...change,
});

/** A programme of one company, about one doctor of its own, so that no other programme of the tests pays for what he does. */
export async function programInput(app: TestApp, as: TestStaff, doctorId: string, wish: Wish = {}): Promise<Input> {
  const { payerId } = await makeRules(app);
  const { id: companyId } = await makeCompany(app);
  return {
    programName: `糖尿病患者教育${serial()}`,
    pharmaCompanyId: companyId,
    productLineId: (await makeLine(app, companyId)).id,
    payerEntityId: payerId,
    startDate: plusDays(app.clock.today(), -5),
    endDate: plusDays(app.clock.today(), 60),
    budgetFen: 100_000,
    scopeType: 'DOCTOR',
    scopeIds: [doctorId],
    tasks: [taskInput()],
    introduction: '完成随访并填写记录，每条10元；次月随结算单发放。',
    fileIds: [await uploadPaper(app, as, PROGRAM_AGREEMENT)],
    complianceChecked: true,
    ...wish,
  };
}
export async function draftProgram(app: TestApp, wish: Wish = {}) {
  await openBooks(app);
  const maker = await keeper(app);
  const doctorId = await newDoctor(app);
  const { id, version } = await app.ok(addIncentiveProgram, await programInput(app, maker, doctorId, wish), { as: maker });
  return { id, version, maker, doctorId };
}
export async function submittedProgram(app: TestApp, wish: Wish = {}) {
  const { id, version, ...rest } = await draftProgram(app, wish);
  const submitted = await app.ok(submitIncentiveProgram, { id, version }, { as: rest.maker });
  return { id, version: submitted.version, ...rest };
}
/** One that runs. */
export async function runningProgram(app: TestApp, wish: Wish = {}) {
  const { id, version, ...rest } = await submittedProgram(app, wish);
  const checker = await keeper(app);
  const passed = await app.ok(auditIncentiveProgram, { id, version, decision: 'approve', opinion }, key(checker));
  return { id, version: passed.version, checker, ...rest };
}

/** A doctor has written a record, as the consultation domain tells it. */
export async function recorded(app: TestApp, doctorId: string, visitRecordId = String(500_000 + serial())): Promise<string> {
  await acting(app, (ctx) =>
    ctx.publish(visitRecordCompleted, visitRecordId, {
      visitRecordId,
      recordVersion: 1,
      serverId: '1',
      serviceType: 'FOLLOW_UP',
      doctorId,
      patientId: '10001',
      diagnoses: [],
      revisitOn: null,
      at: app.clock.now(),
    }),
  );
  await app.runDue();
  return visitRecordId;
}
/** A task of follow-up was done. */
export async function taskDone(app: TestApp, doctorId: string | null, kind: 'CALL' | 'FORM' | 'REPLY', facts: object = {}): Promise<void> {
  const taskId = String(600_000 + serial());
  await acting(app, (ctx) =>
    ctx.publish(corpusTaskCompleted, taskId, {
      taskId,
      doctorId,
      diseaseId: null,
      kind,
      at: app.clock.now(),
      facts: { result: '已完成', ...facts },
    }),
  );
  await app.runDue();
}

export const programOf = (app: TestApp, as: TestStaff, id: string) => app.ok(queryIncentiveProgramDetail, { id }, { as });
export const factsOf = async (app: TestApp, as: TestStaff, programId: string) =>
  (await app.ok(queryIncentiveFactList, { programId, pageSize: 200 }, { as })).rows;

/** Facts that were told and are not reckoned yet. */
export async function newFacts(app: TestApp, programId: string, doctorId: string, many: number): Promise<string[]> {
  const task = await own(app.db)
    .selectFrom('settlementProgramTask')
    .select('id')
    .where('programId', '=', programId)
    .executeTakeFirstOrThrow();
  const at = app.clock.now();
  const rows = await own(app.db)
    .insertInto('settlementProgramFact')
    .values(
      Array.from({ length: many }, () => ({
        programId,
        taskId: task.id,
        doctorId,
        doctorName: '张医生',
        sourceType: 'TASK' as const,
        sourceNo: `P${serial()}`,
        occurredAt: at,
        itemCount: 1,
        state: 'NEW' as const,
        createdAt: at,
      })),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
