import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addOrModifyConditionIdDataList, queryConditionIdDataList, queryVariableInfoDataList } from '../../contract/conditionCalls.ts';
import type { SceneRow } from '../../contract/sceneCalls.ts';
import { evaluateForPatient, queryTrialPatientList } from '../../contract/scenePackageCalls.ts';
import { corpusOperator, makeChild, makePatient, makeSceneOfNewDisease, row } from '../testing/fixtures.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await corpusOperator(app);
});
afterAll(() => app.close());

const saving = (scene: SceneRow, dataDetail: readonly object[], extra: object = {}) => ({
  diseaseId: scene.diseaseId,
  scenePackageId: scene.scenePackageId,
  expType: 1,
  id: '',
  dataDetail,
  ...extra,
});

describe('variables', () => {
  it('are at least thirty, by role and purpose', async () => {
    const read = (input: object) => app.ok(queryVariableInfoDataList, { pageNo: 1, pageSize: 999, ...input }, { as });
    const all = await read({ variableInfoFlag: 1, userType: '' });
    expect(all.total).toBeGreaterThanOrEqual(30);
    for (const userType of [1, '2', 3]) {
      const { rows } = await read({ variableInfoFlag: '1', userType });
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map((variable) => variable.userType))).toEqual(new Set([Number(userType)]));
    }
    expect((await read({ variableInfoFlag: 2, userType: 1 })).rows.every(({ variableInfoFlag }) => variableInfoFlag === 3)).toBe(true);
  });
});

describe('saving conditions', () => {
  it.each([
    [{ role: '' }, 'SCM11010', '请输入全部内容'],
    [{ variableId: '' }, 'SCM11010', '请输入全部内容'],
    [{ operatorValue: '' }, 'SCM11010', '请输入全部内容'],
    [{ conditionValue: ' ' }, 'SCM11010', '请输入全部内容'],
    [{ checked: '' }, 'SCM11010', '请输入全部内容'],
    [{ operatorValue: 'range', conditionValue: '1，2' }, 'SCM11011', '请输入正确的格式:数字+英文逗号+数字'],
    [{ operatorValue: 'range', conditionValue: '1-2' }, 'SCM11011', '请输入正确的格式:数字+英文逗号+数字'],
    [{ operatorValue: 'range', conditionValue: '1.2345,3' }, 'SCM11012', '小数点后面最多三位小数'],
    [{ conditionValue: '1.2345' }, 'SCM11012', '小数点后面最多三位小数'],
    [{ operatorValue: 'range', conditionValue: '9,7' }, 'SCM11013', '区间左值不能大于右值'],
    [{ role: 2 }, 'SCM11014', '变量与角色不匹配'],
    [{ variableId: '99999' }, 'SCM11014', '变量与角色不匹配'],
    [{ variableId: '2', operatorValue: '>', conditionValue: '1' }, 'SCM11015', '该变量不支持此运算符'],
  ])('refuses %o', async (fault, code, message) => {
    const scene = await makeSceneOfNewDisease(app);
    const refusal = await app.refused(addOrModifyConditionIdDataList, saving(scene, [row('>', '7'), row('>', '7', fault as never)]), {
      as,
    });
    expect(refusal).toMatchObject({ code, message, fields: [{ path: expect.stringMatching(/^dataDetail\.1\./) }] });
    expect(await app.ok(queryConditionIdDataList, { scenePackageId: scene.scenePackageId, expType: 1 }, { as })).toEqual({
      id: '',
      version: 0,
      rows: [],
    });
  });

  it.each([
    [{ conditionValue: '一' }, '条件值只能输入数字和小数点'],
    [{ variableId: '2', operatorValue: '=', conditionValue: '3' }, '条件值不在可选范围内'],
    [{ scenePackageId: '999' }, '条件不属于该场景'],
    [{ checked: 2 }, '是否生效不正确'],
    [{ groupNo: 6 }, '条件组不正确'],
  ])('calls %o malformed', async (fault, message) => {
    const scene = await makeSceneOfNewDisease(app);
    expect(await app.refused(addOrModifyConditionIdDataList, saving(scene, [row('>', '7', fault as never)]), { as })).toMatchObject({
      code: 'SCM90020',
      fields: [{ message }],
    });
  });

  it('replaces the whole set, keeps launch and stop apart, answers small codes as numbers', async () => {
    const scene = await makeSceneOfNewDisease(app);
    const { scenePackageId } = scene;
    const first = await app.ok(
      addOrModifyConditionIdDataList,
      saving(scene, [row('range', '7,9', { checked: '0' }), row('>', '10', { groupNo: '2' })]) as never,
      { as },
    );
    expect(first).toMatchObject({
      version: 1,
      rows: [
        { role: 1, checked: 0, groupNo: 1, scenePackageId },
        { checked: 1, groupNo: 2, conditionValue: '10' },
      ],
    });
    const second = await app.ok(
      addOrModifyConditionIdDataList,
      saving(scene, first.rows.slice(1), { id: first.id, expType: '1' }) as never,
      { as },
    );
    expect(second).toMatchObject({ id: first.id, version: 2 });
    expect(second.rows).toHaveLength(1);
    expect((await app.ok(queryConditionIdDataList, { scenePackageId, expType: 2 }, { as })).rows).toEqual([]);
    // an id of another set is a foreign record
    expect(await app.refused(addOrModifyConditionIdDataList, saving(scene, [], { id: first.id, expType: 2 }), { as })).toMatchObject({
      code: 'SCM90040',
    });
    await app.ok(addOrModifyConditionIdDataList, saving(scene, [], { id: first.id }) as never, { as });
    expect(await app.ok(queryConditionIdDataList, { scenePackageId, expType: 1 }, { as })).toMatchObject({ version: 3, rows: [] });
  });

  it('refuses a stale version with the current rows, also of two first saves at once', async () => {
    const scene = await makeSceneOfNewDisease(app);
    const headers = (version: number) => ({ as, headers: { 'if-match': String(version) } });
    const tries = await Promise.all(
      ['7', '8', '9'].map((value) => app.send(addOrModifyConditionIdDataList, saving(scene, [row('>', value)]), headers(0))),
    );
    expect(tries.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', 'SCM90030', 'SCM90030']);
    const stored = await app.ok(queryConditionIdDataList, { scenePackageId: scene.scenePackageId, expType: 1 }, { as });
    const change = (value: string) => saving(scene, [row('>', value)], { id: stored.id });
    await app.ok(addOrModifyConditionIdDataList, change('11') as never, headers(1));
    expect(await app.refused(addOrModifyConditionIdDataList, change('12'), headers(1))).toMatchObject({
      code: 'SCM90030',
      data: { current: { version: 2, rows: [{ conditionValue: '11' }] } },
    });
  });
});

/** Number of rows of every table, so that a write anywhere shows. */
async function rowCounts(): Promise<Record<string, string>> {
  const { rows } = await sql<{
    table: string;
  }>`select table_name as table from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(app.db);
  const counts: Record<string, string> = {};
  for (const { table } of rows) {
    counts[table] = (await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(app.db)).rows[0]!.n;
  }
  return counts;
}

describe('trying on one patient', () => {
  it('refuses unknown patients and faulty rows', async () => {
    const scene = await makeSceneOfNewDisease(app);
    const input = { scenePackageId: scene.scenePackageId, patientId: '1', dataDetail: [row('>', '7')] };
    expect(await app.refused(evaluateForPatient, input, { as })).toMatchObject({ code: 'SCM90040' });
    const patientId = await makePatient(app, {});
    expect(await app.refused(evaluateForPatient, { ...input, patientId, dataDetail: [row('range', '1-2')] }, { as })).toMatchObject({
      code: 'SCM11011',
    });
    const region = await app.staff({ permissions: ['corpus.run.view'], scope: { region: ['310000'] } });
    expect(await app.refused(evaluateForPatient, { ...input, patientId }, { as: region })).toMatchObject({ code: 'SCM90040' });
    expect(await app.ok(queryTrialPatientList, { scenePackageId: scene.scenePackageId }, { as: region })).toEqual([]);
  });

  it.each([
    ['7', true],
    ['9', true],
    ['9.001', false],
    ['6.999', false],
  ])('range 7,9 against %s: %s', async (value, held) => {
    const scene = await makeSceneOfNewDisease(app);
    const patientId = await makePatient(app, { hba1c: value });
    const answer = await app.ok(
      evaluateForPatient,
      { scenePackageId: scene.scenePackageId, patientId, dataDetail: [row('range', '7,9')] },
      { as },
    );
    expect(answer).toMatchObject({
      held,
      result: held ? 'ENTER' : 'NOT',
      rows: [{ value: `${value} %`, at: app.clock.now(), source: '检查检验记录（最近一次）' }],
    });
  });

  it('rows without effect never count; a missing value is no data and does not hold', async () => {
    const scene = await makeSceneOfNewDisease(app);
    const patientId = await makePatient(app, { hba1c: '8' });
    const judge = (dataDetail: object[]) =>
      app.ok(evaluateForPatient, { scenePackageId: scene.scenePackageId, patientId, dataDetail: dataDetail as never }, { as });
    expect(await judge([row('>', '7'), row('>', '10', { checked: 0 })])).toMatchObject({
      result: 'ENTER',
      rows: [{ verdict: 'HELD' }, { verdict: 'NOT_HELD', checked: 0 }],
    });
    expect(await judge([row('>', '7', { checked: 0 })])).toMatchObject({ result: 'NOT', empty: true });
    const glucose = { variableId: '16', variableName: '空腹血糖' };
    expect(await judge([row('>', '7'), row('<', '99', glucose)])).toMatchObject({
      result: 'NOT',
      rows: [{}, { verdict: 'NO_DATA', value: '' }],
    });
    expect(await judge([row('>', '7'), row('<', '99', { ...glucose, groupNo: 2 })])).toMatchObject({ result: 'ENTER', heldGroups: [1] });
  });

  it('judges unsaved rows, writes nothing, and the stored ones without dataDetail; a child needs its main scene too', async () => {
    const scene = await makeSceneOfNewDisease(app);
    const child = await makeChild(app, scene);
    const patientId = await makePatient(app, { hba1c: '8' }, '试算甲');
    await app.ok(addOrModifyConditionIdDataList, saving(scene, [row('>', '9')]) as never, { as });
    await app.ok(addOrModifyConditionIdDataList, saving(scene, [row('>', '7')], { expType: 2 }) as never, { as });
    const before = await rowCounts();
    const input = { scenePackageId: scene.scenePackageId, patientId };
    expect(await app.ok(evaluateForPatient, { ...input, dataDetail: [row('>', '7')] }, { as })).toMatchObject({
      result: 'ENTER',
      mainScene: null,
    });
    expect(await app.ok(evaluateForPatient, input, { as })).toMatchObject({ result: 'NOT' });
    expect(await app.ok(evaluateForPatient, { ...input, expType: 2 }, { as })).toMatchObject({ result: 'STOP' });
    expect(
      await app.ok(evaluateForPatient, { ...input, scenePackageId: child.scenePackageId, dataDetail: [row('>', '7')] }, { as }),
    ).toMatchObject({
      held: true,
      result: 'NOT',
      mainScene: { sceneName: scene.sceneName, held: false },
    });
    expect(await app.ok(queryTrialPatientList, { scenePackageId: scene.scenePackageId, keyword: '试算' }, { as })).toEqual([
      { patientId, patientName: '试**', sex: 1, age: null },
    ]);
    expect(await rowCounts()).toEqual(before);
  });
});
