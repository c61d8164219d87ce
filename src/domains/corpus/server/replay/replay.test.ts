import { jobContext } from '#testing/jobContext.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showInstant, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { addOrModifyConditionIdDataList, queryConditionIdDataList } from '../../contract/conditionCalls.ts';
import { addSceneReplay, queryDayReplay, querySceneReplay, querySceneReplayRows } from '../../contract/engine/replayCalls.ts';
import { addSceneSimulation, querySceneSimulation, querySceneSimulationList } from '../../contract/engine/simulationCalls.ts';
import { modifySchedule, queryScheduleList } from '../../contract/scheduleCalls.ts';
import { own } from '../database.ts';
import { sweep, sweptDiseases } from '../engine/evaluation.ts';
import { resumeDue } from '../engine/lifecycle.ts';
import { makeCrowd } from '../testing/crowd.ts';
import { row } from '../testing/fixtures.ts';
import {
  audit,
  auditRefused,
  checker,
  dryRun,
  maker,
  makeTreated,
  newestVersion,
  prepareScene,
  publishScene,
  says,
  sendNow,
  type Prepared,
} from '../testing/engineWorld.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-01T02:00:00.000Z' });
});
afterAll(() => app.close());

const at = startOfDay;

/** A day of the engine: everybody is looked at in the morning, and what is due goes out. */
async function liveThrough(day: string, times: readonly string[], meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  app.clock.set(at(day, '05:00'));
  await sweep(jobContext(app), await sweptDiseases(app.db));
  await app.runDue();
  await meanwhile();
  for (const time of times) {
    app.clock.set(at(day, time));
    await resumeDue(jobContext(app));
    await sendNow(app);
  }
}

/** Staff whose session began now: the clock of these tests runs for days. */
const again = async (scene: Prepared): Promise<Prepared> => ({ ...scene, by: await maker(app), checker: await checker(app) });

const newestReplay = async ({ scenePackageId }: Prepared, as: TestStaff, versionId?: string) => {
  const replay = (await app.ok(querySceneReplay, { scenePackageId, ...(versionId !== undefined && { versionId }) }, { as }))!;
  const { rows } = await app.ok(querySceneReplayRows, { previewId: replay.replayId, pageSize: 200 }, { as });
  return { replay, rows };
};

const compare = async (scene: Prepared) => {
  await app.ok(addSceneReplay, { scenePackageId: scene.scenePackageId }, { as: scene.by });
  await app.runDue();
  return newestReplay(scene, scene.by);
};

async function changeLaunch({ scenePackageId, diseaseId, by }: Prepared, value: string): Promise<void> {
  const set = await app.ok(queryConditionIdDataList, { scenePackageId, expType: 1 }, { as: by });
  await app.ok(
    addOrModifyConditionIdDataList,
    { diseaseId, scenePackageId, expType: 1, id: set.id, dataDetail: [row('>', value)] },
    { as: by, ifMatch: set.version },
  );
}

async function changeTime({ scenePackageId, by }: Prepared, dayOffset: number, sendTime: string): Promise<void> {
  const { rows: items } = await app.ok(queryScheduleList, { scenePackageId }, { as: by });
  const { id, version, target, touchKind, materialIds } = items.find((item) => item.dayOffset === dayOffset)!;
  await app.ok(modifySchedule, { id, version, dayOffset, sendTime, target, touchKind, materialIds }, { as: by });
}

describe('a changed scene', () => {
  it('is run against the days that were; nobody publishes it before it can be seen what it does to whom', async () => {
    // The items of this scene send one and the same text.
    await own(app.db).updateTable('corpusEngineSetting').set({ sameMaterialGapDays: 0 }).execute();
    const ill = await makeTreated(app, { hba1c: '8.2' });
    const mild = await makeTreated(app, { hba1c: '7.4' });
    let scene = await prepareScene(app, {
      items: [
        { dayOffset: 1, sendTime: '11:00' },
        { dayOffset: 3, sendTime: '09:00' },
      ],
      policy: { pauseHours: 24 },
    });
    // Of a time of which nothing was kept nothing is said.
    expect((await compare(scene)).replay).toMatchObject({ state: 'DONE', baseSeq: null, isCurrent: true, counts: { ADDED: 0 } });
    await dryRun(app, scene);
    await audit(app, scene, 'submit', scene.by);
    const first = await newestVersion(app, scene);
    await audit(app, scene, 'approve', scene.checker, { versionId: first.id });
    await app.runDue();
    await liveThrough('2026-11-02', ['11:00']);
    await liveThrough('2026-11-03', ['09:00', '11:00'], async () => {
      app.clock.set(at('2026-11-03', '10:00'));
      await says(app, mild.conversationId, 'PATIENT', '头晕');
    });
    await liveThrough('2026-11-04', ['09:00', '10:00']);
    app.clock.set(at('2026-11-05', '10:00'));
    scene = await again(scene);

    // Unchanged, all that was sent is sent again: the second patient a minute after his pause.
    const same = await compare(scene);
    expect(same.rows).toEqual([]);
    expect(same.replay).toMatchObject({
      baseSeq: 1,
      real: { sent: 4, matched: 4 },
      counts: { SAME: 4, ADDED: 0, DROPPED: 0, MOVED: 0, UNKNOWN: 0 },
    });
    expect(same.replay.days.find(({ day }) => day === '2026-11-03')).toMatchObject({ recorded: 2, persons: 2 });
    expect(same.replay.days.find(({ day }) => day === '2026-10-30')).toMatchObject({ recorded: 0, persons: 2 });

    // Later, and only for those who are worse.
    await changeTime(scene, 3, '09:30');
    await changeLaunch(scene, '8');
    expect(await auditRefused(app, scene, 'submit', scene.by)).toMatchObject({ code: 'SCM11024' });
    await dryRun(app, scene);
    const changed = await newestReplay(scene, scene.by);
    const of = (patientId: string) =>
      changed.rows.filter((one) => one.patientId === patientId).map(({ change, label, why }) => ({ change, label, why }));
    expect(of(ill.patientId)).toEqual([{ change: 'MOVED', label: '第3天 09:30', why: '计划时间 11-04 09:00 → 11-04 09:30' }]);
    expect(of(mild.patientId)).toEqual([
      { change: 'DROPPED', label: '第1天 11:00', why: '新版不发：不满足启动条件：患者.糖化血红蛋白 > 8（当时7.4）' },
      { change: 'DROPPED', label: '第3天 09:00', why: '新版不发：不满足启动条件：患者.糖化血红蛋白 > 8（当时7.4）' },
    ]);

    // The second person sees the very diff that was handed in with the version; a draft that went on since has none.
    await audit(app, scene, 'submit', scene.by);
    const second = await newestVersion(app, scene);
    expect((await newestReplay(scene, scene.checker, second.id)).replay).toMatchObject({
      replayId: changed.replay.replayId,
      contentHash: second.contentHash,
    });
    await own(app.db).updateTable('corpusPackageVersion').set({ replayId: null }).where('id', '=', second.id).execute();
    await own(app.db).deleteFrom('corpusScenePreview').where('kind', '=', 'REPLAY').where('contentHash', '=', second.contentHash).execute();
    expect(await auditRefused(app, scene, 'approve', scene.checker, { versionId: second.id, migrateMode: 'KEEP' })).toMatchObject({
      code: 'SCM11025',
    });
    await app.ok(addSceneReplay, { scenePackageId: scene.scenePackageId, versionId: second.id }, { as: scene.checker });
    await app.runDue();
    await audit(app, scene, 'approve', scene.checker, { versionId: second.id, migrateMode: 'KEEP' });
    const kept = await own(app.db).selectFrom('corpusPackageVersion').select('replayId').where('id', '=', second.id).executeTakeFirst();
    expect(kept).toEqual({ replayId: expect.any(String) });

    // A day that is over, decided again.
    const day = await app.ok(queryDayReplay, { scenePackageId: scene.scenePackageId, day: '2026-11-04' }, { as: scene.by });
    expect(day).toMatchObject({ decisions: { differs: 0, unknown: 0 }, sent: 2, sentAgain: 2, rows: [] });
    expect(day.decisions.same).toBeGreaterThanOrEqual(3);
    const entered = await app.ok(queryDayReplay, { scenePackageId: scene.scenePackageId, day: '2026-11-01' }, { as: scene.by });
    expect(entered).toMatchObject({ entries: { same: 2, differs: 0, unknown: 0 } });
    // Without what was kept nobody says that it was right.
    await own(app.db).deleteFrom('corpusGateTry').execute();
    expect(await app.ok(queryDayReplay, { scenePackageId: scene.scenePackageId, day: '2026-11-04' }, { as: scene.by })).toMatchObject({
      decisions: { same: 0, differs: 0, unknown: 2 },
    });
    await own(app.db).deleteFrom('corpusFactLog').where('at', '>=', at('2026-11-04')).execute();
    const unknown = await compare(scene);
    expect(unknown.rows.filter(({ change }) => change === 'UNKNOWN').map(({ why }) => why)).toContain('当日没有患者事实的记录');
  });
});

describe('the days to come', () => {
  it('are gone through by the same functions: within hours and caps, and the next real day is their first', async () => {
    app.clock.set(at('2026-11-09', '10:00'));
    const patients = [await makeTreated(app, { icd10: 'L40', hba1c: '9' }), await makeTreated(app, { icd10: 'L40', hba1c: '6' })];
    const scene = await prepareScene(app, {
      icd10: 'L40',
      items: ['09:00', '09:30', '10:00', '10:30', '11:00'].map((sendTime) => ({ dayOffset: 1, sendTime })),
      policy: { maxDelayHours: 12 },
    });
    await dryRun(app, scene);
    await audit(app, scene, 'submit', scene.by);
    const { id: versionId } = await newestVersion(app, scene);
    await audit(app, scene, 'approve', scene.checker, { versionId });
    await app.runDue();
    const { scenePackageId } = scene;
    expect(await app.refused(addSceneSimulation, { scenePackageId, source: 'PUBLISHED', days: 15 }, { as: scene.by })).toMatchObject({
      code: 'SCM90020',
    });
    const { previewId } = await app.ok(addSceneSimulation, { scenePackageId, source: 'PUBLISHED', days: 14 }, { as: scene.by });
    await app.runDue();
    const simulated = await app.ok(querySceneSimulation, { scenePackageId }, { as: scene.by });
    // Three a day, and what would come the day after is too old by then.
    expect(simulated).toMatchObject({ state: 'DONE', runs: 1, entered: 0, counts: { SENT: 3, SKIPPED: 2, HELD: 0, UNKNOWN: 0 }, atCap: 1 });
    expect(simulated!.slots.map(({ day, slot, sent, skipped, all }) => [day, slot, sent, skipped, all])).toEqual([
      ['2026-11-10', '09:00', 1, 0, 1],
      ['2026-11-10', '09:30', 1, 0, 1],
      ['2026-11-10', '10:00', 1, 0, 1],
      ['2026-11-10', '10:30', 0, 1, 0],
      ['2026-11-10', '11:00', 0, 1, 0],
    ]);
    await liveThrough('2026-11-10', ['09:00', '09:30', '10:00', '10:30', '11:00']);
    const { rows } = await app.ok(querySceneSimulationList, { previewId, pageSize: 200 }, { as: (await again(scene)).by });
    const real = await own(app.db)
      .selectFrom('corpusFollowSend')
      .select(['patientId', 'dueAt', 'state', 'claimedAt'])
      .where('scenePackageId', '=', scenePackageId)
      .orderBy('dueAt')
      .execute();
    expect(rows.map(({ patientId, dueAt, outcome, at: sentAt }) => ({ patientId, dueAt, state: outcome, claimedAt: sentAt }))).toEqual(
      real,
    );
    expect(real.map(({ patientId }) => patientId)).not.toContain(patients[1]!.patientId);
  });

  // Acceptance 22.
  it('of two thousand runs keep to the hours and to what a patient may get in a day', async () => {
    app.clock.set(at('2026-11-16', '10:00'));
    const patientIds = await makeCrowd(app, 2_000, 'K21');
    const scene = await publishScene(app, {
      icd10: 'K21',
      launch: [row('>=', '0', { variableId: '1', variableName: '年龄' })],
      items: ['09:00', '09:30', '10:00', '18:00'].map((sendTime) => ({ dayOffset: 1, sendTime })),
    });
    const { scenePackageId } = scene;
    await sweep(jobContext(app), await sweptDiseases(app.db));
    await app.runDue();
    const { previewId } = await app.ok(addSceneSimulation, { scenePackageId, source: 'PUBLISHED', days: 14 }, { as: scene.by });
    await app.runDue();
    const simulated = await app.ok(querySceneSimulation, { scenePackageId }, { as: scene.by });
    expect(simulated).toMatchObject({ state: 'DONE', runs: 2_000, counts: { SENT: 8_000, UNKNOWN: 0 } });
    expect(simulated!.done).toBe(simulated!.total);
    const perDay = new Map<string, number>();
    for (let pageNo = 1; pageNo <= 9; pageNo += 1) {
      const { rows } = await app.ok(querySceneSimulationList, { previewId, outcome: 'SENT', pageNo, pageSize: 999 }, { as: scene.by });
      for (const { patientId, at: sentAt } of rows) {
        const [day, time] = showInstant(sentAt!).split(' ');
        expect(time! >= '08:30' && time! <= '18:30', time).toBe(true);
        perDay.set(`${patientId} ${day}`, (perDay.get(`${patientId} ${day}`) ?? 0) + 1);
      }
    }
    // Three a day; the fourth comes the next morning.
    const [first, second] = ['2026-11-17', '2026-11-18'].map((day) => patientIds.map((id) => perDay.get(`${id} ${day}`)));
    expect([new Set(first), new Set(second), perDay.size]).toEqual([new Set([3]), new Set([1]), 4_000]);
  });
});
