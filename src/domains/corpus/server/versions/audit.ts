import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import { corpusSceneChanged } from '#events/corpus.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { CommandContext, Writing } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { auditScenePackage, type PackageAction } from '../../contract/engine/versionCalls.ts';
import { packageMachine, versionMachine } from '../../contract/engine/states.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { lockPackage, type SceneRecord } from '../access.ts';
import { ownTx } from '../database.ts';
import { evaluatePackageJob } from '../engine/jobs.ts';
import { liveRunIds, runNo, stopAll } from '../engine/lifecycle.ts';
import { liftSwitch, throwSwitch } from '../engine/switches.ts';
import { replayOf } from '../replay/baseVersion.ts';
import { checksOf } from './checks.ts';
import { draftSnapshot, hashOf } from './draft.ts';
import { migrateRuns } from './migration.ts';
import { liveRunsOf, packageStateOf } from './packageState.ts';

type Input = Omit<InputOf<typeof auditScenePackage>, 'opinion'> & { opinion: string };
interface Acted {
  ctx: CommandContext;
  scene: SceneRecord;
  input: Input;
}

const VERSION = 'corpus.packageVersion';
const PACKAGE = 'corpus.scenePackage';
/** Runs of one transaction: each is as before or done, never between. */
const LOT = 200;

const versionsOf = (ctx: CommandContext, scenePackageId: string) =>
  ownTx(ctx.tx).selectFrom('corpusPackageVersion').selectAll().where('scenePackageId', '=', scenePackageId).forUpdate();
type Version = Awaited<ReturnType<ReturnType<typeof versionsOf>['executeTakeFirstOrThrow']>>;

async function namedVersion({ ctx, scene, input }: Acted): Promise<Version> {
  if (input.versionId === undefined) throw refuseField('versionId', '请选择版本');
  const row = await versionsOf(ctx, scene.scenePackageId).where('id', '=', String(input.versionId)).executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return row;
}

const setVersion = (
  ctx: CommandContext,
  row: Version,
  set: Partial<Pick<Version, 'state' | 'auditedBy' | 'auditedAt' | 'opinion' | 'migrateMode' | 'replayId'>>,
) =>
  ownTx(ctx.tx)
    .updateTable('corpusPackageVersion')
    .set((eb) => ({ ...set, version: eb('version', '+', 1) }))
    .where('id', '=', row.id)
    .execute();

const move = (
  ctx: CommandContext,
  row: Version,
  action: 'withdraw' | 'approve' | 'reject' | 'rollback' | 'supersede' | 'offline',
  opinion: string,
  sceneId?: string,
) =>
  moveState(ctx, versionMachine, {
    targetType: VERSION,
    targetId: row.id,
    targetNo: `V${row.seq}`,
    action,
    from: row.state,
    opinion,
    contributors: [row.submittedBy],
    drafts: sceneId === undefined ? [] : [{ type: 'corpus.scene', id: sceneId }],
    adopts: action === 'approve',
  });

async function submit({ ctx, scene, input }: Acted): Promise<void> {
  const { scenePackageId } = scene;
  const snapshot = await draftSnapshot(ownTx(ctx.tx), scenePackageId);
  const versions = await versionsOf(ctx, scenePackageId).orderBy('seq', 'desc').execute();
  if (versions.some(({ state }) => state === 'AUDITING')) throw refuse(corpusErrors.ALREADY_AUDITING);
  const checks = await checksOf(ctx.tx, scenePackageId, snapshot, ctx.now);
  const failed = checks.find(({ ok }) => !ok);
  if (failed) throw failed.refusal();
  const seq = (versions[0]?.seq ?? 0) + 1;
  const made = await ownTx(ctx.tx)
    .insertInto('corpusPackageVersion')
    .values({
      scenePackageId,
      seq,
      state: 'AUDITING',
      snapshot: JSON.stringify(snapshot),
      contentHash: hashOf(snapshot),
      submitNote: input.opinion,
      checks: JSON.stringify(checks.map(({ name, ok, detail }) => ({ name, ok, detail }))),
      submittedBy: ctx.staff.userId,
      submittedAt: ctx.now,
      replayId: await replayOf(ctx.tx, scenePackageId, hashOf(snapshot), ctx.now),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await noteWritten(ctx, ctx.staff.userId, VERSION, [made.id]);
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name });
  ctx.changed([{ path: 'version', label: '版本', before: null, after: `V${seq}` }]);
}

async function withdraw(acted: Acted): Promise<void> {
  const row = await namedVersion(acted);
  if (row.submittedBy !== acted.ctx.staff.userId) throw refuse(platformErrors.NO_PERMISSION, { permission: '撤回他人提交的版本' });
  const state = await move(acted.ctx, row, 'withdraw', '');
  await setVersion(acted.ctx, row, { state });
}

async function reject(acted: Acted): Promise<void> {
  const { ctx, input, scene } = acted;
  const row = await namedVersion(acted);
  const state = await move(ctx, row, 'reject', input.opinion, scene.id);
  await setVersion(ctx, row, { state, auditedBy: ctx.staff.userId, auditedAt: ctx.now, opinion: input.opinion });
  await ctx.enqueue(notifySubmitter, { scenePackageId: scene.scenePackageId, versionId: row.id });
}

/** Puts a version in force: the one before is superseded, the package runs, patients under way stay or move as chosen. */
async function publish({ ctx, scene, input }: Acted, row: Version, action: 'approve' | 'rollback'): Promise<void> {
  const { scenePackageId } = scene;
  const former = await versionsOf(ctx, scenePackageId).where('state', '=', 'PUBLISHED').executeTakeFirst();
  if (action === 'rollback' && (scene.state === 'UNPUBLISHED' || scene.state === 'OFFLINE'))
    throw refuse(platformErrors.WRONG_STATE, { state: packageMachine.states[scene.state].label });
  // Whoever decides sees what it does to which patients, against what is in force at this moment.
  const replayId = await replayOf(ctx.tx, scenePackageId, row.contentHash, null);
  if (replayId === null) throw refuse(corpusErrors.NO_REPLAY);
  const migrateMode = input.migrateMode ?? null;
  if (migrateMode === null && (await liveRunsOf(ctx.tx, scenePackageId)) > 0) throw refuse(corpusErrors.MIGRATE_MODE);
  const state = await move(ctx, row, action, input.opinion, scene.id);
  if (former) {
    await move(ctx, former, 'supersede', '');
    await setVersion(ctx, former, { state: 'SUPERSEDED' });
  }
  await setVersion(ctx, row, {
    state,
    migrateMode,
    replayId,
    ...(action === 'approve' && { auditedBy: ctx.staff.userId, auditedAt: ctx.now, opinion: input.opinion }),
  });
  if (packageMachine.canStart('publish', scene.state))
    await setPackage(
      { ctx, scene, input },
      await moveState(ctx, packageMachine, { ...packageTarget(scene), action: 'publish', from: scene.state }),
    );
  else await ctx.publish(corpusSceneChanged, scene.id, eventOf(scene, scene.state));
  if (migrateMode === 'MIGRATE') await ctx.enqueue(migrateJob, { scenePackageId, versionId: row.id });
  await ctx.enqueue(evaluatePackageJob, { scenePackageId }, { singletonKey: scenePackageId });
}

const packageTarget = (scene: SceneRecord) => ({ targetType: PACKAGE, targetId: scene.scenePackageId, targetNo: scene.name });
const eventOf = (scene: SceneRecord, state: SceneRecord['state']) => ({
  sceneId: scene.id,
  sceneName: scene.name,
  diseaseId: scene.diseaseId,
  diseaseName: scene.diseaseName,
  chatFlag: scene.chatFlag,
  state,
});

async function setPackage({ ctx, scene }: Acted, state: SceneRecord['state']): Promise<void> {
  await ownTx(ctx.tx)
    .updateTable('corpusScenePackage')
    .set((eb) => ({ state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', scene.scenePackageId)
    .execute();
  await ctx.publish(corpusSceneChanged, scene.id, eventOf(scene, state));
}

/** 停发, 恢复发送 and 下线: what happens to the package itself. */
async function changePackageState(acted: Acted, action: 'suspend' | 'resume' | 'offline'): Promise<void> {
  const { ctx, scene, input } = acted;
  if (action === 'resume' && input.onResume === undefined) throw refuseField('onResume', '请选择恢复方式');
  const state = await moveState(ctx, packageMachine, { ...packageTarget(scene), action, from: scene.state, opinion: input.opinion });
  const scope = { scopeType: 'SCENE' as const, scopeId: scene.id };
  if (action === 'suspend') await throwSwitch(ctx.tx, { ...scope, reason: input.opinion, until: null, by: ctx.staff.userId }, ctx.now);
  if (action === 'resume') await liftSwitch(ctx.tx, scope, { onResume: input.onResume!, by: ctx.staff.userId, now: ctx.now });
  if (action === 'offline') {
    await liftSwitch(ctx.tx, scope, { onResume: 'SKIP', by: ctx.staff.userId, now: ctx.now });
    const row = await versionsOf(ctx, scene.scenePackageId).where('state', '=', 'PUBLISHED').executeTakeFirst();
    if (row) {
      await move(ctx, row, 'offline', '');
      await setVersion(ctx, row, { state: 'OFFLINE' });
    }
    await ctx.enqueue(takeDownJob, { scenePackageId: scene.scenePackageId });
  }
  await setPackage(acted, state);
}

const stepOf: Readonly<Record<PackageAction, (acted: Acted) => Promise<void>>> = {
  submit,
  withdraw,
  reject,
  approve: async (acted) => publish(acted, await namedVersion(acted), 'approve'),
  rollback: async (acted) => publish(acted, await namedVersion(acted), 'rollback'),
  suspend: (acted) => changePackageState(acted, 'suspend'),
  resume: (acted) => changePackageState(acted, 'resume'),
  offline: (acted) => changePackageState(acted, 'offline'),
};

export const auditPackage = command(auditScenePackage, async (input, ctx) => {
  const scene = await lockPackage(ctx.tx, { scenePackageId: input.scenePackageId });
  await stepOf[input.action]({ ctx, scene, input });
  return packageStateOf(ctx.tx, scene.scenePackageId, ctx);
});

/** Does something to the live runs of a scene, lot by lot; a run that fails holds up none of the others. */
async function eachLot(
  ctx: JobContext,
  scenePackageId: string,
  work: (writing: Writing, runIds: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const failures = isolateFailures(ctx);
  for (let after = '0'; !ctx.signal.aborted;) {
    const ids = await liveRunIds(ctx.db, { scenePackageId, after, limit: LOT });
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
    await failures.runTogether(ids, runNo, (some) => ctx.transaction((writing) => work(writing, some)));
  }
  failures.throwIfAny();
}

/** Moves the runs under way to the version that was published. */
export const migrateJob = job<{ scenePackageId: string; versionId: string }>({
  name: 'corpus.migrateRuns',
  label: '随访实例迁移到新版本',
  expireSeconds: 3600,
  async run({ scenePackageId, versionId }, ctx) {
    await eachLot(ctx, scenePackageId, (writing, runIds) => migrateRuns(writing, runIds, versionId, ctx.now));
  },
});

/** Ends the runs of a scene that was taken down. */
const takeDownJob = job<{ scenePackageId: string }>({
  name: 'corpus.takeDown',
  label: '下线场景终止随访',
  expireSeconds: 3600,
  run: ({ scenePackageId }, ctx) =>
    eachLot(ctx, scenePackageId, (writing, runIds) => stopAll(asSystem(writing, ctx), runIds, 'SCENE_OFFLINE')),
});

/** Tells who handed a version in that it came back. */
const notifySubmitter = job<{ scenePackageId: string; versionId: string }>({
  name: 'corpus.tellSubmitter',
  label: '场景驳回通知',
  async run({ versionId }, ctx) {
    await ctx.transaction(async ({ tx }) => {
      const row = await ownTx(tx)
        .selectFrom('corpusPackageVersion as v')
        .innerJoin('corpusScenePackage as p', 'p.id', 'v.scenePackageId')
        .innerJoin('corpusScene as s', 's.id', 'p.sceneId')
        .select(['v.seq', 'v.opinion', 'v.submittedBy', 's.id', 's.name', 's.diseaseId'])
        .where('v.id', '=', versionId)
        .executeTakeFirstOrThrow();
      await ctx.kernel.ports.notices.addAlert(
        tx,
        {
          businessKey: `corpus.rejected:${versionId}`,
          title: `场景“${row.name}”V${row.seq}被驳回`,
          body: row.opinion,
          link: `/corpus?diseaseId=${row.diseaseId}&sceneId=${row.id}&tab=versions`,
          userIds: [row.submittedBy],
        },
        ctx.now,
      );
    });
  },
});

export const versionJobs = [migrateJob, takeDownJob, notifySubmitter];
