import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { getFileUrl } from '../../../files/contract/calls/objects.ts';
import { queryInspectionCheckList } from '../../contract/calls/ehr.ts';
import { queryPatientDetail, queryPatientPicker } from '../../contract/calls/sufferer.ts';
import { checkInvariants } from '../invariants.ts';
import { keeper } from '../testing/fixtures.ts';
import { writeDemo } from './writeDemo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const { kernel } = app;
  await writeDemo({ kernel, now: app.clock.now(), db: app.db, transaction: (work) => kernel.transactions.run('demo', work) });
});
afterAll(() => app.close());

it('holds every rule that the nightly check knows', async () => {
  const alerts: string[] = [];
  const { kernel } = app;
  const notices = { ...kernel.ports.notices, addAlert: async (_tx: unknown, alert: { body?: string }) => void alerts.push(alert.body ?? '') };
  await checkInvariants.run({}, {
    kernel: { ...kernel, secrets: kernel.secrets, ports: { ...kernel.ports, notices } }, now: app.clock.now(), traceId: 'test', db: app.db, signal: AbortSignal.timeout(60_000), transaction: (work) => kernel.transactions.run('test', work),
  });
  expect(alerts).toEqual([]);
});

it('has the numbers and stories of the design', async () => {
  const { rows } = await sql<Record<string, number>>`select (select count(*)::int from patient_patient) as patients, (select count(*)::int from patient_account) as accounts, (select count(*)::int from patient_patient where state = 'MERGED') as merged,
    (select count(*)::int from patient_patient where real_name_state = 'MANUAL') as manual, (select count(*)::int from patient_inspection where status = '1') as to_read, (select count(*)::int from patient_diagnosis) as diagnoses,
    (select count(*)::int from patient_medicine_suggested) as suggestions, (select count(*)::int from patient_record_order) as orders, (select count(*)::int from patient_merge) as merges`.execute(app.db);
  expect(rows[0]).toMatchObject({ patients: 1200, accounts: 900, merged: 7, manual: 12, toRead: 70, diagnoses: 2100, suggestions: 2900, orders: 1500, merges: 14 });
  const as = await keeper(app);
  // What waits for reading has a paper, which opens.
  const { rows: waiting } = await app.ok(queryInspectionCheckList, { pageNo: 1, pageSize: 10 }, { as });
  expect(waiting.filter(({ inspection }) => inspection.fileIds.length === 1).length).toBeGreaterThan(5);
  const { fileIds: [fileId], patientId } = waiting.find(({ inspection }) => inspection.fileIds.length === 1)!.inspection;
  expect(await app.ok(getFileUrl, { fileId: fileId!, use: 'PREVIEW', ownerType: 'patient.patient', ownerId: patientId }, { as })).toMatchObject({ contentType: 'image/jpeg' });
  const found = await app.ok(queryPatientPicker, { keyword: '王志强' }, { as });
  expect(found.map(({ patientId }) => patientId)).toContain('10003');
  expect(await app.ok(queryPatientDetail, { patientId: '10015' }, { as })).toMatchObject({ canonicalId: '10003', mergedFrom: { patientId: '10015' } });
});

it('nobody has what contradicts him: a disease of the other sex, a second tumour, values of another report', async () => {
  const number = async (query: string) => (await sql<{ n: number }>`select (${sql.raw(query)})::int as n`.execute(app.db)).rows[0]!.n;
  expect(await number(`select count(*) from patient_diagnosis d join patient_patient p on p.id = d.patient_id where d.icd10 = 'C61' and p.gender = 2 or d.icd10 like 'C50%' and p.gender = 1`)).toBe(0);
  expect(await number(`select count(*) from (select patient_id from patient_diagnosis where icd10 like 'C%' group by 1 having count(distinct icd10) > 1) x`)).toBe(0);
  expect(await number(`select count(*) from patient_inspection i join patient_indicator v on v.inspection_id = i.id where v.code in ('CEA', 'PSA') and i.item_name <> '肿瘤标志物' or v.code = 'HBA1C' and i.item_name <> '糖化血红蛋白'`)).toBe(0);
  expect(await number(`select count(distinct icd10) from patient_diagnosis`)).toBe(12);
});
