import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, minutes } from '../../../../kernel/contract/time.ts';
import { startTestApp, type TestApp } from '../../../../testing/testApp.ts';
import { queryScenePreview, queryScenePreviewRows } from '../../contract/engine/previewCalls.ts';
import { addFollowRun, operateFollowRun, queryFollowRunDetail } from '../../contract/engine/runCalls.ts';
import { groupRowOf, makeInquiry } from '../../../consultation/server/testing/inquiryWorld.ts';
import { makeDiagnosis } from '../../../patient/server/testing/fixtures.ts';
import { row } from '../testing/fixtures.ts';
import {
  agree,
  audit,
  auditRefused,
  dryRun,
  engineMessages,
  maker,
  makeTreated,
  newestVersion,
  prepareScene,
  publishScene,
  runsOf,
  sendNow,
  sendsOf,
  statesOf,
} from '../testing/engineWorld.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('a version', () => {
  it('is published by somebody else than who handed it in, after a dry run that lists whom the engine then enters', async () => {
    const ill = await makeTreated(app, { hba1c: '8.2' });
    const well = await makeTreated(app, { hba1c: '5.8' });
    const silent = await makeTreated(app, { hba1c: '9.1', consent: false });
    const scene = await prepareScene(app);
    expect(await auditRefused(app, scene, 'submit', scene.by)).toMatchObject({ code: 'SCM11024' });
    const previewId = await dryRun(app, scene);
    expect(await app.ok(queryScenePreview, { scenePackageId: scene.scenePackageId }, { as: scene.by })).toMatchObject({
      state: 'DONE',
      counts: { ENTER: 1, BLOCKED: 1, NOT: 1, LIVE: 0 },
    });
    const { rows } = await app.ok(queryScenePreviewRows, { previewId }, { as: scene.by });
    expect(new Map(rows.map(({ patientId, result, reason }) => [patientId, `${result}${reason}`]))).toEqual(
      new Map([
        [ill.patientId, 'ENTER'],
        [silent.patientId, 'BLOCKED未授权随访触达'],
        [well.patientId, 'NOT'],
      ]),
    );
    await audit(app, scene, 'submit', scene.by);
    const { id: versionId } = await newestVersion(app, scene);
    expect(await auditRefused(app, scene, 'submit', scene.by)).toMatchObject({ code: 'SCM11019' });
    expect(await auditRefused(app, scene, 'approve', scene.by, { versionId })).toMatchObject({ code: 'SCM90010' });
    const both = await app.staff({ permissions: ['corpus.scene.edit', 'corpus.scene.audit', 'corpus.corpus.view', 'corpus.run.view'] });
    await audit(app, scene, 'withdraw', scene.by, { versionId });
    await audit(app, scene, 'submit', both);
    const second = await newestVersion(app, scene);
    expect(await auditRefused(app, scene, 'approve', both, { versionId: second.id })).toMatchObject({ code: 'SCM11020' });
    await audit(app, scene, 'approve', scene.checker, { versionId: second.id });
    await app.runDue();
    const runs = await runsOf(app, scene.scenePackageId);
    expect(runs.map(({ patientId }) => patientId)).toEqual([ill.patientId]);
    expect(runs[0]).toMatchObject({ state: 'RUNNING', entrySource: 'AUTO', packageVersionId: second.id });
  });
});

describe('a touch', () => {
  it('is sent once, at its time, in the name of the assistant; the run ends when nothing is left', async () => {
    const { conversationId } = await makeTreated(app, { icd10: 'I10', hba1c: '8' });
    const scene = await publishScene(app, { icd10: 'I10' });
    expect(await statesOf(app, scene.scenePackageId)).toEqual(['PLANNED']);
    await sendNow(app);
    expect(await engineMessages(app, conversationId)).toEqual([]);
    await app.advance(hours(1));
    expect(await statesOf(app, scene.scenePackageId)).toEqual(['SENT']);
    await sendNow(app);
    const [send] = await sendsOf(app, scene.scenePackageId);
    expect(await engineMessages(app, conversationId)).toEqual([{ key: `${send!.dedupeKey}#1`, text: '请按时服药' }]);
    const detail = await app.ok(queryFollowRunDetail, { runId: send!.runId! }, { as: scene.by });
    expect(detail.touches[0]!.gateTrace.map(({ ok }) => ok)).toEqual(Array.from({ length: 11 }, () => true));
    expect(detail.entryExplain).toMatchObject([{ variableName: '糖化血红蛋白', verdict: 'HELD', value: '8' }]);
    await app.advance(hours(24));
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'FINISHED', sentCount: 1 }]);
  });

  it('waits while its run is paused by hand, and goes nowhere once the run is stopped', async () => {
    await makeTreated(app, { icd10: 'E78', hba1c: '8' });
    const scene = await publishScene(app, { icd10: 'E78', items: [{ dayOffset: 1, sendTime: '09:00' }] });
    const [run] = await runsOf(app, scene.scenePackageId);
    // A day is longer than a session.
    const act = async (action: 'pause' | 'resume' | 'stop', opinion = '') =>
      app.ok(operateFollowRun, { runIds: [run!.id], action, opinion }, { as: await maker(app) });
    expect(await app.refused(operateFollowRun, { runIds: [run!.id], action: 'pause' }, { as: scene.by })).toMatchObject({
      code: 'SCM90020',
    });
    expect(await act('pause', '患者住院')).toEqual([{ id: run!.id, ok: true, code: '', message: '' }]);
    await app.advance(hours(23));
    await sendNow(app);
    expect(await sendsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'HELD', reasonCode: 'PAUSED' }]);
    await app.advance(minutes(61));
    expect(await statesOf(app, scene.scenePackageId)).toEqual(['SENT']);
    expect(await act('stop', '患者要求')).toMatchObject([{ ok: true }]);
    expect(await act('pause', '患者要求')).toMatchObject([{ ok: false, code: 'SCM11034' }]);
  });

  it('is stopped with its run when the stop conditions hold', async () => {
    const { patientId } = await makeTreated(app, { icd10: 'M06', hba1c: '8' });
    const scene = await publishScene(app, { icd10: 'M06', stop: [row('>', '7.5')], items: [{ dayOffset: 0, sendTime: '18:00' }] });
    await app.advance(hours(9));
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ patientId, state: 'STOPPED', stopReason: 'STOP_CONDITION' }]);
    expect(await statesOf(app, scene.scenePackageId)).toEqual(['CANCELLED']);
  });
});

describe('a patient who moved to another doctor while a touch is due', () => {
  // Acceptance 23: what is written into a group follows the groups that are open.
  it('gets it in the group that he has now, in the name of its assistant; nothing goes where he was', async () => {
    const first = await makeInquiry(app);
    const { sufferer } = first;
    await makeDiagnosis(app, sufferer.patientId, { icd10: 'E11.9' });
    await agree(app, sufferer.patientId);
    const scene = await publishScene(app, {
      icd10: 'E11',
      group: true,
      launch: [],
      policy: { entryMode: 'MANUAL', activeGuardMin: 0, maxDelayHours: 72 },
      items: [{ dayOffset: 1, sendTime: '09:00' }],
    });
    const [joined] = await app.ok(
      addFollowRun,
      { scenePackageId: scene.scenePackageId, patientIds: [sufferer.patientId], reason: '术后随访' },
      { as: scene.by },
    );
    expect(joined).toMatchObject({ ok: true });
    const left = await groupRowOf(app, first.groupId);
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ conversationId: left.convId }]);
    const second = await makeInquiry(app, { sufferer });
    await sql`update consultation_medical_group set archived_at = ${app.clock.now()} where group_id = ${first.groupId}`.execute(app.db);
    const [planned] = await sendsOf(app, scene.scenePackageId);
    app.clock.set(planned!.dueAt);
    await sendNow(app);
    const now = await groupRowOf(app, second.groupId);
    expect(await sendsOf(app, scene.scenePackageId)).toMatchObject([
      { state: 'SENT', conversationId: now.convId, senderId: second.primary.imUserId.slice(1) },
    ]);
    expect(await engineMessages(app, left.convId)).toEqual([]);
    expect(await engineMessages(app, now.convId)).toHaveLength(1);
  });
});
