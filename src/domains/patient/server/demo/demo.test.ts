import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { getFileUrl } from '#domains/files/contract/calls/objects.ts';
import { queryInspectionCheckList } from '../../contract/calls/ehr.ts';
import { queryPatientDetail, queryPatientPicker } from '../../contract/calls/sufferer.ts';
import { ageOn } from '../../contract/idNumber.ts';
import { checkInvariants } from '../invariants.ts';
import { scoreOf, type Likeness } from '../persons/duplicates.ts';
import { keeper } from '../testing/fixtures.ts';
import { clinics, meets } from './clinic.ts';
import { writeDemo } from './writeDemo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  const { kernel } = app;
  await writeDemo({ kernel, now: app.clock.now(), db: app.db, transaction: (work) => kernel.transactions.run('demo', work) });
});
afterAll(() => app.close());

const rowsOf = async <R>(query: string) => (await sql<R>`${sql.raw(query)}`.execute(app.db)).rows;
const number = async (query: string) => (await rowsOf<{ n: number }>(`select (${query})::int as n`))[0]!.n;

it('holds every rule that the nightly check knows', async () => {
  const alerts: string[] = [];
  const { kernel } = app;
  const notices = {
    ...kernel.ports.notices,
    addAlert: async (_tx: unknown, alert: { body?: string }) => void alerts.push(alert.body ?? ''),
  };
  await checkInvariants.run({}, jobContext(app, { kernel: { ...kernel, secrets: kernel.secrets, ports: { ...kernel.ports, notices } } }));
  expect(alerts).toEqual([]);
});

it('has the numbers and stories of the design', async () => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from patient_patient) as patients, (select count(*)::int from patient_account) as accounts,
      (select count(*)::int from patient_patient where state = 'MERGED') as merged,
      (select count(*)::int from patient_patient where real_name_state = 'MANUAL') as manual,
      (select count(*)::int from patient_inspection where status = '1') as to_read,
      (select count(*)::int from patient_diagnosis) as diagnoses, (select count(*)::int from patient_medicine_suggested) as suggestions,
      (select count(*)::int from patient_record_order) as orders, (select count(*)::int from patient_merge) as merges`.execute(app.db);
  expect(rows[0]).toMatchObject({
    patients: 1200,
    accounts: 900,
    merged: 7,
    manual: 12,
    toRead: 70,
    diagnoses: 2100,
    suggestions: 2900,
    orders: 1500,
    merges: 14,
  });
  const as = await keeper(app);
  // What waits for reading has a paper, which opens.
  const { rows: waiting } = await app.ok(queryInspectionCheckList, { pageNo: 1, pageSize: 10 }, { as });
  expect(waiting.filter(({ inspection }) => inspection.fileIds.length === 1).length).toBeGreaterThan(5);
  const {
    fileIds: [fileId],
    patientId,
  } = waiting.find(({ inspection }) => inspection.fileIds.length === 1)!.inspection;
  expect(
    await app.ok(getFileUrl, { fileId: fileId!, use: 'PREVIEW', ownerType: 'patient.patient', ownerId: patientId }, { as }),
  ).toMatchObject({ contentType: 'image/jpeg' });
  const found = await app.ok(queryPatientPicker, { keyword: '王志强' }, { as });
  expect(found.map(({ patientId }) => patientId)).toContain('10003');
  expect(await app.ok(queryPatientDetail, { patientId: '10015' }, { as })).toMatchObject({
    canonicalId: '10003',
    mergedFrom: { patientId: '10015' },
  });
});

it('proves as many names as the design says, and prescribes to those alone', async () => {
  const states = await rowsOf<{ key: string; n: number }>(
    'select real_name_state as key, count(*)::int as n from patient_patient group by 1',
  );
  expect(Object.fromEntries(states.map(({ key, n }) => [key, n]))).toEqual({
    VERIFIED: 860,
    UNVERIFIED: 260,
    FAILED: 60,
    MANUAL: 12,
    PENDING: 8,
  });
  expect(await number(`select count(*) from patient_patient where life_state = 'DECEASED'`)).toBe(6);
  expect(await number(`select count(*) from patient_patient where state = 'FROZEN'`)).toBe(5);
  expect(
    await number(
      `
        select count(*)
          from patient_medicine_suggested s
          join patient_patient p on p.id = s.patient_id
          where p.real_name_state <> 'VERIFIED'`,
    ),
  ).toBe(0);
});

it('merges and proposes to merge only whom it would take for one person, and says by what', async () => {
  const pairs = await rowsOf<{ evidence: string[]; state: string; from: Likeness; into: Likeness }>(`
    select m.evidence, m.state,
        jsonb_build_object('name', f.name, 'birthDate', f.birth_date, 'idNoHash', f.id_no_hash, 'mobileHash', f.mobile_hash) as
      from, jsonb_build_object('name', t.name, 'birthDate', t.birth_date, 'idNoHash', t.id_no_hash, 'mobileHash', t.mobile_hash) as into
      from patient_merge m
      join patient_patient f on f.id = m.from_id
      join patient_patient t on t.id = m.into_id`);
  expect(pairs).toHaveLength(14);
  for (const { evidence, from, into } of pairs) {
    const { score, reasons } = scoreOf(from, into);
    expect(score).toBeGreaterThanOrEqual(70);
    expect(reasons).toEqual(evidence);
  }
});

it('gives nobody a disease that he cannot have, a second cancer, or a medicine for another one', async () => {
  const found = await rowsOf<{
    patientId: string;
    name: string;
    gender: 1 | 2;
    birthDate: string | null;
    icd10: string;
    on: string;
    isPrimary: boolean;
  }>(`
    select p.id as patient_id, p.name, p.gender, p.birth_date, d.icd10, d.diagnosed_at as on, d.is_primary
      from patient_diagnosis d
      join patient_patient p on p.id = d.patient_id`);
  const wrong = found.filter(({ gender, birthDate, icd10, on }) => birthDate !== null && !meets(icd10, gender, ageOn(birthDate, on)));
  expect(wrong).toEqual([]);
  const cancers = Map.groupBy(
    found.filter(({ icd10 }) => icd10.startsWith('C')),
    ({ patientId }) => patientId,
  );
  expect([...cancers.values()].filter((list) => list.length > 1)).toEqual([]);
  const main = new Map(found.filter(({ isPrimary }) => isPrimary).map(({ patientId, icd10 }) => [patientId, icd10]));
  const supplied = await rowsOf<{ patientId: string; medicineName: string }>(
    `
      select patient_id, medicines->0->>'medicineName' as medicine_name
        from patient_medicine_suggested
      union all
      select patient_id, lines->0->>'medicineName'
        from patient_record_order`,
  );
  expect(supplied.filter(({ patientId, medicineName }) => clinics[main.get(patientId)!]!.medicine.name !== medicineName)).toEqual([]);
});

it('lets nothing happen before the record, after death, or tomorrow', async () => {
  const now = app.clock.now();
  for (const [table, column] of [
    ['patient_diagnosis', 'created_at'],
    ['patient_record_text', 'created_at'],
    ['patient_medicine_suggested', 'prescription_time'],
    ['patient_record_order', 'order_time'],
    ['patient_inspection', 'created_at'],
    ['patient_consent', 'at'],
    ['patient_real_name_check', 'at'],
  ] as const) {
    expect(
      await number(
        `
          select count(*)
            from ${table} t
            join patient_patient p on p.id = t.patient_id
            where t.${column} < p.created_at or t.${column} > '${now}' or t.${column}::date > p.deceased_on`,
      ),
      table,
    ).toBe(0);
  }
  expect(
    await number(
      `
        select count(*)
          from patient_treatment t
          join patient_diagnosis d on d.id = t.diagnosis_id
          join patient_patient p on p.id = d.patient_id
          where t.start_on < d.diagnosed_at or coalesce(t.end_on, t.start_on) > least('${now}'::date, p.deceased_on)`,
    ),
  ).toBe(0);
  expect(
    await number(
      `
        select count(*)
          from patient_account a
          join patient_account_person l on l.operator_id = a.operator_id and l.is_default
          join patient_patient p on p.id = l.patient_id
          where a.last_login_at < a.created_at or a.last_login_at::date > p.deceased_on`,
    ),
  ).toBe(0);
});

it('joins families by age: parents are older, children younger, one spouse of the other sex', async () => {
  const kin = await rowsOf<{ relation: string; years: number; same: boolean }>(`
    select l.relation, date_part('year', age(p.birth_date, h.birth_date))::int as years, h.gender = p.gender as same
      from patient_account_person l
      join patient_account_person s on s.operator_id = l.operator_id and s.relation = 'SELF'
      join patient_patient h on h.id = s.patient_id
      join patient_patient p on p.id = l.patient_id
      where l.relation <> 'SELF'`);
  expect(kin.length).toBeGreaterThan(200);
  for (const { relation, years, same } of kin) {
    if (relation === 'PARENT') expect(years).toBeLessThanOrEqual(-18);
    else if (relation === 'CHILD') expect(years).toBeGreaterThanOrEqual(18);
    else expect({ same, near: Math.abs(years) < 10 }).toEqual({ same: false, near: true });
  }
  expect(await number('select count(distinct operator_id) from patient_account_person where not is_default')).toBe(140);
});

it('has a child whose father signs and holds the account', async () => {
  const child = await app.ok(queryPatientDetail, { patientId: '10014' }, { as: await keeper(app) });
  expect(child).toMatchObject({ name: '周小宝', occupation: '学生', contacts: [{ name: '周建平', isGuardian: true }] });
  expect(await number('select weight_g from patient_patient where id = 10014')).toBeLessThan(45_000);
  expect(await number(`select count(*) from patient_consent where patient_id = 10014 and "by" <> 'GUARDIAN'`)).toBe(0);
});
