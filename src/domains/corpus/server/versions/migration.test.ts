import { jobContext } from '#testing/jobContext.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusMs, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { Touch } from '../../contract/engine/planRun.ts';
import type { SendState } from '../../contract/engine/states.ts';
import { queryPackageState, queryPackageVersionDiff } from '../../contract/engine/versionCalls.ts';
import { addSchedule, delSchedule, modifySchedule, queryScheduleList } from '../../contract/scheduleCalls.ts';
import { addSceneReplay } from '../../contract/engine/replayCalls.ts';
import {
  audit,
  auditRefused,
  dryRun,
  giveMaterials,
  makeText,
  makeTreated,
  newestVersion,
  publishScene,
  runsOf,
  sendNow,
  sendsOf,
} from '../testing/engineWorld.ts';
import { rollRuns } from '../engine/lifecycle.ts';
import { migrateJob } from './audit.ts';
import { planChanges } from '../engine/replan.ts';

const NOW = '2026-11-21T02:00:00.000Z';
const touch = (itemKey: string, hours: number, materialId = '1'): Touch => ({
  itemKey,
  occurrence: 0,
  target: 'SINGLE',
  touchKind: 'CARE',
  materialIds: [materialId],
  itemConditions: [],
  dueAt: plusMs(NOW, hours * 3_600_000),
  expiresAt: plusMs(NOW, (hours + 24) * 3_600_000),
});
const stored = (itemKey: string, state: SendState, hours: number) => ({
  dedupeKey: `FU:7:${itemKey}:0`,
  state,
  priority: 5,
  target: 'SINGLE' as const,
  touchKind: 'CARE' as const,
  itemConditions: [],
  dueAt: plusMs(NOW, hours * 3_600_000),
  expiresAt: plusMs(NOW, (hours + 24) * 3_600_000),
  materialIds: ['1'],
});
const changes = (before: Parameters<typeof planChanges>[1], touches: readonly Touch[], priority = 5) =>
  planChanges('7', before, { touches, priority }, NOW);

describe('what a move to another version does', () => {
  it('moves what is open, cancels what is gone, adds what is to come; what was tried stays and what is over is not made up for', () => {
    const before = [stored('kept', 'PLANNED', 5), stored('moved', 'HELD', 5), stored('gone', 'PLANNED', 5), stored('sent', 'SENT', -5)];
    const plan = changes(before, [touch('kept', 5), touch('moved', 6), touch('sent', 9), touch('new', 3), touch('late', -1)]);
    expect({
      moved: plan.moved.map(({ key }) => key),
      cancelled: plan.cancelled,
      added: plan.added.map(({ itemKey }) => itemKey),
      tooLate: plan.tooLate.map(({ itemKey }) => itemKey),
    }).toEqual({ moved: ['FU:7:moved:0'], cancelled: ['FU:7:gone:0'], added: ['new'], tooLate: ['late'] });
  });
  it('a material that changed moves the touch although its time did not', () => {
    expect(changes([stored('a', 'PLANNED', 5)], [touch('a', 5, '2')]).moved).toHaveLength(1);
  });
  it('so does anything else that changed of it', () => {
    const before = [stored('a', 'PLANNED', 5)];
    const changed: Partial<Touch>[] = [{ target: 'GROUP' }, { touchKind: 'CHECK' }, { expiresAt: plusMs(NOW, 3_600_000) }];
    for (const change of changed) expect(changes(before, [{ ...touch('a', 5), ...change }]).moved).toHaveLength(1);
    expect(changes(before, [touch('a', 5)], 9).moved).toHaveLength(1);
  });
  it('nothing is moved to a time at which it would be over; what a plan had left out comes back with it', () => {
    const { moved, revived } = changes([stored('a', 'PLANNED', 5), stored('b', 'CANCELLED', 5)], [touch('a', -25, '2'), touch('b', 6)]);
    expect(moved.map(({ touch: { dueAt } }) => dueAt)).toEqual([plusMs(NOW, 5 * 3_600_000)]);
    expect(revived.map(({ key }) => key)).toEqual(['FU:7:b:0']);
  });
  it('only the coming days are written', () => {
    expect(changes([], [touch('soon', 24), touch('far', 24 * 15)]).added.map(({ itemKey }) => itemKey)).toEqual(['soon']);
  });
});

describe('a second version', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  it('leaves those under way or takes them along, as its auditor chooses, and can be taken back', async () => {
    const { conversationId } = await makeTreated(app, { icd10: 'J45', hba1c: '8' });
    const scene = await publishScene(app, {
      icd10: 'J45',
      items: [
        { dayOffset: 0, sendTime: '11:00' },
        { dayOffset: 4, sendTime: '09:00' },
      ],
    });
    app.clock.set(startOfDay('2026-11-21', '11:00'));
    await sendNow(app);
    expect(await sendsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'SENT', conversationId }, { state: 'PLANNED' }]);

    const { rows: items } = await app.ok(queryScheduleList, { scenePackageId: scene.scenePackageId }, { as: scene.by });
    await app.ok(delSchedule, { id: items[1]!.id, version: items[1]!.version }, { as: scene.by });
    await app.ok(
      addSchedule,
      { scenePackageId: scene.scenePackageId, dayOffset: 6, sendTime: '10:00', target: 'SINGLE', touchKind: 'CARE' },
      { as: scene.by },
    );
    // Its message is sent, and what is added for an hour ago is not made up for.
    const { id, version, target, touchKind } = items[0]!;
    await app.ok(modifySchedule, { id, version, dayOffset: 0, sendTime: '17:00', target, touchKind }, { as: scene.by });
    await app.ok(
      addSchedule,
      { scenePackageId: scene.scenePackageId, dayOffset: 0, sendTime: '10:30', target: 'SINGLE', touchKind: 'CARE' },
      { as: scene.by },
    );
    await giveMaterials(app, scene.scenePackageId, [await makeText(app, '第二版')]);
    const first = await newestVersion(app, scene);
    expect(await app.ok(queryPackageState, { scenePackageId: scene.scenePackageId }, { as: scene.by })).toMatchObject({
      isDirty: true,
      liveRuns: 1,
      publishedSeq: 1,
    });
    const diff = await app.ok(queryPackageVersionDiff, { scenePackageId: scene.scenePackageId, from: first.id }, { as: scene.by });
    expect(diff.migration).toEqual({ runs: 1, added: 1, moved: 0, cancelled: 1, tooLate: 1 });
    expect(diff.differences.map(({ label }) => label)).toContain('第6天日程');

    await dryRun(app, scene);
    await audit(app, scene, 'submit', scene.by);
    const { id: versionId } = await newestVersion(app, scene);
    expect(await auditRefused(app, scene, 'approve', scene.checker, { versionId })).toMatchObject({ code: 'SCM11022' });
    await audit(app, scene, 'approve', scene.checker, { versionId, migrateMode: 'MIGRATE' });
    await app.runDue();
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ packageVersionId: versionId, state: 'RUNNING' }]);
    expect(await sendsOf(app, scene.scenePackageId)).toMatchObject([
      { state: 'SENT', dueAt: startOfDay('2026-11-21', '11:00') },
      { state: 'CANCELLED', dueAt: startOfDay('2026-11-25', '09:00') },
      { state: 'PLANNED', dueAt: startOfDay('2026-11-27', '10:00') },
    ]);
    // The night makes up for it no more than the move did.
    await rollRuns(jobContext(app));
    expect(await sendsOf(app, scene.scenePackageId)).toHaveLength(3);
    expect(
      await auditRefused(app, scene, 'rollback', scene.checker, { versionId: first.id, migrateMode: 'KEEP', opinion: '内容有误' }),
    ).toMatchObject({
      code: 'SCM11025',
    });
    await app.ok(addSceneReplay, { scenePackageId: scene.scenePackageId, versionId: first.id }, { as: scene.checker });
    await app.runDue();
    expect(await auditRefused(app, scene, 'rollback', scene.checker, { versionId: first.id, migrateMode: 'KEEP' })).toMatchObject({
      code: 'SCM90020',
    });
    await audit(app, scene, 'rollback', scene.checker, { versionId: first.id, migrateMode: 'KEEP', opinion: '内容有误' });
    await audit(app, scene, 'offline', scene.checker, { opinion: '不再使用' });
    await app.runDue();
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'STOPPED', stopReason: 'SCENE_OFFLINE' }]);
    expect((await sendsOf(app, scene.scenePackageId)).at(-1)).toMatchObject({ state: 'CANCELLED' });
  });

  it('takes the others along where one of those under way cannot be moved, and that one when it can', async () => {
    app.clock.set(startOfDay('2026-12-07', '09:30'));
    const disease = { icd10: 'M10', hba1c: '8' };
    const patients = [await makeTreated(app, disease), await makeTreated(app, disease), await makeTreated(app, disease)];
    const scene = await publishScene(app, { icd10: 'M10', items: [{ dayOffset: 2, sendTime: '09:00' }] });
    expect(await runsOf(app, scene.scenePackageId)).toHaveLength(patients.length);
    await giveMaterials(app, scene.scenePackageId, [await makeText(app, '第二版')]);
    await dryRun(app, scene);
    await audit(app, scene, 'submit', scene.by);
    const { id: versionId } = await newestVersion(app, scene);
    await audit(app, scene, 'approve', scene.checker, { versionId, migrateMode: 'MIGRATE' });
    const wrong = patients[1]!.patientId;
    await app.database.asOwner(`
      create function cannot_move() returns trigger language plpgsql as $$ begin
        if new.patient_id = ${wrong} and new.package_version_id = ${versionId} then raise exception 'cannot move'; end if;
        return new; end $$;
      create trigger cannot_move before update on corpus_follow_run for each row execute function cannot_move()`);
    const migrate = () => migrateJob.run({ scenePackageId: scene.scenePackageId, versionId }, jobContext(app));
    const stay = async () =>
      (await runsOf(app, scene.scenePackageId)).filter(({ packageVersionId }) => packageVersionId !== versionId).length;
    await expect(migrate()).rejects.toThrow('1项处理失败，其余已处理');
    expect(await stay()).toBe(1);
    await app.database.asOwner('drop function cannot_move() cascade');
    await migrate();
    expect(await stay()).toBe(0);
    await app.runDue();
  });
});
