import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { querySceneList } from '../../contract/sceneCalls.ts';
import { modifyScenePackagePolicy, queryScenePackage } from '../../contract/scenePackageCalls.ts';
import {
  addOrModifyPackageCycle,
  addSchedule,
  delPackageCycle,
  delSchedule,
  modifySchedule,
  queryPackageCycle,
  queryScheduleList,
  sortSchedule,
} from '../../contract/scheduleCalls.ts';
import { corpusOperator, makeChild, makeSceneOfNewDisease, row } from '../testing/fixtures.ts';

let app: TestApp;
let as: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  as = await corpusOperator(app);
});
afterAll(() => app.close());

const item = { dayOffset: 1, sendTime: '09:00', target: 'AUTO', touchKind: 'CARE' } as const;

describe('schedule', () => {
  it.each([
    [{ sendTime: '08:00' }, 'SCM11060'],
    [{ sendTime: '09:15' }, 'SCM11060'],
    [{ sendTime: '19:00' }, 'SCM11060'],
    [{ sendTime: '' }, 'SCM11060'],
    [{ dayOffset: -1 }, 'SCM11061'],
    [{ dayOffset: 366 }, 'SCM11061'],
    [{ dayOffset: 1.5 }, 'SCM11061'],
    [{ dayOffset: '' }, 'SCM11061'],
    [{ dayOffset: 2 }, 'SCM11062'],
  ])('refuses %o', async (fault, code) => {
    const { scenePackageId } = await makeSceneOfNewDisease(app);
    await app.ok(addSchedule, { scenePackageId, ...item, dayOffset: 2 }, { as });
    const stored = await app.ok(addSchedule, { scenePackageId, ...item, dayOffset: 3 }, { as });
    expect(await app.refused(addSchedule, { scenePackageId, ...item, ...fault }, { as })).toMatchObject({ code });
    expect(await app.refused(modifySchedule, { id: stored.id, version: 1, ...item, ...fault }, { as })).toMatchObject({ code });
    if ('dayOffset' in fault) {
      const dataDetail = [{ id: stored.id, version: 1, dayOffset: fault.dayOffset }];
      expect(await app.refused(sortSchedule, { scenePackageId, dataDetail }, { as })).toMatchObject({ code });
    }
  });

  it("sends only where the scene's tag allows", async () => {
    const scene = await makeSceneOfNewDisease(app);
    const child = await makeChild(app, scene); // single chat only
    expect(await app.refused(addSchedule, { scenePackageId: child.scenePackageId, ...item, target: 'GROUP' }, { as })).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'target' }],
    });
    await app.ok(addSchedule, { scenePackageId: child.scenePackageId, ...item, target: 'SINGLE' }, { as });
  });

  it('adds, changes, swaps days and deletes; refuses stale versions', async () => {
    const scene = await makeSceneOfNewDisease(app);
    const { scenePackageId, diseaseId } = scene;
    const first = await app.ok(addSchedule, { scenePackageId, ...item, itemConditions: [row('>', '7')] }, { as });
    const second = await app.ok(addSchedule, { scenePackageId, ...item, dayOffset: 5 }, { as });
    expect(first).toMatchObject({ version: 1, itemConditions: [{ variableName: '糖化血红蛋白', conditionValue: '7' }] });
    const logo = async () => (await app.ok(querySceneList, { diseaseId, pageNo: 1, pageSize: 999 }, { as })).rows[0]!.corpusInfoLogo;
    expect(await logo()).toBe(1);

    const dataDetail = [
      { id: first.id, version: 1, dayOffset: 5 },
      { id: second.id, version: 1, dayOffset: 1 },
    ];
    const swapped = await app.ok(sortSchedule, { scenePackageId, dataDetail }, { as });
    expect(swapped.map(({ id, dayOffset, version, itemKey }) => [id, dayOffset, version, itemKey])).toEqual([
      [second.id, 1, 2, second.itemKey],
      [first.id, 5, 2, first.itemKey],
    ]);
    expect(await app.refused(sortSchedule, { scenePackageId, dataDetail }, { as })).toMatchObject({ code: 'SCM90030' });
    expect(await app.refused(modifySchedule, { id: first.id, ...item, dayOffset: 9, version: 1 }, { as })).toMatchObject({
      code: 'SCM90030',
      data: { current: { dayOffset: 5 } },
    });
    const changed = await app.ok(modifySchedule, { id: first.id, ...item, dayOffset: 9, version: 2 }, { as });
    expect(changed).toMatchObject({ dayOffset: 9, itemConditions: [{ conditionValue: '7' }], itemKey: first.itemKey });
    expect(await app.refused(delSchedule, { id: first.id, version: 2 }, { as })).toMatchObject({ code: 'SCM90030' });
    await app.ok(delSchedule, { id: first.id, version: 3 }, { as });
    await app.ok(delSchedule, { id: second.id, version: 2 }, { as });
    expect(await app.ok(queryScheduleList, { scenePackageId }, { as })).toEqual({ rows: [], total: 0 });
    expect(await logo()).toBe('');
  });

  it('lets one of several items have a slot when they come at once', async () => {
    const { scenePackageId } = await makeSceneOfNewDisease(app);
    const tries = await Promise.all(Array.from({ length: 6 }, () => app.send(addSchedule, { scenePackageId, ...item }, { as })));
    expect(tries.map(({ envelope }) => envelope.code).sort()).toEqual(['0000000', ...Array(5).fill('SCM11062')]);
  });
});

describe('cycle', () => {
  const cycle = { timeOption: 'EVERY_OTHER_DAY', sendTime: '09:00', age: '', playMode: 'SAME', target: 'AUTO', touchKind: 'CARE' } as const;

  it('refuses a wrong slot, age and version; answers the days of a patient who enters now', async () => {
    const { scenePackageId } = await makeSceneOfNewDisease(app);
    expect(await app.refused(addOrModifyPackageCycle, { scenePackageId, ...cycle, sendTime: '07:30' }, { as })).toMatchObject({
      code: 'SCM11060',
    });
    expect(await app.refused(addOrModifyPackageCycle, { scenePackageId, ...cycle, age: 15 }, { as })).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'age', message: '日龄不正确' }],
    });
    expect(await app.ok(queryPackageCycle, { scenePackageId }, { as })).toEqual({ cycle: null, previewDays: [], restDays: [] });

    // 2026-11-21 10:00 in Shanghai: today's 09:00 is past
    const saved = await app.ok(addOrModifyPackageCycle, { scenePackageId, ...cycle, version: 0 }, { as });
    expect(saved).toMatchObject({ cycle: { age: '', version: 1 }, restDays: [] });
    expect(saved.previewDays).toEqual(['2026-11-23', '2026-11-25', '2026-11-27', '2026-11-29', '2026-12-01', '2026-12-03']);
    expect(await app.refused(addOrModifyPackageCycle, { scenePackageId, ...cycle, version: 0 }, { as })).toMatchObject({
      code: 'SCM90030',
    });
    await app.ok(addOrModifyPackageCycle, { scenePackageId, ...cycle, timeOption: 'EVERY_TWO_DAYS', age: '10', version: 1 }, { as });
    await app.advance(hours(15)); // 2026-11-22 01:00, and everybody's session is over
    as = await corpusOperator(app);
    expect((await app.ok(queryPackageCycle, { scenePackageId }, { as })).previewDays).toEqual([
      '2026-11-22',
      '2026-11-25',
      '2026-11-28',
      '2026-12-01',
    ]);

    expect(await app.refused(delPackageCycle, { scenePackageId, version: 1 }, { as })).toMatchObject({ code: 'SCM90030' });
    await app.ok(delPackageCycle, { scenePackageId, version: 2 }, { as });
    expect(await app.refused(delPackageCycle, { scenePackageId }, { as })).toMatchObject({ code: 'SCM90040' });
  });

  it('skips rest days of the work calendar under 仅工作日', async () => {
    const { scenePackageId } = await makeSceneOfNewDisease(app);
    const { draft } = await app.ok(queryScenePackage, { scenePackageId }, { as });
    await app.ok(modifyScenePackagePolicy, { scenePackageId, version: 1, ...draft, calendarMode: 'WORKDAY' }, { as });
    await app.ok(addOrModifyPackageCycle, { scenePackageId, ...cycle, timeOption: 'EVERY_DAY', age: 10 }, { as });
    const { previewDays, restDays } = await app.ok(queryPackageCycle, { scenePackageId }, { as });
    expect(restDays).toContain('2026-11-28');
    expect(previewDays.filter((day) => restDays.includes(day))).toEqual([]);
    expect(previewDays).toContain('2026-11-30');
  });
});

describe('policy', () => {
  it('refuses wrong numbers, exclusive children of a child, and a stale version', async () => {
    const scene = await makeSceneOfNewDisease(app);
    const child = await makeChild(app, scene);
    const { scenePackageId } = scene;
    const { draft, ...facts } = await app.ok(queryScenePackage, { scenePackageId }, { as });
    expect(facts).toMatchObject({ state: 'UNPUBLISHED', version: 1, sceneName: scene.sceneName, mainSceneId: '', chatFlag: 2 });
    expect(draft).toMatchObject({ entryMode: 'AUTO', reentry: 'NEVER', reentryDays: null, priority: 5, pauseHours: 24, goal: 'NONE' });
    for (const fault of [
      { priority: 10 },
      { pauseHours: 0 },
      { maxDelayHours: 73 },
      { activeGuardMin: 61 },
      { goalWindowDays: 31 },
      { reentry: 'AFTER_DAYS' },
    ]) {
      expect(await app.refused(modifyScenePackagePolicy, { scenePackageId, version: 1, ...draft, ...fault }, { as })).toMatchObject({
        code: 'SCM90020',
        fields: [{ path: Object.keys(fault)[0] === 'reentry' ? 'reentryDays' : Object.keys(fault)[0] }],
      });
    }
    expect(
      await app.refused(
        modifyScenePackagePolicy,
        { scenePackageId: child.scenePackageId, version: 1, ...draft, childExclusive: true },
        { as },
      ),
    ).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'childExclusive' }],
    });
    const saved = await app.ok(
      modifyScenePackagePolicy,
      { scenePackageId, version: 1, ...draft, reentry: 'AFTER_DAYS', reentryDays: 30 },
      { as },
    );
    expect(saved).toMatchObject({ version: 2, draft: { reentry: 'AFTER_DAYS', reentryDays: 30 } });
    expect(await app.refused(modifyScenePackagePolicy, { scenePackageId, version: 1, ...draft }, { as })).toMatchObject({
      code: 'SCM90030',
      data: { current: { reentryDays: 30, version: 2 } },
    });
  });
});
