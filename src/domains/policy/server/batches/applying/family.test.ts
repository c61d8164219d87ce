import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makeVerified, makeWithId, keeper as patientKeeper, versionOf } from '#domains/patient/server/testing/fixtures.ts';
import { addRealNameCheck, resetRealName } from '#domains/patient/contract/calls/realName.ts';
import { queryInsuredBatchRowList } from '../../../contract/calls/batches.ts';
import { queryInsuredPersonDetail } from '../../../contract/calls/persons.ts';
import { own } from '../../database.ts';
import { certificate, itemOf } from '../../testing/fixtures.ts';
import {
  applied,
  cellsOf,
  detailOf,
  handedIn,
  HEADERS,
  killed,
  listColumns,
  listPerson,
  makeTemplate,
  parsed,
  setListScene,
  undone,
  uploadList,
  type ListPerson,
  type ListScene,
} from '../../testing/lists.ts';
import { applyJob } from './applyJob.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let policy: ListScene['policy'];
let templateId: string;
let family: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ maker, checker, policy, templateId } = await setListScene(app));
  family = await makeTemplate(app, maker, {
    columns: [...listColumns, { target: 'relation', headerAliases: ['关系'] }, { target: 'mainIdNo', headerAliases: ['主被保人证件'] }],
  });
});
afterAll(() => app.close());

type Member = [person: ListPerson, relation: string, mainIdNo: string];
const fileOf = (members: readonly Member[]) =>
  uploadList(app, maker, [
    [...HEADERS, '关系', '主被保人证件'],
    ...members.map(([one, relation, main]) => [...cellsOf(one), relation, main]),
  ]);
const read = async (policyId: string, members: readonly Member[], mode: 'MIXED' | 'FULL' = 'MIXED') => {
  const batch = await parsed(app, maker, [], { templateId: family, policyId, mode, fileId: await fileOf(members) });
  return (await app.ok(queryInsuredBatchRowList, { batchId: batch.id }, { as: maker })).rows;
};
const done = async (policyId: string, members: readonly Member[]) =>
  applied(app, maker, checker, [], { templateId: family, policyId, fileId: await fileOf(members) });
/** What was decided of each row, with the codes of its faults. */
const results = (rows: Awaited<ReturnType<typeof read>>) =>
  rows.map(({ name, result, errors }) => [name, result, ...errors.map(({ code }) => code)]);
const relationOf = async (policyId: string, name: string) => {
  const { relation, mainName } = await app.ok(
    queryInsuredPersonDetail,
    { insuredItemId: await itemOf(app, policyId, name) },
    { as: maker },
  );
  return [relation, mainName];
};

describe('whose dependant somebody is', () => {
  it('is refused for who is not there, for oneself, and for who has dependants; a list without the columns leaves it', async () => {
    const { id: policyId } = await policy();
    const [main, child, single] = [listPerson('王志强'), listPerson('王小强'), listPerson('刘洋')];
    await done(policyId, [
      [main, '本人', ''],
      [child, '子女', main.idNo],
      [single, '本人', ''],
    ]);
    const rows = await read(policyId, [
      [child, '子女', certificate('1980-01-01', 'M')],
      [main, '配偶', single.idNo],
      [single, '配偶', single.idNo],
    ]);
    expect(rows.map(({ result, errors }) => [result, errors.map(({ code, message }) => `${code} ${message}`)])).toEqual([
      ['ERROR', ['E12 主被保人不在保单中']],
      ['ERROR', ['E12 名下仍有1名连带被保人在保，不能改为连带被保人']],
      ['ERROR', ['E12 主被保人不能是本人']],
    ]);
    const nobody = await read(policyId, [[single, '配偶', '']]);
    expect(nobody).toMatchObject([{ result: 'ERROR', errors: [{ code: 'E12', message: '主被保人不在保单中' }] }]);
    const plain = await parsed(app, maker, [child], { templateId, policyId });
    expect(plain).toMatchObject({ sameRows: 1, errorRows: 0 });
    expect(await read(policyId, [[child, '', '']])).toMatchObject([{ result: 'SAME' }]);
  });

  it('is changed by a list, also to somebody who comes with it, and taken back with it', async () => {
    const { id: policyId } = await policy();
    const [main, child, single, wife] = [listPerson('赵一鸣'), listPerson('赵小鸣'), listPerson('钱多多'), listPerson('孙丽')];
    await done(policyId, [
      [main, '本人', ''],
      [child, '子女', main.idNo],
      [single, '本人', ''],
    ]);
    const batch = await done(policyId, [
      [child, '子女', wife.idNo],
      [wife, '本人', ''],
      [single, '父母', main.idNo],
    ]);
    expect(batch).toMatchObject({ state: 'APPLIED', modifyRows: 2, addRows: 1 });
    expect(await relationOf(policyId, '赵小鸣')).toEqual(['CHILD', '孙丽']);
    expect(await relationOf(policyId, '钱多多')).toEqual(['PARENT', '赵一鸣']);
    await undone(app, maker, checker, batch);
    expect(await relationOf(policyId, '赵小鸣')).toEqual(['CHILD', '赵一鸣']);
    expect(await relationOf(policyId, '钱多多')).toEqual(['SELF', null]);
    const free = await done(policyId, [[child, '本人', '']]);
    expect(free).toMatchObject({ state: 'APPLIED', modifyRows: 1 });
    expect(await relationOf(policyId, '赵小鸣')).toEqual(['SELF', null]);
  });
});

describe('whom somebody may depend on', () => {
  it('is who stands for himself when the list is done, not who stays a dependant or whose cover is over', async () => {
    const { id: policyId } = await policy({ maxBackdateDays: 366 });
    const [main, child, gone, single] = [listPerson('王志强'), listPerson('王小强'), listPerson('郑去'), listPerson('刘洋')];
    const early = { effectiveOn: '2026-06-01' };
    await done(policyId, [
      [main, '本人', ''],
      [child, '子女', main.idNo],
      [{ ...gone, ...early, leaveOn: '' }, '本人', ''],
      [single, '本人', ''],
    ]);
    await done(policyId, [[{ ...gone, effectiveOn: '', leaveOn: '2026-08-31', op: '减' }, '', '']]);
    const stays = await read(policyId, [
      [child, '', ''],
      [single, '配偶', child.idNo],
    ]);
    expect(results(stays)).toEqual([
      ['王小强', 'SAME'],
      ['刘洋', 'ERROR', 'E12'],
    ]);
    const over = await read(policyId, [[{ ...single, effectiveOn: '' }, '配偶', gone.idNo]]);
    expect(results(over)).toEqual([['刘洋', 'ERROR', 'E12']]);
    const there = await read(policyId, [[{ ...single, effectiveOn: '' }, '配偶', main.idNo]]);
    expect(results(there)).toEqual([['刘洋', 'MODIFY']]);
  });

  it('may come to stand for himself by the very list; a worker that is killed links everybody once', async () => {
    const { id: policyId } = await policy();
    const [main, child, single, baby] = [listPerson('赵一鸣'), listPerson('赵小鸣'), listPerson('钱多多'), listPerson('赵小小')];
    await done(policyId, [
      [main, '本人', ''],
      [child, '子女', main.idNo],
      [single, '本人', ''],
    ]);
    const fileId = await fileOf([
      [baby, '子女', child.idNo],
      [single, '配偶', child.idNo],
      [child, '本人', ''],
    ]);
    const batch = await parsed(app, maker, [], { templateId: family, policyId, fileId });
    expect(batch).toMatchObject({ state: 'PREVIEW', addRows: 1, modifyRows: 2 });
    const { state } = await handedIn(app, maker, batch);
    expect(state).toBe('APPLYING');
    const apply = applyJob(app.kernel);
    for (const after of [1, 2, 1]) await expect(apply.run({ batchId: batch.id }, killed(app, after))).rejects.toThrow('killed');
    expect(await relationOf(policyId, '赵小鸣')).toEqual(['CHILD', '赵一鸣']);
    await app.runDue();
    expect(await detailOf(app, maker, batch)).toMatchObject({ state: 'APPLIED', appliedRows: 3 });
    const pair = async () => [await relationOf(policyId, '赵小鸣'), await relationOf(policyId, '钱多多')];
    expect([...(await pair()), await relationOf(policyId, '赵小小')]).toEqual([
      ['SELF', null],
      ['SPOUSE', '赵小鸣'],
      ['CHILD', '赵小鸣'],
    ]);
    await undone(app, maker, checker, batch);
    expect(await pair()).toEqual([
      ['CHILD', '赵一鸣'],
      ['SELF', null],
    ]);
    const again = await applied(app, maker, checker, [], { templateId: family, policyId, fileId });
    expect(again).toMatchObject({ state: 'APPLIED' });
    expect(await relationOf(policyId, '赵小小')).toEqual(['CHILD', '赵小鸣']);
  });

  it('is not asked of who leaves', async () => {
    const { id: policyId } = await policy();
    const [main, child, other] = [listPerson('孙一'), listPerson('孙二'), listPerson('孙三')];
    await done(policyId, [
      [main, '本人', ''],
      [child, '子女', main.idNo],
      [other, '本人', ''],
    ]);
    const out = { effectiveOn: '', leaveOn: '2026-12-31', op: '减' };
    // somebody who stood for himself, called a dependant by whoever wrote the list
    expect(results(await read(policyId, [[{ ...main, ...out }, '配偶', other.idNo]]))).toEqual([['孙一', 'REMOVE']]);
    expect(results(await read(policyId, [[{ ...main, ...out }, '配偶', '']]))).toEqual([['孙一', 'REMOVE']]);
    expect(results(await read(policyId, [[{ ...child, ...out }, '', '']]))).toEqual([['孙二', 'REMOVE']]);
    expect(results(await read(policyId, [[{ ...listPerson('孙四'), ...out }, '配偶', '']]))).toEqual([['孙四', 'ERROR', 'E11']]);
    const missing = await read(
      policyId,
      [
        [main, '本人', ''],
        [other, '本人', ''],
      ],
      'FULL',
    );
    expect(results(missing)).toEqual([
      ['孙一', 'SAME'],
      ['孙三', 'SAME'],
      ['孙二', 'REMOVE'],
    ]);
  });
});

describe('persons of a list', () => {
  it('are linked with the patients who proved their certificates, before and after it', async () => {
    const { id: policyId } = await policy();
    const known = await makeVerified(app);
    const later = await makeWithId(app);
    const of = (name: string, idNo: string) => listPerson(name, { idNo, planCode: 'P2' });
    await applied(app, maker, checker, [of('周正', known.idNo), of('吴悠', later.idNo), listPerson('郑重')], { templateId, policyId });
    const linked = async () =>
      own(app.db)
        .selectFrom('policyInsuredItem')
        .select(['name', 'patientId', 'realNameState'])
        .where('policyId', '=', policyId)
        .orderBy('id')
        .execute();
    expect(await linked()).toEqual([
      { name: '周正', patientId: known.id, realNameState: 'PASSED' },
      { name: '吴悠', patientId: null, realNameState: 'NONE' },
      { name: '郑重', patientId: null, realNameState: 'NONE' },
    ]);
    await app.ok(addRealNameCheck, { patientId: later.id, version: 1 }, { as: await patientKeeper(app) });
    await app.runDue();
    expect((await linked())[1]).toEqual({ name: '吴悠', patientId: later.id, realNameState: 'PASSED' });
    // Who takes the proof back takes the link with it, of this person alone.
    const version = await versionOf(app, later.id);
    await app.ok(resetRealName, { patientId: later.id, version, opinion: '证件登记有误' }, { as: await patientKeeper(app) });
    await app.runDue();
    expect((await linked()).map(({ patientId, realNameState }) => [patientId, realNameState])).toEqual([
      [known.id, 'PASSED'],
      [null, 'NONE'],
      [null, 'NONE'],
    ]);
  });
});
