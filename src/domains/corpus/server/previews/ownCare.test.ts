import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOfDay } from '#kernel/contract/time.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { openSingleChat } from '#domains/consultation/server/index.ts';
import { makeColleague, makeSufferer, type Colleague } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { queryPatientDetail } from '#domains/patient/contract/calls/sufferer.ts';
import { makeDiagnosis } from '#domains/patient/server/testing/fixtures.ts';
import { queryScenePreview, queryScenePreviewRows } from '../../contract/engine/previewCalls.ts';
import { querySceneReplay, querySceneReplayRows } from '../../contract/engine/replayCalls.ts';
import { addSceneSimulation, querySceneSimulationList } from '../../contract/engine/simulationCalls.ts';
import { evaluateForPatient } from '../../contract/scenePackageCalls.ts';
import { sweep, sweptDiseases } from '../engine/evaluation.ts';
import { agree, dryRun, maker, prepareScene } from '../testing/engineWorld.ts';
import { stateHba1c } from '../testing/fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ now: '2026-11-01T02:00:00.000Z' });
});
afterAll(() => app.close());

describe('what is tried out of a scene', () => {
  it('shows an assistant the patients in his own conversations, and nothing of one in which another one serves the same patient', async () => {
    const [colleague, second] = [await makeColleague(app), await makeColleague(app)];
    const { patientId, operatorId } = await makeSufferer(app);
    await makeDiagnosis(app, patientId, { icd10: 'E11.9' });
    await stateHba1c(app, patientId, '8');
    await agree(app, patientId);
    await app.runDue();
    const talkTo = async ({ imUserId }: Colleague) => {
      const conversationId = await app.kernel.transactions.run('test', (writing) =>
        openSingleChat(app.kernel, writing, { assistantOperatorId: imUserId.slice(1), suffererOperatorId: operatorId }, app.clock.now()),
      );
      await app.runDue();
      return conversationId;
    };
    const conversationId = await talkTo(colleague);
    const scene = await prepareScene(app, { items: [{ dayOffset: 1, sendTime: '11:00' }] });
    // A day that is over, so that the draft can be run against it.
    app.clock.set(startOfDay('2026-11-02', '05:00'));
    await sweep(jobContext(app), await sweptDiseases(app.db));
    await app.runDue();
    app.clock.set(startOfDay('2026-11-05', '10:00'));
    // Their sessions of the first day are over.
    await sql`update identity_session set idle_expires_at = '2026-12-01', absolute_expires_at = '2026-12-01'`.execute(app.db);
    const { scenePackageId } = scene;
    const by = await maker(app);
    await dryRun(app, { scenePackageId, by });
    const { previewId: simulated } = await app.ok(addSceneSimulation, { scenePackageId, source: 'DRAFT', days: 3 }, { as: by });
    await app.runDue();
    const preview = (await app.ok(queryScenePreview, { scenePackageId }, { as: by }))!;
    const replay = (await app.ok(querySceneReplay, { scenePackageId }, { as: by }))!;
    const seenBy = async (as: TestStaff) => {
      const lists = [
        await app.ok(queryScenePreviewRows, { previewId: preview.previewId }, { as }),
        await app.ok(querySceneReplayRows, { previewId: replay.replayId }, { as }),
        await app.ok(querySceneSimulationList, { previewId: simulated }, { as }),
      ];
      return lists.map(({ rows, total }) => ({ persons: [...new Set(rows.map((row) => row.patientId))], total }));
    };

    const ofSecond = await talkTo(second);
    expect(await seenBy(second.staff)).toEqual([1, 2, 3].map(() => ({ persons: [], total: 0 })));
    const trial = { scenePackageId, patientId, expType: 1 } as const;
    expect(await app.refused(evaluateForPatient, { ...trial, conversationId }, { as: second.staff })).toMatchObject({ code: 'SCM90040' });
    expect(await app.ok(evaluateForPatient, { ...trial, conversationId: ofSecond }, { as: second.staff })).toMatchObject({ held: true });
    // He serves the patient all the same.
    expect(await app.ok(queryPatientDetail, { patientId }, { as: second.staff })).toMatchObject({ patientId });
    for (const list of await seenBy(colleague.staff)) {
      expect(list.persons).toEqual([patientId]);
      expect(list.total).toBeGreaterThan(0);
    }
  });
});
