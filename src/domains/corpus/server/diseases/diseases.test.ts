import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addDiseaseInfo, delDiseaseInfo, modifyDiseaseInfo, queryDiseaseList } from '../../contract/diseaseCalls.ts';
import { querySceneList } from '../../contract/sceneCalls.ts';
import { corpusOperator, makeChild, makeDisease, makeScene } from '../testing/fixtures.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await corpusOperator(app);
});
afterAll(() => app.close());

const events = async (name: string, aggregateId: string) =>
  (
    await sql<{ payload: Record<string, unknown> }>`
    select payload from kernel_outbox where name = ${name} and aggregate_id = ${aggregateId} order by seq`.execute(app.db)
  ).rows.map(({ payload }) => payload);

describe('adding a disease', () => {
  it('refuses none chosen, an unknown one and a wrong code; takes the chosen one; refuses it again', async () => {
    for (const Id of [undefined, '', null]) {
      expect(await app.refused(addDiseaseInfo, { Id, diseaseCode: '', diseaseName: '' }, { as })).toMatchObject({
        code: 'SCM11001',
        message: '请选择病种！',
      });
    }
    expect(await app.refused(addDiseaseInfo, { Id: '999999', diseaseCode: '', diseaseName: '' }, { as })).toMatchObject({
      code: 'SCM90040',
    });
    const disease = await makeDisease(app);
    expect(await app.refused(addDiseaseInfo, { Id: disease.id, diseaseCode: 'Z99', diseaseName: '' }, { as })).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'diseaseCode', message: '病种编码与所选病种不一致' }],
    });

    const input = { Id: Number(disease.id), diseaseCode: disease.code, diseaseName: disease.name };
    const { envelope } = await app.send(addDiseaseInfo, input, { as });
    expect(envelope).toMatchObject({
      code: '0000000',
      message: '添加成功',
      data: { id: disease.id, diseaseId: disease.id, available: 1, sceneCount: 0 },
    });
    const menu = await app.ok(queryDiseaseList, { pageNo: 1, pageSize: 99, available: 1 }, { as });
    expect(menu.rows.at(-1)?.id).toBe(disease.id);
    expect(await events('corpus.disease.changed', disease.id)).toEqual([
      { diseaseId: disease.id, diseaseCode: disease.code, diseaseName: disease.name, available: 1 },
    ]);

    expect(await app.refused(addDiseaseInfo, input, { as })).toMatchObject({ code: 'SCM11002', message: '该病种已在语料库中' });
  });

  it('lets one of several parallel tries in', async () => {
    const disease = await makeDisease(app);
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => app.send(addDiseaseInfo, { Id: disease.id, diseaseCode: disease.code, diseaseName: '' }, { as })),
    );
    expect(tries.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', ...Array(7).fill('SCM11002')]);
    expect(await events('corpus.disease.changed', disease.id)).toHaveLength(1);
  });
});

describe('the list', () => {
  it('takes available as number or text, counts main scenes, searches name and code', async () => {
    const inside = await makeDisease(app, 1);
    const outside = await makeDisease(app);
    await makeChild(app, await makeScene(app, inside.id));
    const ids = async (available: 0 | 1 | '0' | '1' | '' | undefined) =>
      (await app.ok(queryDiseaseList, { pageNo: 1, pageSize: 999, available }, { as })).rows.map(({ id }) => id);
    for (const available of [1, '1'] as const) {
      const found = await ids(available);
      expect(found).toContain(inside.id);
      expect(found).not.toContain(outside.id);
    }
    for (const available of [0, '0'] as const) expect(await ids(available)).not.toContain(inside.id);
    for (const available of ['', undefined] as const) expect(await ids(available)).toEqual(expect.arrayContaining([inside.id, outside.id]));
    const { rows } = await app.ok(queryDiseaseList, { diseaseName: inside.name }, { as });
    expect(rows).toMatchObject([{ id: inside.id, sceneCount: 1, runningCount: 0, icd10Prefixes: ['E11'] }]);
    expect((await app.ok(queryDiseaseList, { diseaseName: '100%_' }, { as })).total).toBe(0);
  });
});

describe('the dictionary', () => {
  it('refuses unknown prefixes and stale versions, changes name and prefixes', async () => {
    const disease = await makeDisease(app);
    const input = { id: disease.id, diseaseName: '改名后的病种', icd10Prefixes: ['E11', 'E14'], version: 1 };
    expect(await app.refused(modifyDiseaseInfo, { ...input, icd10Prefixes: ['E11', 'W99'] }, { as })).toMatchObject({
      code: 'SCM11009',
      message: '该ICD-10前缀不存在',
      fields: [{ path: 'icd10Prefixes.1' }],
    });
    for (const icd10Prefixes of [[], ['11'], ['糖尿病']]) {
      expect(await app.refused(modifyDiseaseInfo, { ...input, icd10Prefixes }, { as })).toMatchObject({ code: 'SCM90020' });
    }
    const changed = await app.ok(modifyDiseaseInfo, { ...input, icd10Prefixes: ['e11', 'E11'] }, { as });
    expect(changed).toMatchObject({ diseaseName: '改名后的病种', icd10Prefixes: ['E11'], version: 2, diseaseCode: disease.code });
    expect(await app.refused(modifyDiseaseInfo, input, { as })).toMatchObject({
      code: 'SCM90030',
      data: { current: { diseaseName: '改名后的病种', version: 2 } },
    });
  });
});

describe('deleting a disease', () => {
  it('refuses one not in the corpus, a stale version and running scenes; else hides it with its scenes', async () => {
    expect(await app.refused(delDiseaseInfo, { id: (await makeDisease(app)).id }, { as })).toMatchObject({ code: 'SCM90040' });
    const disease = await makeDisease(app, 1);
    const scene = await makeScene(app, disease.id);
    const child = await makeChild(app, scene);
    expect(await app.refused(delDiseaseInfo, { id: disease.id }, { as, ifMatch: 1 })).toMatchObject({ code: 'SCM90030' });
    const setState = (state: string) =>
      sql`update corpus_scene_package set state = ${state} where id = ${child.scenePackageId}`.execute(app.db);
    await setState('RUNNING');
    expect(await app.refused(delDiseaseInfo, { id: disease.id }, { as })).toMatchObject({
      code: 'SCM11003',
      message: '该病种下有1个场景正在运行，请先下线场景',
    });
    await setState('UNPUBLISHED');

    await app.ok(delDiseaseInfo, { id: disease.id }, { as, ifMatch: 2 });
    expect(await app.ok(querySceneList, { diseaseId: disease.id, pageNo: 1, pageSize: 999 }, { as })).toEqual({ rows: [], total: 0 });
    expect((await events('corpus.scene.changed', child.id)).at(-1)).toMatchObject({ state: 'DELETED' });
    // taken up again, it begins without scenes
    const again = await app.ok(addDiseaseInfo, { Id: disease.id, diseaseCode: '', diseaseName: '' }, { as });
    expect(again.sceneCount).toBe(0);
  });
});
