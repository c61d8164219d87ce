import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { makeSufferer } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { makeDiagnosis } from '#domains/patient/server/testing/fixtures.ts';
import { addFollowRun, operateFollowRun } from '../../contract/engine/runCalls.ts';
import { agree, maker, makeTreated, prepareScene, publishScene, runsOf, type Prepared } from '../testing/engineWorld.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ now: startOfDay('2026-11-21', '10:00') });
});
afterAll(() => app.close());

const join = async ({ scenePackageId }: Prepared, patientIds: readonly string[]) =>
  app.ok(addFollowRun, { scenePackageId, patientIds: [...patientIds], reason: '家属要求' }, { as: await maker(app) });

describe('a patient who is let into a scene by hand', () => {
  it('is refused by name where the scene does not run, he does not agree, has no conversation, or is in it', async () => {
    const draft = await prepareScene(app, { icd10: 'K50' });
    const closed = await app.refused(
      addFollowRun,
      { scenePackageId: draft.scenePackageId, patientIds: ['1'], reason: '家属要求' },
      { as: draft.by },
    );
    expect(closed).toMatchObject({ code: 'SCM90020' });

    const scene = await publishScene(app, { icd10: 'K51', launch: [], policy: { entryMode: 'MANUAL' } });
    const unwilling = await makeTreated(app, { icd10: 'K51', consent: false });
    const { patientId: alone } = await makeSufferer(app);
    await makeDiagnosis(app, alone, { icd10: 'K51' });
    await agree(app, alone);
    const willing = await makeTreated(app, { icd10: 'K51' });
    const first = await join(scene, ['999999999', unwilling.patientId, alone, willing.patientId]);
    expect(first.map(({ ok, code, message }) => (ok ? 'ok' : `${code} ${message}`))).toEqual([
      expect.stringContaining('SCM90040'),
      'SCM11031 患者未授权随访触达，不能加入',
      'SCM11032 未找到可用的群聊或单聊',
      'ok',
    ]);
    expect(await join(scene, [willing.patientId])).toMatchObject([{ ok: false, code: 'SCM11030', message: '患者已在该场景中' }]);
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ patientId: willing.patientId, entrySource: 'MANUAL' }]);
  });

  it('comes again only when the days that the scene sets are over, and never where it says so', async () => {
    const willing = await makeTreated(app, { icd10: 'K52' });
    const scene = (reentry: 'AFTER_DAYS' | 'NEVER', reentryDays: number | null) =>
      publishScene(app, { icd10: 'K52', launch: [], policy: { entryMode: 'MANUAL', reentry, reentryDays } });
    const [after, never] = [await scene('AFTER_DAYS', 3), await scene('NEVER', null)];
    for (const one of [after, never]) {
      await join(one, [willing.patientId]);
      const [run] = await runsOf(app, one.scenePackageId);
      await app.ok(operateFollowRun, { runIds: [run!.id], action: 'stop', opinion: '已出院' }, { as: await maker(app) });
    }
    app.clock.advance(days(2));
    expect(await join(after, [willing.patientId])).toMatchObject([{ code: 'SCM11033', message: '未到再次进入时间（2026-11-24）' }]);
    app.clock.advance(days(1));
    expect(await join(after, [willing.patientId])).toMatchObject([{ ok: true }]);
    expect(await join(never, [willing.patientId])).toMatchObject([{ code: 'SCM11033', message: '未到再次进入时间（不可重复进入）' }]);
    expect((await runsOf(app, after.scenePackageId)).map(({ state }) => state)).toEqual(['STOPPED', 'RUNNING']);
    expect(await runsOf(app, never.scenePackageId)).toHaveLength(1);
  });
});
