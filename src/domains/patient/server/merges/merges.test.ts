import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryPatientHistory } from '../../contract/calls/ehr.ts';
import { addPatientMerge, auditPatientMerge, exportPatientMergeList, previewPatientMerge } from '../../contract/calls/merge.ts';
import { queryPatientDetail } from '../../contract/calls/sufferer.ts';
import { resolve } from '../access.ts';
import { labels } from '../services.ts';
import { keeper, makeAccount, makeDiagnosis, makeMerge, makePatient, makeVerified } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const audit = async (merge: { id: string; version: number }, action: 'approve' | 'reject' | 'undo' = 'approve', more: object = {}) =>
  app.send(auditPatientMerge, { id: merge.id, version: merge.version, action, opinion: '核对一致', ...more }, { as: await keeper(app) });
const rowsOf = async (ids: readonly string[]) =>
  (
    await sql`
      select id, name, state, merged_into_id, real_name_state, mobile_hash, covers
        from patient_patient
        where id in (${sql.join(ids)})
        order by id`.execute(app.db)
  ).rows;

it('is approved by another person, shows the union under either id and is undone without a trace', async () => {
  const merge = await makeMerge(app);
  const { fromId, intoId, maker } = merge;
  const mine = await makeDiagnosis(app, fromId);
  await makeDiagnosis(app, intoId, { icd10: 'I10' });
  const before = await rowsOf([fromId, intoId]);
  expect(await app.refused(auditPatientMerge, { id: merge.id, version: 1, action: 'approve' }, { as: maker })).toMatchObject({
    code: 'SCM09030',
  });
  expect((await audit(merge)).envelope).toMatchObject({ code: '0000000', data: { state: 'MERGED' } });
  const as = await keeper(app);
  for (const id of [fromId, intoId]) {
    expect(await app.ok(queryPatientDetail, { patientId: id }, { as })).toMatchObject({
      canonicalId: intoId,
      counts: { history: 2 },
      mergedIds: [{ patientId: fromId, mergeNo: merge.mergeNo }],
    });
    expect((await app.ok(queryPatientHistory, { patientId: id }, { as })).map(({ icd10 }) => icd10).toSorted()).toEqual(['E11.9', 'I10']);
  }
  expect(await labels(app.db, [fromId])).toMatchObject([{ patientId: fromId, canonicalId: intoId }]);
  const later = await makeDiagnosis(app, fromId, { icd10: 'C61' });
  expect((await audit({ id: merge.id, version: 2 }, 'undo')).envelope).toMatchObject({ data: { state: 'UNDONE' } });
  expect(await rowsOf([fromId, intoId])).toEqual(before);
  expect((await app.ok(queryPatientHistory, { patientId: fromId }, { as })).map(({ id }) => id)).toEqual([mine.id]);
  expect((await app.ok(queryPatientHistory, { patientId: intoId }, { as })).map(({ id }) => id)).toContain(later.id);
});

it('is refused for two proven numbers and for oneself', async () => {
  const [one, other] = [await makeVerified(app), await makeVerified(app)];
  const as = await keeper(app);
  expect(await app.refused(addPatientMerge, { fromId: one.id, intoId: other.id, reason: '同名患者' }, { as })).toMatchObject({
    code: 'SCM09031',
  });
  expect(await app.refused(addPatientMerge, { fromId: one.id, intoId: one.id, reason: '同名患者' }, { as })).toMatchObject({
    code: 'SCM09033',
  });
  expect(await app.ok(previewPatientMerge, { fromId: one.id, intoId: other.id }, { as })).toMatchObject({
    refusal: '两份档案实名证件不一致，不能合并',
    bothRecent: false,
  });
});

it('never makes a chain longer than one', async () => {
  const [a, b, c] = [await makePatient(app), await makePatient(app), await makePatient(app)];
  const first = await makeMerge(app, a.id, b.id);
  await audit(first);
  const second = await makeMerge(app, b.id, c.id);
  await audit(second);
  expect(await resolve(app.db, a.id)).toBe(c.id);
  const { rows } =
    await sql`select 1 from patient_patient x join patient_patient y on y.id = x.merged_into_id where y.merged_into_id is not null`.execute(
      app.db,
    );
  expect(rows).toEqual([]);
  const as = await keeper(app);
  expect(await app.refused(addPatientMerge, { fromId: c.id, intoId: a.id, reason: '反向合并' }, { as })).toMatchObject({
    code: 'SCM09032',
  });
  expect(await app.refused(addPatientMerge, { fromId: c.id, intoId: c.id, reason: '自身合并' }, { as })).toMatchObject({
    code: 'SCM09033',
  });
  await audit({ id: second.id, version: 2 }, 'undo');
  expect([await resolve(app.db, a.id), await resolve(app.db, b.id)]).toEqual([b.id, b.id]);
});

it('of two accounts in use wants to be confirmed', async () => {
  const [one, other] = [await makePatient(app), await makePatient(app)];
  await makeAccount(app, one.id);
  await makeAccount(app, other.id);
  const merge = await makeMerge(app, one.id, other.id);
  expect((await audit(merge)).envelope).toMatchObject({ code: 'SCM09034' });
  expect((await audit(merge, 'approve', { confirmed: true })).envelope).toMatchObject({ code: '0000000' });
});

it('is done once by two who approve crossing merges at once', async () => {
  const [one, other] = [await makePatient(app), await makePatient(app)];
  const merges = [await makeMerge(app, one.id, other.id), await makeMerge(app, other.id, one.id)];
  const answers = await Promise.all(merges.map((merge) => audit(merge)));
  expect(answers.filter(({ envelope }) => envelope.code === '0000000')).toHaveLength(1);
});

it('leaves as a table for whoever decides, with masked persons', async () => {
  const { mergeNo } = await makeMerge(app, (await makePatient(app, { name: '欧阳振华', mobile: '13912345678' })).id);
  const checker = await keeper(app);
  const only = await app.staff({ permissions: ['patient.merge.make'] });
  expect(await app.refused(exportPatientMergeList, {}, { as: only })).toMatchObject({ code: 'SCM90010' });
  const text = (await app.file(exportPatientMergeList, { keyword: mergeNo, format: 'CSV' }, { as: checker })).body.toString();
  expect(text).toContain(mergeNo);
  expect(text).toContain('139****5678');
  expect(text).not.toContain('欧阳振华');
  expect(text).not.toContain('13912345678');
});
