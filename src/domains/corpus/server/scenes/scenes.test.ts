import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addOrModifyConditionIdDataList, queryConditionIdDataList } from '../../contract/conditionCalls.ts';
import { addChildScene, addScene, delScene, modifySceneName, querySceneList } from '../../contract/sceneCalls.ts';
import { modifyScenePackagePolicy, queryScenePackage } from '../../contract/scenePackageCalls.ts';
import { addOrModifyPackageCycle, addSchedule, queryPackageCycle, queryScheduleList } from '../../contract/scheduleCalls.ts';
import { corpusOperator, fresh, makeChild, makeDisease, makeScene, row } from '../testing/fixtures.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await corpusOperator(app);
});
afterAll(() => app.close());

const tree = async (diseaseId: string) => (await app.ok(querySceneList, { diseaseId, pageNo: 1, pageSize: 999 }, { as })).rows;
const both = { groupChat: true, singleChat: true };

describe('adding scenes', () => {
  it.each([
    [{ sceneName: '甲', groupChat: false, singleChat: false }, 'SCM11004', '请选择标签'],
    [{ sceneName: '甲' }, 'SCM11004', '请选择标签'],
    [{ sceneName: '  ', ...both }, 'SCM11005', '请输入场景名称'],
    [{ sceneName: '一'.repeat(33), ...both }, 'SCM11006', '场景名称最多32个字符'],
  ])('refuses %o', async (detail, code, message) => {
    const { id } = await makeDisease(app, 1);
    expect(await app.refused(addScene, { diseaseId: id, dataDetail: [detail] }, { as })).toMatchObject({ code, message });
    const { sceneName, ...rest } = detail;
    const scene = await makeScene(app, id);
    const child = { diseaseId: id, mainSceneId: scene.id, dataDetail: [{ childSceneName: sceneName, ...rest }] };
    expect(await app.refused(addChildScene, child, { as })).toMatchObject({ code, message });
    expect(await tree(id)).toMatchObject([{ dataDetail: [] }]);
  });

  it('derives the chat flag and refuses a contradiction', async () => {
    const { id } = await makeDisease(app, 1);
    const add = (dataDetail: object[]) => app.ok(addScene, { diseaseId: id, dataDetail: dataDetail as never }, { as });
    const flags = await add([
      { sceneName: '群', groupChat: true, singleChat: false },
      { sceneName: '单', groupChat: false, singleChat: true, chatFlag: '1' },
      { sceneName: '两者', ...both, chatFlag: 2 },
      { sceneName: '数字', groupChat: 1, singleChat: '0' },
    ]);
    expect(flags.map(({ chatFlag, groupChat, singleChat }) => [chatFlag, groupChat, singleChat])).toEqual([
      [0, true, false],
      [1, false, true],
      [2, true, true],
      [0, true, false],
    ]);
    for (const chatFlag of [0, '1']) {
      expect(await app.refused(addScene, { diseaseId: id, dataDetail: [{ sceneName: '矛盾', ...both, chatFlag }] }, { as })).toMatchObject({
        code: 'SCM90020',
        fields: [{ path: 'dataDetail.0.chatFlag' }],
      });
    }
  });

  it("writes all rows or none, in the order sent; the server's message is 添加成功", async () => {
    const { id } = await makeDisease(app, 1);
    const taken = await makeScene(app, id, '已有Scene');
    for (const second of ['已有scene', '第一']) {
      const dataDetail = [
        { sceneName: '第一', ...both },
        { sceneName: second, ...both },
      ];
      expect(await app.refused(addScene, { diseaseId: id, dataDetail }, { as })).toMatchObject({
        code: 'SCM11007',
        message: '同一病种下已有同名场景',
      });
    }
    expect((await tree(id)).map(({ sceneName }) => sceneName)).toEqual(['已有Scene']);
    const { envelope } = await app.send(
      addScene,
      {
        diseaseId: id,
        dataDetail: [
          { sceneName: '乙', ...both },
          { sceneName: '甲', ...both },
        ],
      },
      { as },
    );
    expect(envelope.message).toBe('添加成功');
    expect((await tree(id)).map(({ sceneName }) => sceneName)).toEqual(['已有Scene', '乙', '甲']);
    // a child may bear its main scene's name
    await makeChild(app, taken, '已有Scene');
  });

  it('refuses a foreign disease or main scene, and a child below a child', async () => {
    const [one, other] = [await makeDisease(app, 1), await makeDisease(app, 1)];
    const outside = await makeDisease(app);
    const scene = await makeScene(app, one.id);
    const child = await makeChild(app, scene);
    const dataDetail = [{ childSceneName: fresh('子'), ...both }];
    expect(await app.refused(addScene, { diseaseId: outside.id, dataDetail: [{ sceneName: '甲', ...both }] }, { as })).toMatchObject({
      code: 'SCM90040',
    });
    for (const input of [
      { diseaseId: other.id, mainSceneId: scene.id, dataDetail },
      { diseaseId: one.id, mainSceneId: child.id, dataDetail },
      { diseaseId: one.id, mainSceneId: '999999', dataDetail },
    ]) {
      expect(await app.refused(addChildScene, input, { as })).toMatchObject({ code: 'SCM90040' });
    }
  });

  it('lets one of two equal names in when both come at once', async () => {
    const { id } = await makeDisease(app, 1);
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => app.send(addScene, { diseaseId: id, dataDetail: [{ sceneName: '同名', ...both }] }, { as })),
    );
    expect(tries.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', ...Array(5).fill('SCM11007')]);
    expect(await tree(id)).toHaveLength(1);
  });
});

/** A main scene with launch condition, schedule, cycle and policy. */
async function filledScene(diseaseId: string) {
  const scene = await makeScene(app, diseaseId);
  const { scenePackageId } = scene;
  await app.ok(
    addOrModifyConditionIdDataList,
    { diseaseId, scenePackageId, expType: 1, id: '', dataDetail: [row('range', '7,9')] },
    { as },
  );
  await app.ok(addSchedule, { scenePackageId, dayOffset: 3, sendTime: '09:00', target: 'AUTO', touchKind: 'CARE' }, { as });
  await app.ok(
    addOrModifyPackageCycle,
    {
      scenePackageId,
      timeOption: 'EVERY_OTHER_DAY',
      sendTime: '10:30',
      age: 20,
      playMode: 'ROTATE',
      target: 'GROUP',
      touchKind: 'EDUCATION',
    },
    { as },
  );
  const { draft, version } = await app.ok(queryScenePackage, { scenePackageId }, { as });
  await app.ok(modifyScenePackagePolicy, { scenePackageId, version, ...draft, priority: 9, childExclusive: true }, { as });
  return scene;
}

describe('renaming and copying', () => {
  it('refuses empty, long and taken names, foreign scenes and stale versions', async () => {
    const { id: diseaseId } = await makeDisease(app, 1);
    const [scene, beside] = [await makeScene(app, diseaseId), await makeScene(app, diseaseId)];
    for (const corpusInfoLogo of ['', 1, '1'] as const) {
      const rename = (sceneName: unknown) => ({ id: scene.id, sceneName, corpusInfoLogo, diseaseId });
      expect(await app.refused(modifySceneName, rename(''), { as })).toMatchObject({ code: 'SCM11005', message: '请输入场景名称' });
      expect(await app.refused(modifySceneName, rename('一'.repeat(33)), { as })).toMatchObject({ code: 'SCM11006' });
      expect(await app.refused(modifySceneName, rename(beside.sceneName), { as })).toMatchObject({ code: 'SCM11007' });
    }
    const other = await makeDisease(app, 1);
    expect(
      await app.refused(modifySceneName, { id: scene.id, sceneName: '新名', corpusInfoLogo: '', diseaseId: other.id }, { as }),
    ).toMatchObject({ code: 'SCM90040' });
    await app.ok(modifySceneName, { id: scene.id, sceneName: '新名', corpusInfoLogo: '', diseaseId }, { as, ifMatch: 1 });
    expect(
      await app.refused(modifySceneName, { id: scene.id, sceneName: '更新的名', corpusInfoLogo: '', diseaseId }, { as, ifMatch: 1 }),
    ).toMatchObject({
      code: 'SCM90030',
      data: { current: { sceneName: '新名', version: 2 } },
    });
    // another caller without If-Match is not checked; changing the case of its own name is no double
    await app.ok(modifySceneName, { id: scene.id, sceneName: '新名a', corpusInfoLogo: '', diseaseId }, { as });
    await app.ok(modifySceneName, { id: scene.id, sceneName: '新名A', corpusInfoLogo: '', diseaseId }, { as });
    expect((await tree(diseaseId)).map(({ sceneName }) => sceneName)).toEqual(['新名A', beside.sceneName]);
  });

  it('a copy has content, conditions, cycle, policy and children, each with its own keys', async () => {
    const { id: diseaseId } = await makeDisease(app, 1);
    const scene = await filledScene(diseaseId);
    const child = await makeChild(app, scene);
    await app.ok(
      addOrModifyConditionIdDataList,
      { diseaseId, scenePackageId: child.scenePackageId, expType: 2, id: '', dataDetail: [row('<', '6.5')] },
      { as },
    );
    const { envelope } = await app.send(modifySceneName, { id: scene.id, sceneName: '副本', corpusInfoLogo: 1, diseaseId }, { as });
    expect(envelope).toMatchObject({
      code: '0000000',
      message: '修改成功!',
      data: { sceneName: '副本', corpusInfoLogo: 1, state: 'UNPUBLISHED' },
    });

    const [original, copy] = await tree(diseaseId);
    expect(original).toMatchObject({ id: scene.id, sceneName: scene.sceneName });
    expect(copy!.dataDetail).toMatchObject([{ childSceneName: child.childSceneName, mainSceneId: copy!.id, chatFlag: 1 }]);
    const read = async (scenePackageId: string) => ({
      launch: (await app.ok(queryConditionIdDataList, { scenePackageId, expType: 1 }, { as })).rows,
      stop: (await app.ok(queryConditionIdDataList, { scenePackageId, expType: 2 }, { as })).rows,
      schedule: (await app.ok(queryScheduleList, { scenePackageId }, { as })).rows,
      cycle: (await app.ok(queryPackageCycle, { scenePackageId }, { as })).cycle,
      draft: (await app.ok(queryScenePackage, { scenePackageId }, { as })).draft,
    });
    const [from, to] = [await read(scene.scenePackageId), await read(copy!.scenePackageId)];
    expect(to.launch).toEqual(from.launch.map((one) => ({ ...one, scenePackageId: copy!.scenePackageId })));
    expect(to.draft).toEqual(from.draft);
    expect(to.cycle).toMatchObject({ timeOption: 'EVERY_OTHER_DAY', sendTime: '10:30', age: 20, version: 1 });
    expect(to.schedule).toMatchObject([{ dayOffset: 3, sendTime: '09:00' }]);
    expect(to.schedule[0]!.itemKey).not.toBe(from.schedule[0]!.itemKey);
    expect((await read(copy!.dataDetail[0]!.scenePackageId)).stop).toMatchObject([{ operatorValue: '<', conditionValue: '6.5' }]);
  });
});

describe('deleting', () => {
  it('refuses a sign that does not match, a foreign disease, a running scene and a stale version', async () => {
    const { id: diseaseid } = await makeDisease(app, 1);
    const other = await makeDisease(app, 1);
    const scene = await makeScene(app, diseaseid);
    const child = await makeChild(app, scene);
    for (const input of [
      { id: scene.id, diseaseid, sign: 2 },
      { id: child.id, diseaseid, sign: 1 },
      { id: scene.id, diseaseid: other.id, sign: 1 },
    ]) {
      expect(await app.refused(delScene, input, { as })).toMatchObject({ code: 'SCM90040' });
    }
    await sql`update corpus_scene_package set state = 'RUNNING' where id = ${child.scenePackageId}`.execute(app.db);
    for (const input of [
      { id: scene.id, diseaseid, sign: 1 },
      { id: child.id, diseaseid, sign: '2' },
    ]) {
      expect(await app.refused(delScene, input, { as })).toMatchObject({
        code: 'SCM11008',
        message: '场景正在运行（进行中0人），请先下线后再删除',
      });
    }
    await sql`update corpus_scene_package set state = 'UNPUBLISHED' where id = ${child.scenePackageId}`.execute(app.db);
    expect(await app.refused(delScene, { id: scene.id, diseaseid, sign: 1 }, { as, ifMatch: 7 })).toMatchObject({ code: 'SCM90030' });

    await app.ok(delScene, { id: scene.id, diseaseid, sign: '1' }, { as, ifMatch: 1 });
    expect(await tree(diseaseid)).toEqual([]);
    expect(await app.refused(delScene, { id: child.id, diseaseid, sign: 2 }, { as })).toMatchObject({ code: 'SCM90040' });
    expect(await app.refused(queryScenePackage, { scenePackageId: child.scenePackageId }, { as })).toMatchObject({ code: 'SCM90040' });
    // the name is free again
    await makeScene(app, diseaseid, scene.sceneName);
  });

  it('ends in one state when a disease and its scenes are deleted at once', async () => {
    const { id: diseaseid } = await makeDisease(app, 1);
    const scene = await makeScene(app, diseaseid);
    const answers = await Promise.all([
      app.send(delScene, { id: scene.id, diseaseid, sign: 1 }, { as }),
      app.send(addScene, { diseaseId: diseaseid, dataDetail: [{ sceneName: scene.sceneName, ...both }] }, { as }),
      app.send(delScene, { id: scene.id, diseaseid, sign: 1 }, { as }),
    ]);
    expect(answers.map(({ envelope }) => envelope.code)).not.toContain('SCM99999');
    expect((await tree(diseaseid)).length).toBeLessThanOrEqual(1);
  });
});
