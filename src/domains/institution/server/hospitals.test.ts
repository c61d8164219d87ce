import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, minutes } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { sql } from 'kysely';
import { inputTips } from '#domains/identity/contract/calls/addresses.ts';
import { addHospitalApply, auditHospital, claimHospitalAudit, queryHospitalAuditDetail } from '../contract/applyCalls.ts';
import { addDepartment, batchMapDepartment, delDepartment } from '../contract/departmentCalls.ts';
import {
  auditMergeHospital,
  queryDuplicateHospital,
  queryDuplicatePairList,
  queryMergeHospitalTrail,
  undoMergeHospital,
} from '../contract/duplicateCalls.ts';
import {
  addHospital,
  addHospitalAlias,
  changeHospitalState,
  modifyHospital,
  queryHospitalDetail,
  queryHospitalList,
  querySelectOptions,
} from '../contract/hospitalCalls.ts';
import { institutionPermissions } from '../contract/permissions.ts';
import { getHospital, hospitalNameMatches } from './index.ts';
import { PAPER_PURPOSE } from './papers.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { claimedApply, freshName, freshUscc, hospitalInput, keeper, makeApply, makeHospital, makeMerge, NONE } from './testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
const events = async (name: string, aggregateId: string) =>
  (
    await sql<{ payload: unknown }>`select payload from kernel_outbox where name = ${name} and aggregate_id = ${aggregateId}`.execute(
      app.db,
    )
  ).rows.map((row) => row.payload);
let key = 0;
const once = () => ({ idempotencyKey: `merge-of-the-hospital-test-${(key += 1)}` });

describe('applications', () => {
  it('asks for a verdict on every likely duplicate before it creates, and tells once', async () => {
    const there = await makeHospital(app, { phone: '0571-86000001', lngE6: 120_130_000, latE6: 30_260_000 });
    const auditor = await keeper(app);
    const apply = await claimedApply(app, auditor, {
      name: `${there.name}分部`,
      phone: '0571-86000001',
      lngE6: 120_130_100,
      latE6: 30_260_000,
    });
    const approve = { applyId: apply.id, version: apply.version, action: 'approve' as const };
    expect(await app.refused(auditHospital, approve, { as: auditor })).toMatchObject({
      code: 'SCM06022',
      message: '存在疑似重复医院（1家），请先判定',
    });
    const { hospitalId } = await app.ok(auditHospital, { ...approve, notDuplicate: [there.id] }, { as: auditor });
    expect(await events('institution.hospital.approved', apply.id)).toEqual([{ applyId: apply.id, hospitalId, linked: false }]);
    expect(await app.refused(auditHospital, approve, { as: auditor })).toMatchObject({ code: 'SCM90031' });
    // Judged to be two: the pair is not offered again.
    const { rows: pairs } = await app.ok(queryDuplicatePairList, { pageNo: 1, pageSize: 100 }, { as: auditor });
    expect(pairs.filter(({ a, b }) => [a.hospitalId, b.hospitalId].includes(hospitalId!))).toEqual([]);
  });

  it('links to an enabled hospital, whose other name finds it then', async () => {
    const target = await makeHospital(app);
    const off = await makeHospital(app);
    await app.ok(changeHospitalState, { id: off.id, version: off.version, action: 'disable', opinion: '停业' }, { as: await keeper(app) });
    const auditor = await keeper(app);
    const apply = await claimedApply(app, auditor);
    const { payload } = await app.ok(queryHospitalAuditDetail, { applyId: apply.id }, { as: auditor });
    const link = { applyId: apply.id, version: apply.version, action: 'link' as const };
    expect(await app.refused(auditHospital, { ...link, linkHospitalId: off.id }, { as: auditor })).toMatchObject({ code: 'SCM06027' });
    expect(await app.ok(auditHospital, { ...link, linkHospitalId: target.id }, { as: auditor })).toMatchObject({
      hospitalId: target.id,
      state: 'LINKED',
    });
    const found = await app.ok(queryHospitalList, { keyword: String(payload['name']) }, { as: auditor });
    expect(found.rows.map(({ id }) => id)).toEqual([target.id]);
    expect(await hospitalNameMatches(app.db, target.id, String(payload['name']))).toBe(true);
  });

  it('keeps applicant, leaseholder and other auditors apart', async () => {
    const apply = await makeApply(app);
    expect(await app.refused(claimHospitalAudit, { applyId: apply.id }, { as: apply.applicant })).toMatchObject({ code: 'SCM06025' });
    const [first, second] = [await keeper(app), await keeper(app)];
    const { version } = await app.ok(claimHospitalAudit, { applyId: apply.id }, { as: first });
    expect(await app.refused(claimHospitalAudit, { applyId: apply.id }, { as: second })).toMatchObject({
      code: 'SCM06020',
      message: `该申请正由${first.displayName}处理`,
    });
    expect(await app.refused(auditHospital, { applyId: apply.id, version, action: 'approve' }, { as: second })).toMatchObject({
      code: 'SCM06021',
    });
    expect(await app.refused(auditHospital, { applyId: apply.id, version, action: 'reject' }, { as: first })).toMatchObject({
      code: 'SCM06028',
    });
  });

  it('takes a lost lease for lost', async () => {
    const apply = await makeApply(app);
    const [first, second] = [await keeper(app), await keeper(app)];
    const { version } = await app.ok(claimHospitalAudit, { applyId: apply.id }, { as: first });
    await app.advance(minutes(21));
    expect(await app.refused(auditHospital, { applyId: apply.id, version, action: 'approve' }, { as: first })).toMatchObject({
      code: 'SCM06021',
      message: '审核占用已失效，请重新领取',
    });
    const taken = await app.ok(claimHospitalAudit, { applyId: apply.id }, { as: second });
    expect(await app.refused(auditHospital, { applyId: apply.id, version: taken.version, action: 'approve' }, { as: first })).toMatchObject(
      { code: 'SCM06021' },
    );
    expect(await app.ok(auditHospital, { applyId: apply.id, version: taken.version, action: 'approve' }, { as: second })).toMatchObject({
      state: 'APPROVED',
    });
  });

  it('does not overwrite a hospital that changed after the request', async () => {
    const hospital = await makeHospital(app);
    const asker = await keeper(app);
    const apply = await app.ok(
      addHospitalApply,
      { applyType: 'MODIFY', hospitalId: hospital.id, payload: { phone: '0571-86000009' } },
      { as: asker },
    );
    await app.ok(
      modifyHospital,
      { id: hospital.id, version: hospital.version, ...hospitalInput({ name: hospital.name, address: '新地址2号' }) },
      { as: asker },
    );
    const auditor = await keeper(app);
    const { version } = await app.ok(claimHospitalAudit, { applyId: apply.id }, { as: auditor });
    expect(await app.refused(auditHospital, { applyId: apply.id, version, action: 'approve' }, { as: auditor })).toMatchObject({
      code: 'SCM06026',
    });
    expect(await app.ok(queryHospitalDetail, { hospitalId: hospital.id }, { as: auditor })).toMatchObject({
      phone: '',
      address: '新地址2号',
    });
  });

  it('changes only what a request names', async () => {
    const hospital = await makeHospital(app, { phone: '0571-86000010', introduction: '百年老院' });
    const asker = await keeper(app);
    const request = { applyType: 'LEVEL' as const, hospitalId: hospital.id, payload: { level: 'L2A' as const } };
    expect(await app.refused(addHospitalApply, request, { as: asker })).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'evidenceFileIds', message: '请上传等级批文' }],
    });
    const apply = await app.ok(
      addHospitalApply,
      { ...request, evidenceFileIds: [await uploadPaper(app, asker, PAPER_PURPOSE)] },
      { as: asker },
    );
    const auditor = await keeper(app);
    const { version } = await app.ok(claimHospitalAudit, { applyId: apply.id }, { as: auditor });
    await app.ok(auditHospital, { applyId: apply.id, version, action: 'approve' }, { as: auditor });
    expect(await app.ok(queryHospitalDetail, { hospitalId: hospital.id }, { as: auditor })).toMatchObject({
      level: 'L2A',
      phone: '0571-86000010',
      introduction: '百年老院',
    });
  });
});

describe('hospitals', () => {
  it('lets one of two equal additions in a city through, and both in different cities', async () => {
    const name = freshName();
    const as = [await keeper(app), await keeper(app), await keeper(app)];
    const answers = await Promise.all([
      app.send(addHospital, hospitalInput({ name }), { as: as[0]! }),
      app.send(addHospital, hospitalInput({ name: ` ${name} ` }), { as: as[1]! }),
      app.send(addHospital, hospitalInput({ name, adcode: '310104' }), { as: as[2]! }),
    ]);
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', '0000000', 'SCM06024']);
    expect(answers[2].envelope.code).toBe('0000000');
    const { rows } = await app.ok(queryHospitalList, { keyword: name, adcode: '330100' }, { as: as[0]! });
    expect(rows).toHaveLength(1);
    expect(answers.find(({ envelope }) => envelope.code === 'SCM06024')!.envelope.message).toBe(
      `该医院已存在（${rows[0]!.hospitalNo} ${rows[0]!.name}），请选择关联现有`,
    );
  });

  it('keeps 浙江省人民医院 and 杭州市人民医院 apart', async () => {
    await makeHospital(app, { name: '浙江省人民医院' });
    await makeHospital(app, { name: '杭州市人民医院' });
  });

  it('refuses a place of another region', async () => {
    const as = await keeper(app);
    expect(await app.refused(addHospital, hospitalInput({ lngE6: 121_470_000, latE6: 31_230_000 }), { as })).toMatchObject({
      code: 'SCM06035',
      message: '坐标不在所选地区内',
    });
  });

  it('shows the colleague’s change to whoever is late', async () => {
    const hospital = await makeHospital(app);
    const [first, second] = [await keeper(app), await keeper(app)];
    const edit = (address: string) => ({ id: hospital.id, version: hospital.version, ...hospitalInput({ name: hospital.name, address }) });
    await app.ok(modifyHospital, edit('甲路1号'), { as: first });
    expect(await app.refused(modifyHospital, edit('乙路2号'), { as: second })).toMatchObject({
      code: 'SCM90030',
      message: expect.stringContaining(first.displayName),
      data: { current: { address: '甲路1号' } },
    });
  });

  it('stops campuses before their main hospital, and starts it before them', async () => {
    const as = await keeper(app);
    const main = await makeHospital(app);
    const campus = await makeHospital(app, { name: `${main.name}东院`, parentId: main.id, campusName: '东院' }, [main.id]);
    expect(
      await app.refused(changeHospitalState, { id: main.id, version: main.version, action: 'disable', opinion: '停业' }, { as }),
    ).toMatchObject({ code: 'SCM06010', message: `请先停用下属院区（${campus.name}）` });
    const off = await app.ok(changeHospitalState, { id: campus.id, version: campus.version, action: 'disable', opinion: '停业' }, { as });
    await app.ok(changeHospitalState, { id: main.id, version: main.version, action: 'disable', opinion: '停业' }, { as });
    expect(await app.refused(changeHospitalState, { id: campus.id, version: off.version, action: 'enable' }, { as })).toMatchObject({
      code: 'SCM06011',
    });
  });

  it('deletes an empty department, never one with doctors', async () => {
    const as = await keeper(app);
    const { id: hospitalId } = await makeHospital(app);
    const used = await app.ok(addDepartment, { hospitalId, name: '内科' }, { as });
    expect(await app.refused(addDepartment, { hospitalId, name: '内科' }, { as })).toMatchObject({ code: 'SCM06037' });
    await sql`update institution_department set doctor_count = 3 where id = ${used.id}`.execute(app.db);
    expect(await app.refused(delDepartment, { id: used.id }, { as })).toMatchObject({
      code: 'SCM06036',
      message: '科室下有3位医生，不能删除',
    });
    const empty = await app.ok(addDepartment, { hospitalId, name: '外科' }, { as });
    const mapped = await app.ok(batchMapDepartment, { ids: [used.id, empty.id, NONE], standardDeptCode: '03' }, { as });
    expect(mapped.map(({ ok, message }) => [ok, message])).toEqual([
      [true, '成功'],
      [true, '成功'],
      [false, '科室不存在或已删除'],
    ]);
    expect((await app.ok(batchMapDepartment, { ids: [used.id], standardDeptCode: '03' }, { as }))[0]).toEqual({
      id: used.id,
      name: '内科',
      ok: true,
      message: '已是该标准科室',
    });
    expect((await app.send(delDepartment, { id: empty.id }, { as })).envelope.message).toBe('删除成功!');
  });

  it('shows a viewer nothing to change, and nothing outside his region', async () => {
    const hospital = await makeHospital(app, { adcode: '310101', name: freshName() });
    const viewer = await app.staff({ permissions: [institutionPermissions['hospital.view'].code], scope: { region: ['330000'] } });
    expect(await app.refused(modifyHospital, { id: hospital.id, version: 1, ...hospitalInput() }, { as: viewer })).toMatchObject({
      code: 'SCM90010',
    });
    expect(await app.refused(queryHospitalDetail, { hospitalId: hospital.id }, { as: viewer })).toMatchObject({
      code: 'SCM90040',
      message: '医院不存在或已删除',
    });
    expect((await app.ok(queryHospitalList, { keyword: hospital.name }, { as: viewer })).total).toBe(0);
    expect(await app.refused(queryHospitalDetail, { hospitalId: NONE }, { as: viewer })).toMatchObject({ code: 'SCM90040' });
  });

  it('goes no further than the region of whoever enters or moves it', async () => {
    const { edit, view } = { edit: institutionPermissions['hospital.edit'].code, view: institutionPermissions['hospital.view'].code };
    const as = await app.staff({ permissions: [edit, view], scope: { region: ['330100'] } });
    const outside = { code: 'SCM90020', fields: [{ path: 'adcode', message: '该地区不在您的数据范围内' }] };
    expect(await app.refused(addHospital, { ...hospitalInput({ adcode: '310101' }), confirmNotDuplicate: [] }, { as })).toMatchObject(
      outside,
    );
    const facts = hospitalInput({ adcode: '330106' });
    const { id } = await app.ok(addHospital, { ...facts, confirmNotDuplicate: [] }, { as });
    expect(await app.refused(modifyHospital, { ...facts, id, version: 1, adcode: '330203' }, { as })).toMatchObject(outside);
    expect(await app.ok(queryHospitalDetail, { hospitalId: id }, { as })).toMatchObject({ adcode: '330106', version: 1 });
  });

  it('offers own hospitals by their other names in address tips', async () => {
    const hospital = await makeHospital(app, { address: '庆春路79号', lngE6: 120_180_000, latE6: 30_260_000 });
    const as = await keeper(app);
    await app.ok(addHospitalAlias, { hospitalId: hospital.id, name: '浙一', kind: 'SHORT' }, { as });
    const { tips } = await app.ok(inputTips, { keywords: '浙一' }, { as });
    expect(tips[0]).toEqual({ name: hospital.name, address: '庆春路79号', adcode: '330106', lng: 120.18, lat: 30.26 });
  });
});

describe('merging', () => {
  const approve = (merge: { id: string; version: number }) => ({ mergeId: merge.id, version: merge.version, action: 'approve' as const });

  it('needs a second person; reads by the loser’s id answer the survivor', async () => {
    const merge = await makeMerge(app);
    expect(await app.refused(auditMergeHospital, approve(merge), { as: merge.maker, ...once() })).toMatchObject({ code: 'SCM06019' });
    const as = await keeper(app);
    expect(await app.ok(queryHospitalDetail, { hospitalId: merge.loserId }, { as })).toMatchObject({ id: merge.loserId, state: 'ENABLED' });
    await app.ok(auditMergeHospital, approve(merge), { as, ...once() });
    expect(
      (await app.ok(queryMergeHospitalTrail, { mergeId: merge.id }, { as })).map(({ label, displayName }) => [label, displayName]),
    ).toEqual([
      ['提交复核', merge.maker.displayName],
      ['通过', as.displayName],
    ]);
    expect(await app.ok(queryHospitalDetail, { hospitalId: merge.loserId }, { as })).toMatchObject({
      id: merge.survivorId,
      mergedFrom: { hospitalId: merge.loserId },
    });
    expect(await app.ok(querySelectOptions, { ids: [merge.loserId] }, { as })).toMatchObject([{ value: merge.loserId }]);
  });

  it('keeps chains of merges one step long and refuses to undo what was merged on', async () => {
    const [a, b, c] = [await makeHospital(app), await makeHospital(app), await makeHospital(app)];
    const as = await keeper(app);
    const ab = await makeMerge(app, { survivorId: b.id, loserId: a.id });
    const done = await app.ok(auditMergeHospital, approve(ab), { as, ...once() });
    const bc = await makeMerge(app, { survivorId: c.id, loserId: b.id });
    await app.ok(auditMergeHospital, approve(bc), { as, ...once() });
    expect(await getHospital(app.db, a.id)).toMatchObject({ hospitalId: c.id });
    const { rows } = await sql<{ mergedIntoId: string }>`select merged_into_id from institution_hospital where id = ${a.id}`.execute(
      app.db,
    );
    expect(rows[0]!.mergedIntoId).toBe(c.id);
    expect(
      await app.refused(undoMergeHospital, { mergeId: ab.id, version: done.version, opinion: '合并有误' }, { as, ...once() }),
    ).toMatchObject({ code: 'SCM06017' });
  });

  it('gives name, departments and aliases back within 30 days', async () => {
    const as = await keeper(app);
    const [survivor, loser] = [await makeHospital(app), await makeHospital(app, { phone: '0571-86000077' })];
    await app.ok(addDepartment, { hospitalId: survivor.id, name: '内科' }, { as });
    for (const name of ['内科', '骨科']) await app.ok(addDepartment, { hospitalId: loser.id, name }, { as });
    await app.ok(addHospitalAlias, { hospitalId: loser.id, name: freshName(), kind: 'FORMER' }, { as });
    const before = await app.ok(queryHospitalDetail, { hospitalId: loser.id }, { as });
    const merge = await makeMerge(app, { survivorId: survivor.id, loserId: loser.id });
    const done = await app.ok(auditMergeHospital, approve(merge), { as, ...once() });
    const merged = await app.ok(queryHospitalDetail, { hospitalId: survivor.id }, { as });
    expect(merged.departments.map(({ name }) => name).toSorted()).toEqual(['内科', '骨科']);
    expect(merged.aliases.map(({ name }) => name)).toContain(loser.name);
    await app.ok(undoMergeHospital, { mergeId: merge.id, version: done.version, opinion: '合并有误' }, { as, ...once() });
    const after = await app.ok(queryHospitalDetail, { hospitalId: loser.id }, { as });
    expect(after).toMatchObject({ id: loser.id, name: loser.name, state: 'ENABLED', mergedFrom: null });
    expect(after.departments.map(({ id }) => id).toSorted()).toEqual(before.departments.map(({ id }) => id).toSorted());
    expect(after.aliases.map(({ name }) => name)).toEqual(before.aliases.map(({ name }) => name));
    expect((await app.ok(queryHospitalDetail, { hospitalId: survivor.id }, { as })).aliases).toEqual([]);
  });

  it('asks a supervisor where the credit codes differ', async () => {
    const [survivor, loser] = [await makeHospital(app, { uscc: freshUscc() }), await makeHospital(app, { uscc: freshUscc() })];
    const merge = await makeMerge(app, { survivorId: survivor.id, loserId: loser.id });
    const checker = await app.staff({ permissions: [institutionPermissions['hospital.mergeAudit'].code] });
    expect(await app.refused(auditMergeHospital, { ...approve(merge), opinion: '核对无误' }, { as: checker, ...once() })).toMatchObject({
      code: 'SCM06014',
    });
    await app.ok(auditMergeHospital, { ...approve(merge), opinion: '核对无误' }, { as: await keeper(app), ...once() });
  });

  it('scores the design’s example over HTTP', async () => {
    const as = await keeper(app);
    const long = await makeHospital(app, { name: '杭州第一人民医院', lngE6: 120_160_000, latE6: 30_250_000 });
    const found = await app.ok(
      queryDuplicateHospital,
      { facts: hospitalInput({ name: '第一人民医院', lngE6: 120_160_000, latE6: 30_251_799 }) },
      { as },
    );
    expect(found.find(({ hospitalId }) => hospitalId === long.id)).toMatchObject({ score: 69, distanceM: 200 });
  });

  it('cannot be undone after 31 days', async () => {
    const merge = await makeMerge(app);
    const done = await app.ok(auditMergeHospital, approve(merge), { as: await keeper(app), ...once() });
    await app.advance(days(31), ['institution']);
    expect(
      await app.refused(
        undoMergeHospital,
        { mergeId: merge.id, version: done.version, opinion: '合并有误' },
        { as: await keeper(app), ...once() },
      ),
    ).toMatchObject({ code: 'SCM06016' });
  });
});
