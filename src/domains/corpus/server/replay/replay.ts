import { sql } from 'kysely';
import { dayOf, plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { comparePlays, daysWithoutRecord, type TouchChange } from '../../contract/engine/compare.ts';
import { play, type Played, type PlayedPatient, type PlayedTouch } from '../../contract/engine/play.ts';
import type { PlayRules } from '../../contract/engine/playGate.ts';
import { REPLAY_DAYS, type Replay } from '../../contract/engine/replayCalls.ts';
import { materialsOf, type PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { own } from '../database.ts';
import { readSnapshot } from '../engine/published.ts';
import { candidatesOf, setPreview } from '../previews/dryRun.ts';
import { historyOf } from './history.ts';
import { closedTo } from './present.ts';
import { playRules } from './rules.ts';
import { startsAt } from './starts.ts';

/** Persons whose days are gone through together. */
const CHUNK = 200;
/** Changes that are kept one by one; all are counted. */
export const MOST_ROWS = 20_000;
/** A touch goes out within this time of the moment that it is decided for. */
const CLAIMED_WITHIN_MS = 10 * 60_000;

export type ReplaySummary = Pick<Replay, 'counts' | 'persons' | 'entered' | 'days' | 'real' | 'isCut'>;

const emptySummary = (from: Day): ReplaySummary => ({
  counts: { ADDED: 0, DROPPED: 0, MOVED: 0, CHANGED: 0, UNKNOWN: 0, SAME: 0 },
  persons: 0,
  entered: { before: 0, after: 0 },
  days: Array.from({ length: REPLAY_DAYS }, (_, n) => ({
    day: plusDays(from, n),
    before: 0,
    after: 0,
    added: 0,
    dropped: 0,
    recorded: 0,
    persons: 0,
  })),
  real: { sent: 0, matched: 0 },
  isCut: false,
});

/** The days before today. */
export const replaySpan = (now: Instant): { fromDay: Day; from: Instant; to: Instant } => {
  const today = dayOf(now);
  const fromDay = plusDays(today, -REPLAY_DAYS);
  return { fromDay, from: startOfDay(fromDay), to: startOfDay(today) };
};

interface Side {
  scenePackageId: string;
  sceneId: string;
  snapshot: PackageSnapshot;
}

/** Plays the days of some persons by one version. */
async function playSide(
  db: Db,
  side: Side,
  base: PackageSnapshot | null,
  persons: readonly PlayedPatient[],
  rules: PlayRules,
  members: ReadonlySet<string>,
): Promise<Map<string, Played>> {
  const starts = await startsAt(
    db,
    side.scenePackageId,
    persons.map(({ patientId }) => patientId),
    rules,
    base,
  );
  return new Map(
    persons.map((patient) => [
      patient.patientId,
      play(
        patient,
        [
          {
            ...side,
            // Whoever was in it and has the disease no more is let in no more.
            snapshot: members.has(patient.patientId) ? side.snapshot : closedTo(side.snapshot),
            starts: starts.get(patient.patientId) ?? new Map(),
          },
        ],
        rules,
      ),
    ]),
  );
}

interface RealTouch {
  patientId: string;
  conversationId: string;
  itemKey: string;
  occurrence: number;
  at: Instant;
}

/** What a version in force really sent on those days. */
async function reallySent(
  db: Db,
  scenePackageId: string,
  patientIds: readonly string[],
  since: Instant,
  to: Instant,
): Promise<RealTouch[]> {
  const { rows } = await sql<RealTouch>`
    select s.patient_id, r.conversation_id, s.item_key, s.occurrence, s.claimed_at as at
      from corpus_follow_send s
      join corpus_follow_run r on r.id = s.run_id
      where s.scene_package_id = ${scenePackageId}
        and s.patient_id = any(${[...patientIds]}::bigint[])
        and s.state = 'SENT'
        and s.claimed_at >= ${since}::timestamptz
        and s.claimed_at < ${to}::timestamptz`.execute(db);
  return rows;
}

const isSent = ({ outcome, reason }: PlayedTouch) => outcome === 'SENT' || (outcome === 'SKIPPED' && reason === 'TASK');

/** Adds what one person's days came to. */
function addPerson(
  summary: ReplaySummary,
  patient: PlayedPatient,
  before: Played | null,
  after: Played,
  changes: readonly TouchChange[],
  same: number,
) {
  summary.counts.SAME += same;
  if (changes.length > 0) summary.persons += 1;
  for (const { change } of changes) summary.counts[change] += 1;
  summary.entered.before += before?.entered.length ?? 0;
  summary.entered.after += after.entered.length;
  const dayNo = new Map(summary.days.map((one) => [one.day, one]));
  for (const one of before?.touches ?? []) if (isSent(one)) dayNo.get(dayOf(one.at))!.before += 1;
  for (const one of after.touches) if (isSent(one)) dayNo.get(dayOf(one.at))!.after += 1;
  for (const { change, beforeAt, afterAt } of changes) {
    if ((change === 'ADDED' || change === 'MOVED') && afterAt !== null) dayNo.get(dayOf(afterAt))!.added += 1;
    if ((change === 'DROPPED' || change === 'MOVED') && beforeAt !== null) dayNo.get(dayOf(beforeAt))!.dropped += 1;
  }
  const missing = new Set(daysWithoutRecord(patient, startOfDay(summary.days[0]!.day), startOfDay(plusDays(summary.days.at(-1)!.day, 1))));
  for (const day of summary.days) {
    day.persons += 1;
    if (!missing.has(day.day)) day.recorded += 1;
  }
}

async function keepChanges(
  tx: Tx,
  previewId: string,
  scenePackageId: string,
  startSeq: number,
  rows: readonly (TouchChange & { patientId: string })[],
): Promise<void> {
  await sql`
    insert into corpus_preview_touch (
      preview_id, seq, scene_package_id, patient_id, conversation_id, doctor_id, item_key, occurrence, change, before_at, after_at, label,
      why
    )
    select ${previewId}::bigint, r.seq, ${scenePackageId}::bigint, r.patient_id, r.conversation_id, r.doctor_id, r.item_key, r.occurrence,
      r.change, r.before_at, r.after_at, r.label, r.why
      from jsonb_to_recordset(${JSON.stringify(
        rows.map((row, index) => ({
          seq: startSeq + index,
          patient_id: row.patientId,
          conversation_id: row.conversationId,
          doctor_id: row.doctorId,
          item_key: row.itemKey,
          occurrence: row.occurrence,
          change: row.change,
          before_at: row.beforeAt,
          after_at: row.afterAt,
          label: row.label,
          why: row.why,
        })),
      )}::jsonb) as r (seq int, patient_id bigint, conversation_id bigint, doctor_id bigint, item_key text, occurrence int, change text,
        before_at timestamptz, after_at timestamptz, label text, why text)
    on conflict do nothing`.execute(tx);
}

/** Persons with the disease, and those who were in the scene on these days. */
async function personsOf(db: Db, scenePackageId: string, from: Instant): Promise<{ persons: string[]; members: ReadonlySet<string> }> {
  const rows = await own(db)
    .selectFrom('corpusFollowRun')
    .select('patientId')
    .distinct()
    .where('scenePackageId', '=', scenePackageId)
    .where((eb) => eb.or([eb('endedAt', 'is', null), eb('endedAt', '>=', from)]))
    .execute();
  const members = new Set(await candidatesOf(db, scenePackageId));
  return { persons: [...new Set([...members, ...rows.map(({ patientId }) => patientId)])], members };
}

/** Goes through the last days twice, by the version in force and by the changed one, and keeps what differs. */
export const replayJob = job<{ previewId: string }>({
  name: 'corpus.replay',
  label: '场景近14天对比',
  subject: ({ previewId }) => previewId,
  expireSeconds: 3600,
  async run({ previewId }, ctx) {
    const row = await own(ctx.db)
      .selectFrom('corpusScenePreview as v')
      .innerJoin('corpusScenePackage as p', 'p.id', 'v.scenePackageId')
      .leftJoin('corpusPackageVersion as b', 'b.id', 'v.baseVersionId')
      .selectAll('v')
      .select(['p.sceneId', 'b.snapshot as baseSnapshot', 'b.auditedAt as baseSince'])
      .where('v.id', '=', previewId)
      .executeTakeFirst();
    if (!row || row.state !== 'RUNNING') return;
    const { scenePackageId, sceneId } = row;
    const after = readSnapshot(row.snapshot);
    const before = row.baseSnapshot === null ? null : readSnapshot(row.baseSnapshot);
    const span = replaySpan(row.asOf);
    const { persons, members } = await personsOf(ctx.db, scenePackageId, span.from);
    await setPreview(ctx, previewId, { totalCount: persons.length, doneCount: 0 });
    const materials = [...new Set([...materialsOf(after), ...(before ? materialsOf(before) : [])])];
    // Prescriptions are not kept day by day.
    const rules = await playRules(ctx.db, { from: span.from, to: span.to }, materials, { prescribed: null, exclusive: () => [] });
    const summary = emptySummary(span.fromDay);
    let kept = 0;
    for (let start = 0; start < persons.length; start += CHUNK) {
      if (ctx.signal.aborted) throw new Error('the process stops');
      const chunk = persons.slice(start, start + CHUNK);
      const history = (await historyOf(ctx.db, chunk, [scenePackageId], span)).filter(({ units }) => units.length > 0);
      const side = { scenePackageId, sceneId };
      const afterPlays = await playSide(ctx.db, { ...side, snapshot: after }, before, history, rules, members);
      const beforePlays = before && (await playSide(ctx.db, { ...side, snapshot: before }, before, history, rules, members));
      const changes: (TouchChange & { patientId: string })[] = [];
      for (const patient of history) {
        const played = afterPlays.get(patient.patientId)!;
        const former = beforePlays?.get(patient.patientId) ?? null;
        const compared = comparePlays(patient, former && before ? { played: former, snapshot: before } : null, { played, snapshot: after });
        addPerson(summary, patient, former, played, compared.changes, compared.same);
        changes.push(...compared.changes.map((change) => ({ ...change, patientId: patient.patientId })));
      }
      if (beforePlays && row.baseSince !== null) {
        const real = await reallySent(ctx.db, scenePackageId, chunk, row.baseSince > span.from ? row.baseSince : span.from, span.to);
        summary.real.sent += real.length;
        summary.real.matched += real.filter((one) =>
          beforePlays
            .get(one.patientId)
            ?.touches.some(
              ({ conversationId, touch, outcome, at }) =>
                outcome === 'SENT' &&
                conversationId === one.conversationId &&
                touch.itemKey === one.itemKey &&
                touch.occurrence === one.occurrence &&
                Math.abs(Date.parse(at) - Date.parse(one.at)) <= CLAIMED_WITHIN_MS,
            ),
        ).length;
      }
      const fitting = changes.slice(0, MOST_ROWS - kept);
      if (fitting.length < changes.length) summary.isCut = true;
      if (fitting.length > 0) await ctx.transaction(({ tx }) => keepChanges(tx, previewId, scenePackageId, kept, fitting));
      kept += fitting.length;
      await setPreview(ctx, previewId, { doneCount: Math.min(start + CHUNK, persons.length) });
    }
    await setPreview(ctx, previewId, { state: 'DONE', summary: JSON.stringify(summary), finishedAt: ctx.now });
  },
});
