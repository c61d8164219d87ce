import { platformErrors, Refusal, refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { sql } from 'kysely';
import type { CommandContext, Db } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { access as seesPatient } from '#domains/patient/server/index.ts';
import { touchKind } from '../../contract/dictionaries.ts';
import { reentryAt } from '../../contract/engine/evaluateUnit.ts';
import type { ExplainedCondition } from '../../contract/engine/explained.ts';
import {
  addFollowRun,
  operateFollowRun,
  queryFollowRunDetail,
  queryPatientFollowTimeline,
  type EachResult,
  type TimelineEntry,
} from '../../contract/engine/runCalls.ts';
import { pauseReason, reasonDictionary, runMachine, sendState, stopReason } from '../../contract/engine/states.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { accessPackage } from '../access.ts';
import { own } from '../database.ts';
import { enterUnits } from '../engine/enter.ts';
import { judgeUnits, type JudgedUnit } from '../engine/judge.ts';
import { runningPackages, snapshotsOf, type PublishedPackage } from '../engine/published.ts';
import { lockRuns, pauseRun, resumeRun, RUN_TARGET, stopRun, type Run } from '../engine/runs.ts';
import { presentSends, selectSends, sendsSeen } from '../sends/list.ts';
import { presentRuns, runsSeen, selectRuns } from './list.ts';

/** A result for each of several: what is refused of one stops none of the others. */
export async function each(ids: readonly string[], act: (id: string) => Promise<void>): Promise<EachResult[]> {
  const results: EachResult[] = [];
  for (const id of ids) {
    try {
      await act(id);
      results.push({ id, ok: true, code: '', message: '' });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      results.push({ id, ok: false, code: error.code, message: error.message });
    }
  }
  return results;
}

export const runDetail = query(queryFollowRunDetail, async ({ runId }, ctx) => {
  const seen = selectRuns(runsSeen(ctx.db, ctx.staff, ctx.now).where('r.id', '=', runId)).select([
    'r.entryNote',
    'r.entryExplain',
    'r.stopExplain',
  ]);
  const row = await seen.executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  const { entryNote, entryExplain, stopExplain, ...raw } = row;
  const touches = await selectSends(sendsSeen(ctx.db, ctx.staff, ctx.now).where('f.runId', '=', runId))
    .orderBy('f.dueAt')
    .orderBy('f.id')
    .execute();
  const [run] = await presentRuns(ctx.db, [raw]);
  return {
    run: run!,
    entryNote,
    // Written by the engine's own judgement.
    entryExplain: entryExplain as ExplainedCondition[],
    stopExplain: stopExplain as ExplainedCondition[],
    touches: await presentSends(ctx.db, touches),
    trail: await trailOf(ctx.db, RUN_TARGET, runId),
    allowedActions: runMachine.allowed(row.state, (code) => ctx.has(code)),
  };
});

/** @throws Refusal SCM11030–33 naming why somebody cannot be let in by hand */
function requireEntry({ verdict }: JudgedUnit, { snapshot }: PublishedPackage, lastEndedAt: string | null): void {
  if (verdict.result === 'LIVE') throw refuse(corpusErrors.ALREADY_IN);
  if (verdict.reason === 'NO_CONSENT') throw refuse(corpusErrors.NO_CONSENT);
  if (verdict.reason === 'NEVER' || verdict.reason === 'TOO_EARLY') {
    const at = lastEndedAt === null ? null : reentryAt(snapshot.policy, lastEndedAt);
    throw refuse(corpusErrors.TOO_EARLY, { date: at === null ? '不可重复进入' : dayOf(at) });
  }
}

const lastEnd = async (db: Db, scenePackageId: string, { unit }: JudgedUnit): Promise<string | null> => {
  const { rows } = await sql<{ at: string | null }>`
    select max(ended_at) as at
      from corpus_follow_run
      where scene_package_id = ${scenePackageId} and conversation_id = ${unit.conversationId} and patient_id = ${unit.patientId}`.execute(
    db,
  );
  return rows[0]?.at ?? null;
};

/** Lets one person in by hand: his conditions need not hold, all else counts. */
async function join(ctx: CommandContext, published: PublishedPackage, patientId: string, reason: string): Promise<void> {
  if (!(await seesPatient(ctx.tx, patientId, ctx.staff, ctx.now))) throw refuse(platformErrors.NOT_FOUND);
  const [judged] = await judgeUnits(ctx.tx, { ...published, regardless: true }, [patientId], ctx.now);
  if (!judged) throw refuse(corpusErrors.NO_CHANNEL);
  requireEntry(judged, published, await lastEnd(ctx.tx, published.scenePackageId, judged));
  const { unit, explain } = judged;
  const entered = await enterUnits(ctx, published, [{ unit, explain, source: 'MANUAL', note: reason, by: ctx.staff.userId }], ctx.now);
  if (entered.length === 0) throw refuse(corpusErrors.ALREADY_IN);
}

export const addRuns = command(addFollowRun, async ({ scenePackageId, patientIds, reason }, ctx) => {
  const scene = await accessPackage(own(ctx.tx), { scenePackageId });
  const [published] = await runningPackages(ctx.tx, scenePackageId);
  if (!published) throw refuseField('scenePackageId', '该场景没有运行中的版本，不能加入');
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name, looked: true });
  return each(patientIds, (patientId) => join(ctx, published, patientId, reason));
});

async function operate(ctx: CommandContext, run: Run, action: 'pause' | 'resume' | 'stop', opinion: string): Promise<void> {
  if (run.state === 'FINISHED' || run.state === 'STOPPED') throw refuse(corpusErrors.RUN_ENDED);
  if (action === 'stop') return stopRun(ctx, run, 'MANUAL', { opinion });
  if (action === 'resume') {
    if (run.state !== 'PAUSED') throw refuse(platformErrors.WRONG_STATE, { state: runMachine.states[run.state].label });
    return resumeRun(ctx, run, 'PERSON');
  }
  const { policy } = (await snapshotsOf(ctx.tx, [run.packageVersionId])).get(run.packageVersionId)!;
  return pauseRun(ctx, run, 'MANUAL', { at: ctx.now, pauseHours: policy.pauseHours, opinion });
}

export const operateRuns = command(operateFollowRun, async ({ runIds, action, opinion }, ctx) => {
  if (action !== 'resume' && opinion === '') throw refuseField('opinion', '请填写意见');
  const seen = new Set(
    (await runsSeen(ctx.tx, ctx.staff, ctx.now).select('r.id').where('r.id', 'in', runIds).execute()).map(({ id }) => id),
  );
  const runs = new Map((await lockRuns(ctx.tx, [...seen])).map((run) => [run.id, run]));
  return each(runIds, async (id) => {
    const run = runs.get(id);
    if (!run) throw refuse(platformErrors.NOT_FOUND);
    await operate(ctx, run, action, opinion);
  });
});

/** What happened to a patient, newest first: entries, touches with what became of them, ends. */
export const timeline = query(queryPatientFollowTimeline, async ({ patientId }, ctx) => {
  if (!(await seesPatient(ctx.db, patientId, ctx.staff, ctx.now))) throw refuse(platformErrors.NOT_FOUND);
  const raw = await selectRuns(runsSeen(ctx.db, ctx.staff, ctx.now).where('r.patientId', '=', patientId))
    .orderBy('r.enteredAt', 'desc')
    .limit(50)
    .execute();
  const runs = await presentRuns(ctx.db, raw);
  const touches = await presentSends(
    ctx.db,
    await selectSends(sendsSeen(ctx.db, ctx.staff, ctx.now).where('f.patientId', '=', patientId))
      .orderBy('f.dueAt', 'desc')
      .orderBy('f.id', 'desc')
      .limit(200)
      .execute(),
  );
  const entry = (key: string, kind: TimelineEntry['kind'], at: string, title: string, detail: string, runId: string): TimelineEntry => ({
    key,
    kind,
    at,
    title,
    detail,
    runId,
    day: dayOf(at),
    state: null,
  });
  const entries = runs.flatMap((run): TimelineEntry[] => [
    entry(`run:${run.id}:in`, 'ENTERED', run.enteredAt, `进入场景“${run.sceneName}”`, `V${run.versionSeq} ${run.runNo}`, run.id),
    ...(run.state === 'PAUSED' && run.pauseReason
      ? [entry(`run:${run.id}:paused`, 'PAUSED', run.enteredAt, `“${run.sceneName}”已暂停`, pauseReason.label(run.pauseReason), run.id)]
      : []),
    ...(run.endedAt
      ? [
          entry(
            `run:${run.id}:out`,
            'ENDED',
            run.endedAt,
            `“${run.sceneName}”${run.stopReason ? '已终止' : '已完成'}`,
            run.stopReason ? stopReason.label(run.stopReason) : '',
            run.id,
          ),
        ]
      : []),
  ]);
  const sent = touches.map((send): TimelineEntry => ({
    key: `send:${send.id}`,
    kind: 'TOUCH',
    at: send.sentAt ?? send.dueAt,
    title: `${touchKind.label(send.touchKind)} ${send.materials}`,
    detail: [
      sendState.label(send.state),
      ...(send.reasonCode ? [reasonDictionary.label(send.reasonCode)] : []),
      ...(send.readAt ? ['已读'] : []),
      ...(send.repliedAt ? ['已回复'] : []),
      ...(send.convertedAt ? ['已转化'] : []),
    ].join(' · '),
    runId: send.runId,
    day: dayOf(send.sentAt ?? send.dueAt),
    state: send.state,
  }));
  return [...entries, ...sent].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
});
