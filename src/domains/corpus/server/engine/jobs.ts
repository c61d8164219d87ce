import { hours } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { isolateFailures, type FailureIsolation } from '#kernel/server/jobs/isolateFailures.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { watch } from './breaker.ts';
import { claimDue, nextDueAt, putOff } from './claim.ts';
import { claimOthers } from './claimOthers.ts';
import { deliver, overdueLeases } from './deliver.ts';
import { evaluatePatient, sweep, sweptDiseases } from './evaluation.ts';
import { inLanes } from './lanes.ts';
import { finishDone, liveRunIds, replanByCalendar, resumeDue, rollRuns, stopByConditions } from './lifecycle.ts';
import { dropOldFacts } from '../facts/observe.ts';
import { runningPackages } from './published.ts';
import { engineSetting } from './setting.ts';

/** Patients whose touches are claimed in one transaction: the larger, the longer the chat's own messages wait beside it. */
const PATIENTS = 25;
/** Claims in a row of which nothing may be sent; the rest of what is due waits for the next second. */
const IN_VAIN = 4;
/** Touches that are written into the chat in one transaction, and such transactions beside one another: the chat's own wait for them. */
const AT_ONCE = 25;
const LANES = 1;

/** Sends what was claimed, a few at a time; stops between them when the process ends. */
async function deliverAll(ctx: JobContext, ids: readonly string[]): Promise<void> {
  const waiting = [...ids];
  await inLanes(LANES, async () => {
    while (waiting.length > 0 && !ctx.signal.aborted) await deliver(ctx, waiting.splice(0, AT_ONCE));
  });
}

/**
 * Claims of some patients together; of whom nothing can be claimed is left out, and comes again later.
 * @returns null where nobody is due
 */
async function claimIsolated(ctx: JobContext, claim: typeof claimDue, most: number, failures: FailureIsolation): Promise<string[] | null> {
  let picked: readonly string[] = [];
  try {
    const claimed = await claim(ctx, PATIENTS, most, { onPicked: (ids) => (picked = ids) });
    return picked.length === 0 ? null : claimed;
  } catch (error) {
    // Nobody was taken: then it is nobody's fault.
    if (picked.length === 0) throw error;
    const claimed: string[] = [];
    const failed = await failures.runTogether(
      picked,
      (id) => `患者${id}`,
      async (some) => void claimed.push(...(await claim(ctx, some.length, most - claimed.length, { only: some }))),
    );
    if (failed.length > 0) await ctx.transaction((writing) => putOff(writing, failed, ctx.now));
    return claimed;
  }
}

/** One second of the engine: what is due, within the rate. @returns touches that were taken up */
export async function sendDue(ctx: JobContext, failures = isolateFailures(ctx)): Promise<number> {
  const due = await nextDueAt(ctx.db);
  if (due === null || due > ctx.now) {
    ctx.idleFor(due === null ? hours(1) : Date.parse(due) - Date.parse(ctx.now));
    return 0;
  }
  const { ratePerSecond } = await engineSetting(ctx.db);
  const left = await overdueLeases(ctx, ctx.now, ratePerSecond);
  await deliverAll(ctx, left);
  let most = ratePerSecond - left.length;
  // Greetings first: somebody has just come and looks at the conversation.
  for (const claim of [claimOthers, claimDue])
    for (let inVain = 0; inVain < IN_VAIN && most > 0 && !ctx.signal.aborted;) {
      const claimed = await claimIsolated(ctx, claim, most, failures);
      if (!claimed) break;
      inVain = claimed.length === 0 ? inVain + 1 : 0;
      await deliverAll(ctx, claimed);
      most -= claimed.length;
    }
  return ratePerSecond - most;
}

/** A person whose facts changed; several changes within the wait are judged once. */
export const evaluatePatientJob = job<{ patientId: string }>({
  name: 'corpus.evaluatePatient',
  label: '随访条件评估',
  subject: ({ patientId }) => patientId,
  async run({ patientId }, ctx) {
    await ctx.transaction(async (writing) => {
      await stopByConditions(asSystem(writing, ctx), await liveRunIds(writing.tx, { patientIds: [patientId] }));
      await evaluatePatient(writing, patientId, ctx.now);
    });
  },
});

/** Everybody with the disease, after a version was published. */
export const evaluatePackageJob = job<{ scenePackageId: string }>({
  name: 'corpus.evaluatePackage',
  label: '发布后随访条件评估',
  expireSeconds: 3600,
  async run({ scenePackageId }, ctx) {
    await sweep(
      ctx,
      (await runningPackages(ctx.db, scenePackageId)).map((one) => ({ icd10Prefixes: one.icd10Prefixes, packages: [one] })),
    );
  },
});

/** Everybody whose touches keep to workdays. */
export const replanJob = job<Record<string, never>>({
  name: 'corpus.replanRuns',
  label: '工作日历变更后重排随访计划',
  expireSeconds: 3600,
  run: (_data, ctx) => replanByCalendar(ctx),
});

export const engineJobs = [
  evaluatePatientJob,
  evaluatePackageJob,
  replanJob,
  job({ name: 'corpus.finishRuns', label: '随访无后续触达时结束', everySeconds: 600, run: (_data, ctx) => finishDone(ctx) }),
  job({
    name: 'corpus.sweep',
    label: '随访条件每日评估',
    cron: '0 5 * * *',
    expireSeconds: 3600,
    async run(_data, ctx) {
      await ctx.transaction(({ tx }) => dropOldFacts(tx, ctx.now));
      await sweep(ctx, await sweptDiseases(ctx.db));
    },
  }),
  job({ name: 'corpus.rollRuns', label: '随访计划每日延展', cron: '0 2 * * *', expireSeconds: 3600, run: (_data, ctx) => rollRuns(ctx) }),
  job({ name: 'corpus.resumeRuns', label: '随访到点恢复', everySeconds: 60, run: (_data, ctx) => resumeDue(ctx) }),
  job({
    name: 'corpus.send',
    label: '随访消息发送',
    everySeconds: 1,
    async run(_data, ctx) {
      const failures = isolateFailures(ctx);
      if ((await sendDue(ctx, failures)) > 0) await watch(ctx);
      failures.throwIfAny();
    },
  }),
  // What was sent otherwise than by due time, a retry by hand for example, is watched too.
  job({ name: 'corpus.watchSending', label: '随访消息异常停发检查', everySeconds: 30, run: (_data, ctx) => watch(ctx) }),
];
