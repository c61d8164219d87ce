import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { modifySceneName, querySceneList } from '../../contract/sceneCalls.ts';
import {
  addOrModifyPackageCycle,
  addSchedule,
  modifySchedule,
  queryPackageCycle,
  queryScheduleList,
  type ScheduleRow,
} from '../../contract/scheduleCalls.ts';
import { corpusOperator, fresh, makeSceneOfNewDisease } from '../testing/fixtures.ts';
import { editor, makeMaterial } from '../testing/materialFixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const item = { dayOffset: 1, sendTime: '09:00', target: 'AUTO', touchKind: 'CARE' } as const;
const cycle = { timeOption: 'EVERY_DAY', sendTime: '09:00', age: 10, target: 'AUTO', touchKind: 'CARE' } as const;
const make = async (count: number) => {
  const as = await editor(app);
  const made = await Promise.all(Array.from({ length: count }, () => makeMaterial(app, as)));
  return made.map(({ id }) => id);
};

it('an item sends five at most, each there and once, in the order given; what is not sent stays', async () => {
  const { scenePackageId } = await makeSceneOfNewDisease(app);
  const as = await corpusOperator(app);
  const ids = await make(6);
  const add = (materialIds: string[]) => app.refused(addSchedule, { scenePackageId, ...item, materialIds }, { as });
  expect(await add(ids)).toMatchObject({ code: 'SCM11063', message: '每条日程最多5个素材' });
  expect((await add([ids[0]!, ids[0]!])).fields).toMatchObject([{ path: 'materialIds', message: '素材不能重复' }]);
  expect((await add(['999999999'])).fields).toMatchObject([{ path: 'materialIds', message: '素材不存在或已删除' }]);
  const order = [ids[3]!, ids[1]!];
  const stored = await app.ok(addSchedule, { scenePackageId, ...item, materialIds: order }, { as });
  expect(stored.materialIds).toEqual(order);
  const moved = await app.ok(modifySchedule, { id: stored.id, version: stored.version, ...item, dayOffset: 2 }, { as });
  expect(moved.materialIds).toEqual(order);
  expect(await app.ok(modifySchedule, { id: stored.id, version: moved.version, ...item, materialIds: [] }, { as })).toMatchObject({
    materialIds: [],
  });
});

it('a cycle sends five at once, or thirty by turns', async () => {
  const { scenePackageId } = await makeSceneOfNewDisease(app);
  const as = await corpusOperator(app);
  const ids = await make(31);
  const save = { scenePackageId, ...cycle };
  expect(await app.refused(addOrModifyPackageCycle, { ...save, playMode: 'SAME', materialIds: ids.slice(0, 6) }, { as })).toMatchObject({
    code: 'SCM11063',
  });
  expect((await app.refused(addOrModifyPackageCycle, { ...save, playMode: 'ROTATE', materialIds: ids }, { as })).fields).toMatchObject([
    { message: '周期最多30个素材' },
  ]);
  const { cycle: stored } = await app.ok(addOrModifyPackageCycle, { ...save, playMode: 'ROTATE', materialIds: ids.slice(0, 30) }, { as });
  expect(stored!.materialIds).toHaveLength(30);
  expect(await app.refused(addOrModifyPackageCycle, { ...save, playMode: 'SAME' }, { as })).toMatchObject({ code: 'SCM11063' });
});

it('a copy of a scene sends the same', async () => {
  const scene = await makeSceneOfNewDisease(app);
  const as = await corpusOperator(app);
  const ids = await make(3);
  await app.ok(addSchedule, { scenePackageId: scene.scenePackageId, ...item, materialIds: ids }, { as });
  await app.ok(addOrModifyPackageCycle, { scenePackageId: scene.scenePackageId, ...cycle, playMode: 'ROTATE', materialIds: ids }, { as });
  const name = fresh('副本');
  await app.ok(modifySceneName, { id: scene.id, sceneName: name, corpusInfoLogo: 1, diseaseId: scene.diseaseId }, { as });
  const { rows } = await app.ok(querySceneList, { diseaseId: scene.diseaseId, pageNo: 1, pageSize: 999 }, { as });
  const { scenePackageId } = rows.find(({ sceneName }) => sceneName === name)!;
  const copied: ScheduleRow[] = (await app.ok(queryScheduleList, { scenePackageId }, { as })).rows;
  expect(copied.map(({ materialIds }) => materialIds)).toEqual([ids]);
  expect((await app.ok(queryPackageCycle, { scenePackageId }, { as })).cycle!.materialIds).toEqual(ids);
});
