import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { modifyEngineSetting, queryEngineState, querySendSwitchList, resumeSend, stopSend } from '../../contract/engine/engineCalls.ts';
import { exportFollowStat, queryFollowFunnel, queryFollowStat } from '../../contract/stats/calls.ts';
import { addScenePreview, queryScenePreview, queryScenePreviewRows } from '../../contract/engine/previewCalls.ts';
import { addSceneReplay, queryDayReplay, querySceneReplay, querySceneReplayRows } from '../../contract/engine/replayCalls.ts';
import {
  addSceneSimulation,
  exportSceneSimulationList,
  querySceneSimulation,
  querySceneSimulationList,
} from '../../contract/engine/simulationCalls.ts';
import {
  addFollowRun,
  exportFollowRunList,
  operateFollowRun,
  queryFollowRunDetail,
  queryFollowRunList,
  queryPatientFollowTimeline,
} from '../../contract/engine/runCalls.ts';
import { exportFollowSendList, queryFollowSendList, retryFollowSend, skipFollowSend } from '../../contract/engine/sendCalls.ts';
import {
  auditScenePackage,
  queryPackageState,
  queryPackageVersionDiff,
  queryPackageVersionList,
} from '../../contract/engine/versionCalls.ts';
import { own } from '../database.ts';
import { dryRun, makeTreated, prepareScene, publishScene, runsOf, sendsOf } from '../testing/engineWorld.ts';
import { makePatient, makeSceneOfNewDisease } from '../testing/fixtures.ts';
import { engineSetting } from './setting.ts';

const NONE = '999999999';
const aMonth = { from: '2026-11-01', to: '2026-11-30' };
const someScene = async (app: TestApp) => ({ scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId });

/** A patient in a scene with one touch before him. */
async function makeRun(app: TestApp) {
  const patient = await makeTreated(app, { icd10: 'L40', hba1c: '8' });
  const scene = await publishScene(app, { icd10: 'L40', items: [{ dayOffset: 2, sendTime: '09:00' }] });
  const run = (await runsOf(app, scene.scenePackageId)).find(({ patientId }) => patientId === patient.patientId)!;
  const send = (await sendsOf(app, scene.scenePackageId)).find(({ runId }) => runId === run.id)!;
  return { patient, scene, run, send };
}

/** A simulation with a touch in it. */
async function simulated(app: TestApp): Promise<string> {
  const { scene } = await makeRun(app);
  const { previewId } = await app.ok(
    addSceneSimulation,
    { scenePackageId: scene.scenePackageId, source: 'PUBLISHED', days: 14 },
    { as: scene.by },
  );
  await app.runDue();
  return previewId;
}

/** Cases of the sending half. */
export const engineCases: readonly CallCase[] = [
  callCase(queryPackageState, someScene, { foreign: async () => ({ scenePackageId: NONE }) }),
  callCase(queryPackageVersionList, someScene),
  callCase(queryPackageVersionDiff, someScene, { foreign: async () => ({ scenePackageId: NONE }) }),
  callCase(
    auditScenePackage,
    async (app) => {
      const scene = await prepareScene(app);
      await dryRun(app, scene);
      return { scenePackageId: scene.scenePackageId, action: 'submit' as const };
    },
    { as: { permissions: ['corpus.scene.edit'] }, foreign: async () => ({ scenePackageId: NONE, action: 'submit' as const }) },
  ),
  callCase(addScenePreview, async (app) => ({ ...(await someScene(app)), source: 'DRAFT' as const }), {
    foreign: async () => ({ scenePackageId: NONE, source: 'DRAFT' as const }),
  }),
  callCase(addSceneReplay, someScene, { foreign: async () => ({ scenePackageId: NONE }) }),
  callCase(querySceneReplay, someScene, { foreign: async () => ({ scenePackageId: NONE }) }),
  callCase(querySceneReplayRows, async (app) => {
    const scene = await prepareScene(app);
    await dryRun(app, scene);
    return { previewId: (await app.ok(querySceneReplay, { scenePackageId: scene.scenePackageId }, { as: scene.by }))!.replayId };
  }),
  callCase(addSceneSimulation, async (app) => ({ ...(await someScene(app)), source: 'DRAFT' as const, days: 14 }), {
    foreign: async () => ({ scenePackageId: NONE, source: 'DRAFT' as const, days: 14 }),
  }),
  callCase(querySceneSimulation, someScene, { foreign: async () => ({ scenePackageId: NONE }) }),
  callCase(querySceneSimulationList, async (app) => ({ previewId: await simulated(app) })),
  callCase(exportSceneSimulationList, async (app) => ({ previewId: await simulated(app) })),
  callCase(queryDayReplay, async (app) => ({ ...(await someScene(app)), day: '2026-11-20' }), {
    foreign: async () => ({ scenePackageId: NONE, day: '2026-11-20' }),
  }),
  callCase(queryFollowStat, async () => ({ ...aMonth, groupBy: 'day' as const })),
  callCase(exportFollowStat, async () => ({ ...aMonth, groupBy: 'day' as const })),
  callCase(queryFollowFunnel, async () => aMonth),
  callCase(queryScenePreview, someScene, { foreign: async () => ({ scenePackageId: NONE }) }),
  callCase(queryScenePreviewRows, async (app) => ({ previewId: await dryRun(app, await prepareScene(app)) })),
  callCase(queryFollowRunList, async () => ({})),
  callCase(exportFollowRunList, async (app) => ({ runNo: (await makeRun(app)).run.runNo })),
  callCase(queryFollowRunDetail, async (app) => ({ runId: (await makeRun(app)).run.id }), { foreign: async () => ({ runId: NONE }) }),
  callCase(
    addFollowRun,
    async (app) => {
      const { scene } = await makeRun(app);
      return {
        scenePackageId: scene.scenePackageId,
        patientIds: [(await makeTreated(app, { icd10: 'L40' })).patientId],
        reason: '医生要求',
      };
    },
    { foreign: async () => ({ scenePackageId: NONE, patientIds: [NONE], reason: '医生要求' }) },
  ),
  callCase(operateFollowRun, async (app) => ({ runIds: [(await makeRun(app)).run.id], action: 'pause' as const, opinion: '患者住院' })),
  callCase(queryPatientFollowTimeline, async (app) => ({ patientId: await makePatient(app) }), {
    foreign: async () => ({ patientId: NONE }),
  }),
  callCase(queryFollowSendList, async () => ({})),
  callCase(exportFollowSendList, async (app) => ({ sendNo: (await makeRun(app)).send.sendNo })),
  callCase(retryFollowSend, async (app) => {
    const { send, patient } = await makeRun(app);
    await own(app.db)
      .updateTable('corpusFollowSend')
      .set({ state: 'FAILED', conversationId: patient.conversationId })
      .where('id', '=', send.id)
      .execute();
    return { ids: [send.id] };
  }),
  callCase(skipFollowSend, async (app) => ({ ids: [(await makeRun(app)).send.id], reason: '重复' })),
  callCase(queryEngineState, async () => ({})),
  callCase(querySendSwitchList, async () => ({})),
  callCase(stopSend, async (app) => ({ scopeType: 'PATIENT' as const, scopeId: await makePatient(app), reason: '家属要求' }), {
    as: { permissions: ['corpus.run.operate'] },
  }),
  callCase(
    resumeSend,
    async (app, as) => {
      const scope = { scopeType: 'PATIENT' as const, scopeId: await makePatient(app) };
      await app.ok(stopSend, { ...scope, reason: '家属要求' }, { as });
      return { ...scope, onResume: 'SKIP' as const };
    },
    { as: { permissions: ['corpus.run.operate'] } },
  ),
  callCase(modifyEngineSetting, async (app) => {
    const { capPerDay, cap7Days, sameMaterialGapDays, ratePerSecond, breakerWindow, breakerFailBp, version } = await engineSetting(app.db);
    return { capPerDay, cap7Days, sameMaterialGapDays, ratePerSecond, breakerWindow, breakerFailBp, version };
  }),
];
