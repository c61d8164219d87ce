import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, minutes, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { queryScenePreview, queryScenePreviewRows } from '../../contract/engine/previewCalls.ts';
import { addFollowRun, operateFollowRun, queryFollowRunDetail, queryFollowRunList } from '../../contract/engine/runCalls.ts';
import { queryFollowSendList } from '../../contract/engine/sendCalls.ts';
import { queryPackageVersionList } from '../../contract/engine/versionCalls.ts';
import { modifySceneName } from '../../contract/sceneCalls.ts';
import { modifyScenePackagePolicy, queryScenePackage } from '../../contract/scenePackageCalls.ts';
import { addSchedule, queryScheduleList } from '../../contract/scheduleCalls.ts';
import { transferGroup } from '#domains/consultation/contract/calls/queue.ts';
import { systemDeed } from '#domains/consultation/server/deed.ts';
import { closeGroup } from '#domains/consultation/server/groups/close.ts';
import { openDeskGroup, openSingleChat } from '#domains/consultation/server/index.ts';
import { groupRowOf, makeColleague, makeInquiry, makeSufferer, type Colleague } from '#domains/consultation/server/testing/inquiryWorld.ts';
import { queryPatientDetail } from '#domains/patient/contract/calls/sufferer.ts';
import { makeDiagnosis } from '#domains/patient/server/testing/fixtures.ts';
import { fresh, row, stateHba1c } from '../testing/fixtures.ts';
import {
  agree,
  audit,
  auditRefused,
  dryRun,
  engineMessages,
  maker,
  makeText,
  makeTreated,
  newestVersion,
  prepareScene,
  publishScene,
  runsOf,
  sendNow,
  sendsOf,
  statesOf,
} from '../testing/engineWorld.ts';
import { claimDue } from './claim.ts';
import { deliver } from './deliver.ts';
import { sweep, sweptDiseases } from './evaluation.ts';

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
    // Acceptance 9: the same a second time.
    const rowsOf = async (id: string) => (await app.ok(queryScenePreviewRows, { previewId: id }, { as: scene.by })).rows;
    expect(await rowsOf(await dryRun(app, scene))).toEqual(rows);
    // Acceptance 8: of another content that says nothing.
    const prioritise = async (priority: number) => {
      const { draft, version } = await app.ok(queryScenePackage, { scenePackageId: scene.scenePackageId }, { as: scene.by });
      await app.ok(modifyScenePackagePolicy, { scenePackageId: scene.scenePackageId, version, ...draft, priority }, { as: scene.by });
    };
    await prioritise(9);
    expect(await auditRefused(app, scene, 'submit', scene.by)).toMatchObject({ code: 'SCM11024', message: '请先完成试运行' });
    await prioritise(5);
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

    // Acceptance 8: what is edited now changes none of those under way.
    const touches = await sendsOf(app, scene.scenePackageId);
    await prioritise(9);
    await app.ok(
      addSchedule,
      { scenePackageId: scene.scenePackageId, dayOffset: 2, sendTime: '10:00', target: 'SINGLE', touchKind: 'CARE' },
      { as: scene.by },
    );
    await app.runDue();
    expect(await runsOf(app, scene.scenePackageId)).toEqual(runs);
    expect(await sendsOf(app, scene.scenePackageId)).toEqual(touches);

    // Acceptance 3: a copy has neither versions nor runs.
    const copied = await app.ok(
      modifySceneName,
      { id: scene.sceneId, sceneName: fresh('副本'), corpusInfoLogo: 1, diseaseId: scene.diseaseId },
      { as: scene.by },
    );
    const copy = { scenePackageId: copied.scenePackageId };
    expect(await app.ok(queryPackageVersionList, copy, { as: scene.by })).toMatchObject({ total: 0 });
    expect(await runsOf(app, copied.scenePackageId)).toEqual([]);
    expect((await app.ok(queryScheduleList, copy, { as: scene.by })).rows).toHaveLength(2);
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
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([
      {
        patientId,
        state: 'STOPPED',
        stopReason: 'STOP_CONDITION',
        stopExplain: [{ variableName: '糖化血红蛋白', operatorValue: '>', conditionValue: '7.5', verdict: 'HELD', value: '8' }],
      },
    ]);
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

describe('an entry', () => {
  // Acceptance 10.
  it('comes when the conditions begin to hold, once; again only after an end, a time in which they did not hold, and the days set', async () => {
    app.clock.set(startOfDay('2026-11-24', '10:00'));
    const { patientId } = await makeTreated(app, { icd10: 'N18', hba1c: '5.8' });
    const wish = { icd10: 'N18', items: [{ dayOffset: 30, sendTime: '09:00' }] } as const;
    const again = await publishScene(app, { ...wish, policy: { reentry: 'AFTER_DAYS', reentryDays: 2 } });
    const never = await publishScene(app, { ...wish, policy: { reentry: 'NEVER', reentryDays: null } });
    const entries = async () => [(await runsOf(app, again.scenePackageId)).length, (await runsOf(app, never.scenePackageId)).length];
    const states = async (hba1c: string) => {
      await stateHba1c(app, patientId, hba1c);
      await app.advance(minutes(1));
      return entries();
    };
    const look = async (later: number) => {
      app.clock.advance(later);
      await sweep(jobContext(app), await sweptDiseases(app.db));
      return entries();
    };
    const end = async () => {
      const runIds = [...(await runsOf(app, again.scenePackageId)), ...(await runsOf(app, never.scenePackageId))].map(({ id }) => id);
      await app.ok(operateFollowRun, { runIds, action: 'stop', opinion: '患者要求' }, { as: await maker(app) });
    };
    expect(await entries()).toEqual([0, 0]);
    expect(await states('8')).toEqual([1, 1]);
    // They go on holding: nothing begins, neither during the run nor after it.
    expect(await states('9')).toEqual([1, 1]);
    await end();
    expect(await states('8.5')).toEqual([1, 1]);
    expect(await look(hours(72))).toEqual([1, 1]);
    // They did not hold meanwhile and the days are over.
    expect(await states('6')).toEqual([1, 1]);
    expect(await states('8')).toEqual([2, 1]);
    // Not before the days are over, although they begin to hold again; the daily look at everybody lets in who waits.
    await end();
    expect(await states('6')).toEqual([2, 1]);
    expect(await states('8')).toEqual([2, 1]);
    expect(await look(hours(24))).toEqual([2, 1]);
    expect(await look(hours(48))).toEqual([3, 1]);
  });
});

describe('the assistant of a group changes', () => {
  // Acceptance 12.
  it('what was planned goes out in the name of the new one, a repeat in that of the first; each is one message', async () => {
    app.clock.set(startOfDay('2026-12-07', '08:40'));
    await sql`update corpus_engine_setting set same_material_gap_days = 0`.execute(app.db);
    const { sufferer, primary, groupId } = await makeInquiry(app);
    await makeDiagnosis(app, sufferer.patientId, { icd10: 'L40' });
    await agree(app, sufferer.patientId);
    const colleague = await makeColleague(app);
    const scene = await publishScene(app, {
      icd10: 'L40',
      group: true,
      launch: [],
      policy: { entryMode: 'MANUAL', activeGuardMin: 0 },
      items: ['09:00', '09:30', '10:00'].map((sendTime) => ({ dayOffset: 0, sendTime })),
    });
    await app.ok(
      addFollowRun,
      { scenePackageId: scene.scenePackageId, patientIds: [sufferer.patientId], reason: '术后随访' },
      { as: scene.by },
    );
    const hand = async (from: Colleague, to: Colleague) => {
      const { version } = await groupRowOf(app, groupId);
      await app.ok(transferGroup, { groupId, version, toAssistantId: to.assistantId, reason: '交接班' }, { as: from.staff });
      await app.runDue();
    };
    const operator = ({ imUserId }: Colleague) => imUserId.slice(1);
    const senders = async () => (await sendsOf(app, scene.scenePackageId)).map(({ state, senderId }) => [state, senderId]);

    await hand(primary, colleague);
    app.clock.set(startOfDay('2026-12-07', '09:00'));
    await sendNow(app);
    expect((await senders())[0]).toEqual(['SENT', operator(colleague)]);

    // The chat has it in the name of the first, nobody knows, he hands over.
    app.clock.set(startOfDay('2026-12-07', '09:30'));
    const [unknown] = await claimDue(jobContext(app), 10, 10);
    await deliver(jobContext(app), [unknown!]);
    await sql`
      update corpus_follow_send
        set state = 'UNKNOWN', sent_at = null, last_seq = null, lease_until = ${app.clock.now()}::timestamptz + interval '30 seconds',
          bubbles = jsonb_set(bubbles, '{0,seq}', 'null')
        where id = ${unknown!}`.execute(app.db);
    await hand(colleague, primary);
    app.clock.advance(30_000);
    await sendNow(app);
    expect((await senders())[1]).toEqual(['SENT', operator(colleague)]);

    // Claimed in his name and not yet in the chat.
    await hand(primary, colleague);
    app.clock.set(startOfDay('2026-12-07', '10:00'));
    await claimDue(jobContext(app), 10, 10);
    expect((await senders())[2]).toEqual(['SENDING', operator(colleague)]);
    // He is no longer in the group and may not write there: the chat refuses, the next try is in the name of who answers now.
    await hand(colleague, primary);
    for (let n = 0; n < 4; n += 1) {
      app.clock.advance(minutes(1));
      await sendNow(app);
    }
    expect((await senders())[2]).toEqual(['SENT', operator(primary)]);
    const { convId } = await groupRowOf(app, groupId);
    expect(await engineMessages(app, convId)).toHaveLength(3);
  });
});

describe('a group that is closed', () => {
  // Acceptance 23.
  it('leaves the single chat to what may go there; what is for groups only has no channel', async () => {
    app.clock.set(startOfDay('2026-12-08', '10:00'));
    await sql`update corpus_engine_setting set same_material_gap_days = 0`.execute(app.db);
    const { sufferer, primary, groupId } = await makeInquiry(app);
    await makeDiagnosis(app, sufferer.patientId, { icd10: 'J45' });
    await agree(app, sufferer.patientId);
    const single = await app.kernel.transactions.run('test', (writing) =>
      openSingleChat(
        app.kernel,
        writing,
        { assistantOperatorId: primary.imUserId.slice(1), suffererOperatorId: sufferer.operatorId },
        app.clock.now(),
      ),
    );
    const scene = await publishScene(app, {
      icd10: 'J45',
      group: true,
      single: true,
      launch: [],
      policy: { entryMode: 'MANUAL', activeGuardMin: 0 },
      items: [
        { dayOffset: 1, sendTime: '08:30', target: 'AUTO' },
        { dayOffset: 1, sendTime: '09:00', target: 'AUTO' },
        { dayOffset: 1, sendTime: '09:30', target: 'GROUP' },
        { dayOffset: 2, sendTime: '09:00', target: 'SINGLE' },
      ],
      materialIds: [await makeText(app, '请记录峰流速')],
    });
    await app.ok(
      addFollowRun,
      { scenePackageId: scene.scenePackageId, patientIds: [sufferer.patientId], reason: '复诊随访' },
      { as: scene.by },
    );
    const group = await groupRowOf(app, groupId);
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ conversationId: group.convId }]);
    // One is already claimed into the group.
    app.clock.set(startOfDay('2026-12-09', '08:30'));
    await claimDue(jobContext(app), 10, 10);
    expect((await sendsOf(app, scene.scenePackageId))[0]).toMatchObject({ state: 'SENDING', conversationId: group.convId });
    await app.kernel.transactions.run('test', (writing) =>
      closeGroup(systemDeed(writing, { kernel: app.kernel, now: app.clock.now(), traceId: 'test' }), group),
    );
    await app.runDue();
    for (const time of ['08:31', '08:32', '08:33', '09:00', '09:30']) {
      app.clock.set(startOfDay('2026-12-09', time));
      await sendNow(app);
    }
    expect(await runsOf(app, scene.scenePackageId)).toMatchObject([{ state: 'RUNNING' }]);
    expect(await sendsOf(app, scene.scenePackageId)).toMatchObject([
      { target: 'AUTO', state: 'SENT', conversationId: single },
      { target: 'AUTO', state: 'SENT', conversationId: single },
      { target: 'GROUP', state: 'SKIPPED', reasonCode: 'NO_CHANNEL', conversationId: null },
      { target: 'SINGLE', state: 'PLANNED' },
    ]);
    expect(await engineMessages(app, single)).toMatchObject([{ text: '请记录峰流速' }, { text: '请记录峰流速' }]);
    expect(await engineMessages(app, group.convId)).toEqual([]);
  });
});

describe('a desk of guidance', () => {
  // Acceptance 23.
  it('is no place for follow-ups: who has only it enters nothing, who has a single chat too is written to there', async () => {
    app.clock.set(startOfDay('2026-12-10', '08:40'));
    await sql`update corpus_engine_setting set same_material_gap_days = 0`.execute(app.db);
    const colleague = await makeColleague(app);
    const received = async () => {
      const sufferer = await makeSufferer(app);
      await makeDiagnosis(app, sufferer.patientId, { icd10: 'M05' });
      await agree(app, sufferer.patientId);
      await app.runDue();
      const group = await app.kernel.transactions.run('test', (writing) =>
        openDeskGroup(systemDeed(writing, { kernel: app.kernel, now: app.clock.now(), traceId: 'test' }), { ...sufferer, source: null }),
      );
      return { ...sufferer, group: group! };
    };
    const alone = await received();
    const served = await received();
    expect(alone.group.groupId).toMatch(/^DZT/);
    const single = await app.kernel.transactions.run('test', (writing) =>
      openSingleChat(
        app.kernel,
        writing,
        { assistantOperatorId: colleague.imUserId.slice(1), suffererOperatorId: served.operatorId },
        app.clock.now(),
      ),
    );
    await app.runDue();
    const scene = await publishScene(app, {
      icd10: 'M05',
      group: true,
      single: true,
      launch: [],
      policy: { entryMode: 'MANUAL', activeGuardMin: 0 },
      items: [
        { dayOffset: 0, sendTime: '09:00', target: 'AUTO' },
        { dayOffset: 0, sendTime: '09:30', target: 'GROUP' },
      ],
    });
    const patientIds = [alone.patientId, served.patientId];
    const entered = await app.ok(addFollowRun, { scenePackageId: scene.scenePackageId, patientIds, reason: '晨僵随访' }, { as: scene.by });
    expect(entered.map(({ ok }) => ok)).toEqual([false, true]);
    for (const time of ['09:00', '09:30']) {
      app.clock.set(startOfDay('2026-12-10', time));
      await sendNow(app);
    }
    expect(await sendsOf(app, scene.scenePackageId)).toMatchObject([
      { patientId: served.patientId, state: 'SENT', conversationId: single },
      { patientId: served.patientId, state: 'SKIPPED', reasonCode: 'NO_CHANNEL' },
    ]);
    for (const { group } of [alone, served]) expect(await engineMessages(app, group.convId)).toEqual([]);
  });
});

describe('an assistant', () => {
  // Acceptance 25.
  it('sees the runs of his own conversations, and of no other one, be it of the same patient', async () => {
    app.clock.set(startOfDay('2026-12-11', '10:00'));
    const [colleague, other, second] = [await makeColleague(app), await makeColleague(app), await makeColleague(app)];
    const { patientId, operatorId } = await makeSufferer(app);
    await makeDiagnosis(app, patientId, { icd10: 'B18' });
    await agree(app, patientId);
    await app.runDue();
    const talkTo = async ({ imUserId }: Colleague) => {
      await app.kernel.transactions.run('test', (writing) =>
        openSingleChat(app.kernel, writing, { assistantOperatorId: imUserId.slice(1), suffererOperatorId: operatorId }, app.clock.now()),
      );
      await app.runDue();
    };
    await talkTo(colleague);
    const scene = await publishScene(app, { icd10: 'B18', launch: [], policy: { entryMode: 'MANUAL' } });
    const [entered] = await app.ok(
      addFollowRun,
      { scenePackageId: scene.scenePackageId, patientIds: [patientId], reason: '复查' },
      { as: scene.by },
    );
    expect(entered).toMatchObject({ ok: true });
    const seenBy = ({ staff }: Colleague) => app.ok(queryFollowRunList, { sceneId: scene.sceneId }, { as: staff });
    expect(await seenBy(other)).toMatchObject({ rows: [], total: 0 });
    const { rows } = await seenBy(colleague);
    expect(rows).toMatchObject([{ patientId }]);
    await talkTo(second);
    for (const stranger of [other, second]) {
      expect(await seenBy(stranger)).toMatchObject({ rows: [], total: 0 });
      const hidden = await app.refused(queryFollowRunDetail, { runId: rows[0]!.id }, { as: stranger.staff });
      expect(hidden.code).toBe('SCM90040');
    }
    const touches = ({ staff }: Colleague) => app.ok(queryFollowSendList, { sceneId: scene.sceneId }, { as: staff });
    expect((await touches(colleague)).total).toBeGreaterThan(0);
    expect(await touches(second)).toMatchObject({ rows: [], total: 0 });
    // He serves the patient all the same.
    expect(await app.ok(queryPatientDetail, { patientId }, { as: second.staff })).toMatchObject({ patientId });
    await app.ok(queryFollowRunDetail, { runId: rows[0]!.id }, { as: colleague.staff });
  });
});
