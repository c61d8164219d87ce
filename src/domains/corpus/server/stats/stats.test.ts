import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addFollowRun } from '../../contract/engine/runCalls.ts';
import { querySceneFigures } from '../../contract/figureCalls.ts';
import { queryFollowFunnel, queryFollowStat } from '../../contract/stats/calls.ts';
import { makeTreated, publishScene, sendNow, sendsOf } from '../testing/engineWorld.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

it('counts what was due by day, item, material and version, rates of what was sent; not without the right, not over too long a time', async () => {
  app.clock.set(startOfDay('2026-11-23', '09:30'));
  const patients = [await makeTreated(app), await makeTreated(app), await makeTreated(app)];
  const scene = await publishScene(app, {
    launch: [],
    policy: { entryMode: 'MANUAL', activeGuardMin: 0 },
    items: [
      { dayOffset: 0, sendTime: '10:00', touchKind: 'MEDICATION' },
      { dayOffset: 2, sendTime: '10:00' },
    ],
  });
  await app.ok(
    addFollowRun,
    { scenePackageId: scene.scenePackageId, patientIds: patients.map(({ patientId }) => patientId), reason: '试发' },
    { as: scene.by },
  );
  app.clock.set(startOfDay('2026-11-23', '10:00'));
  await sendNow(app);
  const [first] = await sendsOf(app, scene.scenePackageId);
  await sql`update corpus_follow_send set read_at = ${app.clock.now()}, replied_at = ${app.clock.now()} where id = ${first!.id}`.execute(
    app.db,
  );

  const month = { from: '2026-11-01', to: '2026-11-30', sceneId: scene.sceneId };
  expect(await app.refused(queryFollowFunnel, month, { as: scene.by })).toMatchObject({ code: 'SCM90010' });
  const as = await app.staff({ permissions: ['corpus.stat.view'] });
  expect(await app.refused(queryFollowFunnel, { ...month, from: '2026-08-01' }, { as })).toMatchObject({
    fields: [{ path: 'to', message: '最多统计92天' }],
  });
  expect(await app.refused(queryFollowFunnel, { ...month, to: '2026-10-01' }, { as })).toMatchObject({ fields: [{ path: 'to' }] });

  const sent = { sent: 3, read: 1, replied: 1, converted: 0, skipped: 0, failed: 0, readBp: 3333, repliedBp: 3333, convertedBp: 0 };
  expect(await app.ok(queryFollowFunnel, month, { as })).toEqual({ ...sent, planned: 6 });
  const by = (groupBy: 'day' | 'item' | 'material' | 'version' | 'scene' | 'assistant') =>
    app.ok(queryFollowStat, { ...month, groupBy }, { as });
  expect(await by('day')).toMatchObject([
    { key: '2026-11-23', label: '2026-11-23', planned: 3, ...sent },
    { key: '2026-11-25', planned: 3, sent: 0, readBp: null },
  ]);
  expect((await by('item')).map(({ label }) => label).toSorted()).toEqual(['第0天 10:00 用药提醒', '第2天 10:00 关怀']);
  expect(await by('material')).toMatchObject([
    { planned: 3, sent: 3 },
    { planned: 3, sent: 0 },
  ]);
  expect(await by('version')).toMatchObject([{ label: expect.stringMatching(/ V1$/) as string, planned: 6 }]);
  expect(await by('assistant')).toMatchObject([{ planned: 6, sent: 3 }]);
  const viewer = await app.staff({ permissions: ['corpus.corpus.view'] });
  expect(await app.ok(querySceneFigures, { diseaseId: scene.diseaseId }, { as: viewer })).toMatchObject([
    { scenePackageId: scene.scenePackageId, publishedSeq: 1, isDirty: false, liveRuns: 3, sent: 3, readBp: 3333, convertedBp: 0 },
  ]);
  expect(await by('scene')).toMatchObject([{ key: scene.sceneId, planned: 6 }]);
  const elsewhere = await app.staff({ permissions: ['corpus.stat.view'], scope: { region: ['65'] } });
  expect(await app.ok(queryFollowFunnel, month, { as: elsewhere })).toMatchObject({ planned: 0, readBp: null });
});
