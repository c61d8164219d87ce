import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { course as courseSchema } from '../../contract/engine/course.ts';
import { evaluateUnit } from '../../contract/engine/evaluateUnit.ts';
import { gate, gateInput, type GateVerdict } from '../../contract/engine/gate.ts';
import { isKnown } from '../../contract/engine/known.ts';
import { planRun } from '../../contract/engine/planRun.ts';
import { queryDayReplay } from '../../contract/engine/replayCalls.ts';
import { reasonDictionary, stopReason } from '../../contract/engine/states.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { accessPackage } from '../access.ts';
import { own } from '../database.ts';
import { snapshotsOf } from '../engine/published.ts';
import { usableDaysOf } from '../engine/touches.ts';
import { unitKey } from '../facts/unitFacts.ts';
import { glimpseOf, logRows } from './history.ts';

/** What differs, that an operator can look through. */
const SHOWN = 100;
/** Plans are compared as far as they were written with the entry. */
const WRITTEN_AHEAD_DAYS = 14;

type Rows = OutputOf<typeof queryDayReplay>['rows'];
type Counts = { same: number; differs: number; unknown: number };
const counts = (): Counts => ({ same: 0, differs: 0, unknown: 0 });

const verdictText = (verdict: GateVerdict): string => {
  if (verdict.do === 'SEND') return '发送';
  if (verdict.do === 'CANCEL') return '取消';
  if (verdict.do === 'STOP_RUN') return `终止：${stopReason.label(verdict.reason)}`;
  return `${verdict.do === 'HOLD' ? '暂缓' : '跳过'}：${reasonDictionary.label(verdict.reason)}`;
};

interface TriedRow {
  sendNo: string;
  at: Instant;
  input: unknown;
  verdict: unknown;
}

/** Decisions of a day made again from what was kept. */
async function decideDayAgain(db: Db, scenePackageId: string, from: Instant, to: Instant) {
  const { rows } = await sql<TriedRow>`
    select s.send_no, t.at, t.input, t.verdict
      from corpus_gate_try t
      join corpus_follow_send s on s.id = t.send_id
      where t.scene_package_id = ${scenePackageId} and t.at >= ${from}::timestamptz and t.at < ${to}::timestamptz
      order by t.at, s.id`.execute(db);
  const decisions = counts();
  const shown: Rows = [];
  let sentAgain = 0;
  for (const { sendNo, at, input, verdict } of rows) {
    // Written by the claim alone.
    const was = verdict as GateVerdict;
    const again = gate(gateInput.parse(input)).verdict;
    if (again.do === 'SEND') sentAgain += 1;
    const isSame = verdictText(was) === verdictText(again);
    if (isSame) decisions.same += 1;
    else {
      decisions.differs += 1;
      shown.push({ sendNo, at, was: verdictText(was), again: verdictText(again), is: 'DIFFERS' });
    }
  }
  const { rows: without } = await sql<{ sendNo: string; at: Instant }>`
    select s.send_no, s.claimed_at as at
      from corpus_follow_send s
      where s.scene_package_id = ${scenePackageId}
        and s.run_id is not null
        and s.claimed_at >= ${from}::timestamptz
        and s.claimed_at < ${to}::timestamptz
        and not exists (select from corpus_gate_try t where t.send_id = s.id)
      order by s.claimed_at, s.id`.execute(db);
  decisions.unknown = without.length;
  for (const { sendNo, at } of without) shown.push({ sendNo, at, was: '发送', again: '当时的判断依据没有记录', is: 'UNKNOWN' });
  return { decisions, shown, sentAgain };
}

/** Entries of a day judged again, with the plans that they made. */
async function enterDayAgain(db: Db, scenePackageId: string, from: Instant, to: Instant) {
  const runs = await own(db)
    .selectFrom('corpusFollowRun')
    .select(['id', 'runNo', 'patientId', 'conversationId', 'packageVersionId', 'enteredAt', 'shiftDays', 'entrySource', 'course'])
    .where('scenePackageId', '=', scenePackageId)
    .where('enteredAt', '>=', from)
    .where('enteredAt', '<', to)
    .orderBy('enteredAt')
    .orderBy('id')
    .execute();
  const entries = counts();
  const shown: Rows = [];
  if (runs.length === 0) return { entries, shown };
  const versionOf = (run: (typeof runs)[number]) => {
    const [first] = courseSchema.parse(run.course).flatMap((step) => (step.act === 'MIGRATE' ? [step.from] : []));
    return first ?? run.packageVersionId;
  };
  const snapshots = await snapshotsOf(db, runs.map(versionOf));
  const usable = await usableDaysOf(db, [...snapshots.values()], runs);
  const log = Map.groupBy(await logRows(db, [...new Set(runs.map(({ patientId }) => patientId))], from, to), unitKey);
  const { rows: stored } = await sql<{ runId: string; key: string }>`
    select run_id, item_key || ':' || occurrence as key
      from corpus_follow_send
      where run_id = any(${runs.map(({ id }) => id)}::bigint[])`.execute(db);
  const written = Map.groupBy(stored, ({ runId }) => runId);
  for (const run of runs) {
    const snapshot = snapshots.get(versionOf(run))!;
    const row = log.get(unitKey(run))?.findLast(({ at }) => at <= run.enteredAt);
    const glimpse = row ? glimpseOf(row) : null;
    const { launch, mainLaunch } = snapshot;
    const note = (again: string, is: Rows[number]['is']) => shown.push({ sendNo: run.runNo, at: run.enteredAt, was: '进入', again, is });
    const migrated = versionOf(run) !== run.packageVersionId;
    const plan = planRun(snapshot, { enteredAt: run.enteredAt, shiftDays: 0, usableDay: usable(snapshot) });
    const keys = new Set((written.get(run.id) ?? []).map(({ key }) => key));
    const lost = plan.filter(
      ({ itemKey, occurrence, dueAt, expiresAt }) =>
        dueAt <= startOfDay(plusDays(dayOf(run.enteredAt), WRITTEN_AHEAD_DAYS)) &&
        expiresAt > run.enteredAt &&
        !keys.has(`${itemKey}:${occurrence}`),
    );
    if (run.entrySource === 'AUTO' && !isKnown([...launch, ...(mainLaunch ?? [])], glimpse)) {
      entries.unknown += 1;
      note('当时的患者事实没有记录', 'UNKNOWN');
    } else if (run.entrySource === 'AUTO' && !evaluateUnit(snapshot, glimpse?.facts ?? new Map()).holds) {
      entries.differs += 1;
      note('不满足启动条件', 'DIFFERS');
    } else if (!migrated && lost.length > 0) {
      entries.differs += 1;
      note(`计划缺少${lost.length}条`, 'DIFFERS');
    } else entries.same += 1;
  }
  return { entries, shown };
}

/** Goes through a day that is over again: who entered and what was decided, by what was kept of it. */
export const dayReplay = query(queryDayReplay, async ({ scenePackageId, day }, ctx) => {
  await accessPackage(own(ctx.db), { scenePackageId });
  const [from, to] = [startOfDay(day), startOfDay(plusDays(day, 1))];
  const { decisions, shown, sentAgain } = await decideDayAgain(ctx.db, scenePackageId, from, to);
  const entered = await enterDayAgain(ctx.db, scenePackageId, from, to);
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from corpus_follow_send s where s.scene_package_id = ${scenePackageId} and s.run_id is not null
       and s.claimed_at >= ${from}::timestamptz and s.claimed_at < ${to}::timestamptz`.execute(ctx.db);
  return { day, entries: entered.entries, decisions, sent: rows[0]!.n, sentAgain, rows: [...entered.shown, ...shown].slice(0, SHOWN) };
});
