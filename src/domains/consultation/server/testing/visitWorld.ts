import { sql } from 'kysely';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { auditInquiry, modifyServiceStatusChange } from '../../contract/calls/inquiry.ts';
import { auditVisitRecord, modifyVisitRecord } from '../../contract/calls/visits.ts';
import { own } from '../database.ts';
import { systemDeed } from '../deed.ts';
import { confirmRecord } from '../visits/confirm.ts';
import { doctorUser, makeInquiry, say, type Practice, type Served } from './inquiryWorld.ts';

export const ICD = 'C34.900';

export interface Visit extends Served {
  recordId: string;
}
export const inquiryRow = (app: TestApp, serverId: string) =>
  own(app.db).selectFrom('consultationInquiry').selectAll().where('id', '=', serverId).executeTakeFirstOrThrow();
export const recordRow = (app: TestApp, id: string) =>
  own(app.db).selectFrom('consultationVisitRecord').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Accepted, and answered by the doctor. */
export async function makeAnswered(app: TestApp, practice?: Practice): Promise<Served> {
  const served = await makeInquiry(app, practice ? { practice } : {});
  await app.ok(
    auditInquiry,
    { serverId: served.serverId, version: (await inquiryRow(app, served.serverId)).version, action: 'accept' },
    { as: served.primary.staff },
  );
  await app.runDue();
  await say(app, served.groupId, `P${served.sufferer.operatorId}`, '咳嗽两周，夜间加重，对青霉素过敏');
  await say(app, served.groupId, await doctorUser(app, served.groupId), '考虑支气管炎，建议完善胸部CT');
  return served;
}

/** Ended by the assistant; its record is a draft. */
export async function makeVisit(app: TestApp, practice?: Practice): Promise<Visit> {
  const served = await makeAnswered(app, practice);
  const { doctorId, patientId } = await inquiryRow(app, served.serverId);
  await app.ok(
    modifyServiceStatusChange,
    { serviceId: served.serverId, doctorId, suffererId: patientId, serviceStatus: '4' },
    { as: served.primary.staff },
  );
  await app.runDue();
  const { id } = await own(app.db)
    .selectFrom('consultationVisitRecord')
    .select('id')
    .where('inquiryId', '=', served.serverId)
    .executeTakeFirstOrThrow();
  return { ...served, recordId: id };
}

/** One code of the national list is enough here. */
export async function knowIcd(app: TestApp): Promise<void> {
  await sql`insert into identity_icd10 (code, name, pinyin) values (${ICD}, '支气管或肺恶性肿瘤', 'zqghfexzl') on conflict do nothing`.execute(
    app.db,
  );
}

export const fields = (change: object = {}) => ({
  chiefComplaint: '咳嗽两周',
  presentIllness: '夜间加重',
  pastHistory: '无',
  allergy: '青霉素',
  diagnoses: [{ icd10: ICD, name: '肺癌', main: true }],
  advice: '完善胸部CT',
  revisitOn: '2026-12-05',
  ...change,
});
export const fill = async (app: TestApp, id: string, as: TestStaff, change: object = {}) =>
  app.ok(modifyVisitRecord, { id, version: (await recordRow(app, id)).version, ...fields(change) }, { as });
export const act = async (app: TestApp, id: string, action: 'submit' | 'archive' | 'correct', as: TestStaff, opinion?: string) =>
  app.ok(auditVisitRecord, { id, version: (await recordRow(app, id)).version, action, ...(opinion && { opinion }) }, { as });

/** The doctor's word, as the participant's call hands it on. */
export async function word(app: TestApp, id: string, change: Partial<Parameters<typeof confirmRecord>[1]> = {}) {
  const record = await recordRow(app, id);
  const { doctorOperatorId } = await inquiryRow(app, record.inquiryId);
  const { kernel } = app;
  return kernel.transactions.run('test', (writing) =>
    confirmRecord(
      { ...systemDeed(writing, { kernel, now: kernel.clock.now(), traceId: 'test' }), nameOf: () => Promise.resolve(null) },
      {
        id,
        version: record.version,
        action: 'confirm',
        doctorOperatorId,
        ...change,
      },
    ),
  );
}

/** Filled in, handed to the doctor and confirmed. */
export async function makeConfirmed(app: TestApp, practice?: Practice): Promise<Visit> {
  const visit = await makeVisit(app, practice);
  await fill(app, visit.recordId, visit.primary.staff);
  await act(app, visit.recordId, 'submit', visit.primary.staff);
  await word(app, visit.recordId);
  return visit;
}

/** Lets another login act as an assistant, as if the bind of the account had moved. */
export const bindUser = (app: TestApp, assistantId: string, userId: string) =>
  own(app.db).updateTable('consultationAssistantDuty').set({ userId }).where('assistantId', '=', assistantId).execute();
