import type { Instant } from '#kernel/contract/time.ts';
import type { Context, Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { queryPackageState, type PackageStateView } from '../../contract/engine/versionCalls.ts';
import { packageMachine } from '../../contract/engine/states.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { accessPackage } from '../access.ts';
import { own } from '../database.ts';
import { checksOf } from './checks.ts';
import { draftSnapshot, hashOf } from './draft.ts';

export const liveRunsOf = async (db: Db, scenePackageId: string): Promise<number> => {
  const { n } = await own(db)
    .selectFrom('corpusFollowRun')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('scenePackageId', '=', scenePackageId)
    .where('state', 'in', ['RUNNING', 'PAUSED'])
    .executeTakeFirstOrThrow();
  return Number(n);
};

/**
 * Where a package stands: its state, whether the draft differs from what runs, and what handing it in would meet. @throws Refusal
 * SCM90040
 */
export async function packageStateOf(
  db: Db,
  scenePackageId: string,
  ctx: Pick<Context, 'has'> & { now: Instant },
): Promise<PackageStateView> {
  const scene = await accessPackage(own(db), { scenePackageId });
  const snapshot = await draftSnapshot(own(db), scenePackageId);
  const versions = await own(db)
    .selectFrom('corpusPackageVersion')
    .select(['seq', 'state', 'contentHash'])
    .where('scenePackageId', '=', scenePackageId)
    .where('state', 'in', ['PUBLISHED', 'AUDITING'])
    .execute();
  const { version } = await own(db)
    .selectFrom('corpusScenePackage')
    .select('version')
    .where('id', '=', scenePackageId)
    .executeTakeFirstOrThrow();
  const published = versions.find(({ state }) => state === 'PUBLISHED');
  const draftHash = hashOf(snapshot);
  const actions: string[] = packageMachine.allowed(scene.state, (code) => ctx.has(code));
  const maySubmit = ctx.has(corpusPermissions['scene.edit']) && !versions.some(({ state }) => state === 'AUDITING');
  return {
    state: scene.state,
    publishedSeq: published?.seq ?? null,
    draftHash,
    isDirty: published !== undefined && published.contentHash !== draftHash,
    checks: (await checksOf(db, scenePackageId, snapshot, ctx.now)).map(({ name, ok, detail }) => ({ name, ok, detail })),
    liveRuns: await liveRunsOf(db, scenePackageId),
    allowedActions: maySubmit && published?.contentHash !== draftHash ? ['submit', ...actions] : actions,
    version,
  };
}

export const packageStateQuery = query(queryPackageState, ({ scenePackageId }, ctx) => packageStateOf(ctx.db, scenePackageId, ctx));
