import { sql, type Selectable } from 'kysely';
import { dayOf, days, minutes, plusDays, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Db, Writing } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { WITH_COMMIT } from '#kernel/server/database/roundTrips.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import { agreeing, labels, type PatientLabel } from '#domains/patient/server/index.ts';
import { touchKind, type TouchKind } from '../../contract/dictionaries.ts';
import { evaluateStop, evaluateUnit, judgeRows } from '../../contract/engine/evaluateUnit.ts';
import { gate, byUrgency, restDaysAhead, type GateInput, type GateStep, type GateVerdict } from '../../contract/engine/gate.ts';
import { CYCLE_KEY } from '../../contract/engine/planRun.ts';
import type { FrozenItem, FrozenRow, PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { own, ownTx } from '../database.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import { channelOf, openUnits, type Unit } from '../facts/units.ts';
import type { CorpusFollowSend } from '../tables.ts';
import { issueForm } from '../questionnaires/links.ts';
import { raisePlanned } from '../tasks/planned.ts';
import { sendables, type Sendable } from './materials.ts';
import { snapshotsOf } from './published.ts';
import { stopRun, type Run } from './runs.ts';
import { settingForShare, type EngineSetting } from './setting.ts';
import { coveringSwitches, type ActiveSwitch } from './switches.ts';
import { askedBy, readTexts, type Texts } from './texts.ts';
import { usableDays } from './touches.ts';
import { keepTries, type Grounds } from './tries.ts';

export type Send = Selectable<CorpusFollowSend>;

/**
 * A bubble of a touch; `seq` once the chat has stored it. Rendered at the claim and never changed, because a repeat must be the identical
 * call.
 */
export interface Bubble {
  n: number;
  materialId: string;
  materialVersionId: string;
  key: string;
  type: string;
  payload: unknown;
  seq: number | null;
}

/** When the next touch is to be claimed, or one that was claimed and left is to be taken up. */
export async function nextDueAt(db: Db): Promise<Instant | null> {
  const { rows } = await sql<{ due: Instant | null }>`
    select least(
        (select min(next_try_at) from corpus_follow_send where state in ('PLANNED', 'HELD')),
        (select min(lease_until) from corpus_follow_send where state in ('SENDING', 'UNKNOWN'))
      ) as due`.execute(db);
  return rows[0]?.due ?? null;
}

/** A claimed touch must begin to be sent within this time; after it another process takes it up. */
const LEASE_MS = minutes(1);

/** Of whom touches are claimed: of these alone, where a claim of several failed. */
export interface ClaimedOf {
  only?: readonly string[];
  /** Is told who was taken, before anything is done for them. */
  onPicked?(patientIds: readonly string[]): void;
}

/**
 * Patients whose touches are due, locked against other workers until the transaction ends: by the keys of `tryLockKey`, of all in the one
 * statement that finds them.
 */
export async function lockPatients(
  writing: Writing,
  now: Instant,
  limit: number,
  whose: 'RUNS' | 'OTHERS',
  { only, onPicked }: ClaimedOf = {},
): Promise<string[]> {
  const named = only ? sql`and patient_id = any(${[...only]}::bigint[])` : sql``;
  const { rows } = await sql<{ patientId: string }>`
    with due as materialized (
      select patient_id, min(next_try_at) as first
        from corpus_follow_send
        where state in ('PLANNED', 'HELD')
          and next_try_at <= ${now}::timestamptz
          and (source_kind = 'FOLLOW') = ${whose === 'RUNS'} ${named}
        group by patient_id
        order by 2, 1 limit ${limit}
    )
    select patient_id
      from due
      where pg_try_advisory_xact_lock(hashtextextended('corpus.claim:' || patient_id, 0))`.execute(writing.tx);
  const picked = rows.map(({ patientId }) => patientId);
  onPicked?.(picked);
  return picked;
}

/** Touches of somebody for whom nothing can be claimed are tried again later: else he would come first every second. */
const AGAIN_AFTER = minutes(10);
export const putOff = ({ tx }: Pick<Writing, 'tx'>, patientIds: readonly string[], now: Instant) =>
  ownTx(tx)
    .updateTable('corpusFollowSend')
    .set((eb) => ({ nextTryAt: plusMs(now, AGAIN_AFTER), version: eb('version', '+', 1), updatedAt: now }))
    .where('patientId', 'in', [...patientIds])
    .where('state', 'in', ['PLANNED', 'HELD'])
    .where('nextTryAt', '<=', now)
    .execute();

/** Runs first, then their touches: whoever stops a run locks in the same order. */
async function lockDue(writing: Writing, patientIds: readonly string[], now: Instant): Promise<{ runs: Map<string, Run>; sends: Send[] }> {
  const tx = own(writing.tx);
  const due = tx
    .selectFrom('corpusFollowSend')
    .select('runId')
    .where('sourceKind', '=', 'FOLLOW')
    .where('patientId', 'in', [...patientIds])
    .where('state', 'in', ['PLANNED', 'HELD'])
    .where('nextTryAt', '<=', now);
  const runs = await tx.selectFrom('corpusFollowRun').selectAll().where('id', 'in', due).orderBy('id').forUpdate().skipLocked().execute();
  if (runs.length === 0) return { runs: new Map(), sends: [] };
  const sends = await tx
    .selectFrom('corpusFollowSend')
    .selectAll()
    .where(
      'runId',
      'in',
      runs.map(({ id }) => id),
    )
    .where('state', 'in', ['PLANNED', 'HELD'])
    .where('nextTryAt', '<=', now)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
  return { runs: new Map(runs.map((run) => [run.id, run])), sends };
}

export interface Counted {
  today: number;
  in7Days: number;
}

/** Touches sent to each patient; the rows of today are locked by the lock on the patient. */
export async function countsOf(db: Db, patientIds: readonly string[], today: Day): Promise<Map<string, Counted>> {
  const rows = await own(db)
    .selectFrom('corpusTouchCounter')
    .select(['patientId', 'day', 'count'])
    .where('patientId', 'in', [...patientIds])
    .where('day', '>', plusDays(today, -7))
    .where('day', '<=', today)
    .execute();
  const counts = new Map<string, Counted>(patientIds.map((id) => [id, { today: 0, in7Days: 0 }]));
  for (const { patientId, day, count } of rows) {
    const counted = counts.get(patientId)!;
    counted.in7Days += count;
    if (day === today) counted.today += count;
  }
  return counts;
}

/** When a patient last got a material, and by which item of which run. */
interface Given {
  runId: string | null;
  itemKey: string;
  sentAt: Instant;
}
/** By patient and material. What is claimed counts from then on. */
export type LastMaterials = Map<string, Given[]>;

/** What patients got in the days of the gap, today in any case; what is on its way to them too. */
export async function lastMaterials(
  db: Db,
  patientIds: readonly string[],
  { sameMaterialGapDays }: EngineSetting,
  now: Instant,
): Promise<LastMaterials> {
  const since = plusMs(now, -days(Math.max(1, sameMaterialGapDays)));
  const { rows } = await sql<Given & { patientId: string; materialId: string }>`
    select s.patient_id, m.id as material_id, s.run_id, s.item_key, max(coalesce(s.sent_at, s.claimed_at)) as sent_at
      from corpus_follow_send s
      cross join lateral unnest(s.material_ids) as m (id)
      where s.patient_id = any(${[...patientIds]}::bigint[])
        and s.state in ('SENDING', 'UNKNOWN', 'SENT')
        and coalesce(s.sent_at, s.claimed_at) > ${since}::timestamptz
      group by 1, 2, 3, 4`.execute(db);
  return Map.groupBy(rows, ({ patientId, materialId }) => `${patientId}:${materialId}`);
}

/** What was just claimed for a patient counts for his next touch of the same batch. */
export function noteClaimed(lastSent: LastMaterials, { patientId, materialIds, runId, itemKey }: Send, now: Instant): void {
  for (const id of materialIds) {
    const key = `${patientId}:${id}`;
    lastSent.set(key, [...(lastSent.get(key) ?? []), { runId, itemKey, sentAt: now }]);
  }
}

/** All that one batch is judged by, read once. */
interface Moment {
  now: Instant;
  setting: EngineSetting;
  switches: readonly ActiveSwitch[];
  snapshots: ReadonlyMap<string, PackageSnapshot>;
  open: ReadonlyMap<string, Unit[]>;
  labels: ReadonlyMap<string, PatientLabel>;
  followUp: ReadonlySet<string>;
  marketing: ReadonlySet<string>;
  facts: Awaited<ReturnType<typeof unitFacts>>;
  materials: ReadonlyMap<string, Sendable>;
  lastSent: LastMaterials;
  texts: Texts;
  restDays: ReadonlyMap<string, Day[]>;
}

async function readMoment(
  writing: Writing,
  setting: EngineSetting,
  runs: readonly Run[],
  sends: readonly Send[],
  now: Instant,
): Promise<Moment> {
  const db = writing.tx;
  const patientIds = [...new Set(runs.map(({ patientId }) => patientId))];
  const snapshots = await snapshotsOf(
    db,
    runs.map(({ packageVersionId }) => packageVersionId),
  );
  // The touches' rows were frozen with their version.
  const codes = [...snapshots.values()].flatMap((one) =>
    [...one.launch, ...(one.mainLaunch ?? []), ...one.stop].map((row) => row.variableCode),
  );
  const itemCodes = sends.flatMap(({ itemConditions }) => (itemConditions as FrozenRow[]).map((row) => row.variableCode));
  const today = dayOf(now);
  const materials = await sendables(db, [...new Set(sends.flatMap(({ materialIds }) => materialIds))]);
  const restDays = new Map<string, Day[]>();
  for (const mode of ['EVERY', 'WORKDAY'] as const)
    if ([...snapshots.values()].some(({ policy }) => policy.calendarMode === mode))
      restDays.set(mode, restDaysAhead(await usableDays(db, mode, today), today));
  const persons = new Map((await labels(db, patientIds)).map((label) => [label.patientId, label]));
  return {
    now,
    setting,
    switches: await coveringSwitches(db, now),
    snapshots,
    open: await openUnits(db, patientIds),
    labels: persons,
    followUp: await agreeing(db, patientIds, 'FOLLOW_UP', now),
    marketing: sends.some((send) => send.touchKind === 'PROMO') ? await agreeing(db, patientIds, 'MARKETING', now) : new Set(),
    facts: await unitFacts(db, runs, [...codes, ...itemCodes], now),
    materials,
    lastSent: await lastMaterials(db, patientIds, setting, now),
    texts: await readTexts(db, runs, { ...askedBy(materials.values()), labels: persons }, now),
    restDays,
  };
}

/** Where a touch goes and in whose name; fixed by its first try, until the chat refuses it. */
function addressOf(send: Send, run: Run, moment: Moment): { conversationId: string; senderId: string | null } | null {
  if (send.conversationId !== null) return { conversationId: send.conversationId, senderId: send.senderId };
  const channel = channelOf(send.target, run, moment.open.get(run.patientId) ?? []);
  return channel && { conversationId: channel.conversationId, senderId: channel.assistantOperatorId };
}

/** The item of the run's version that a touch is of; null for a cycle's. */
const itemOf = (send: Send, run: Run, moment: Moment): FrozenItem | null =>
  moment.snapshots.get(run.packageVersionId)!.schedule.find(({ itemKey }) => itemKey === send.itemKey) ?? null;

function inputOf(send: Send, run: Run, moment: Moment, sent: Counted): GateInput {
  const { now, setting } = moment;
  const snapshot = moment.snapshots.get(run.packageVersionId)!;
  const facts = moment.facts.get(unitKey(run)) ?? new Map();
  const label = moment.labels.get(run.patientId);
  const address = addressOf(send, run, moment);
  const itemRows = send.itemConditions as FrozenRow[];
  const item = judgeRows(itemRows, facts);
  return {
    now,
    touch: { touchKind: send.touchKind, dueAt: send.dueAt, expiresAt: send.expiresAt },
    switches: moment.switches
      .filter((one) => one.covers({ run, conversationId: address?.conversationId ?? run.conversationId }))
      .map(({ label: text }) => text),
    run: { state: run.state, pausedUntil: run.pausedUntil },
    patient: { alive: label?.lifeState === 'ALIVE', cancelled: label?.state === 'CANCELLED' },
    consent: { followUp: moment.followUp.has(run.patientId), marketing: moment.marketing.has(run.patientId) },
    hasChannel: address !== null && address.senderId !== null,
    stop: evaluateStop(snapshot, facts).holds,
    launch: snapshot.policy.recheckLaunch ? evaluateUnit(snapshot, facts).holds : null,
    itemConditions: itemRows.length === 0 || item.empty ? null : item.held,
    materials: send.materialIds.map((id) => {
      const material = moment.materials.get(id);
      // A cycle sends the same material day after day; that is what it is for.
      const others = (moment.lastSent.get(`${run.patientId}:${id}`) ?? []).filter(
        (last) => !(send.itemKey === CYCLE_KEY && last.itemKey === CYCLE_KEY && last.runId === run.id && dayOf(last.sentAt) < dayOf(now)),
      );
      return {
        enabled: material?.enabled ?? false,
        rxMissing: material?.rxMedicineId != null && !moment.texts.prescribed(run.patientId, material.rxMedicineId),
        lastSentAt: others.reduce<Instant | null>((last, { sentAt }) => (last === null || sentAt > last ? sentAt : last), null),
      };
    }),
    taskOnly: send.materialIds.length === 0 && itemOf(send, run, moment)?.createTask !== undefined,
    sameMaterialGapDays: setting.sameMaterialGapDays,
    restDays: moment.restDays.get(snapshot.policy.calendarMode)!,
    lastHumanAt:
      (moment.open.get(run.patientId) ?? []).find(({ conversationId }) => conversationId === address?.conversationId)?.lastHumanAt ?? null,
    activeGuardMin: snapshot.policy.activeGuardMin,
    sent: { ...sent },
    caps: { perDay: setting.capPerDay, in7Days: setting.cap7Days },
  };
}

/** What the bubbles of a touch are filled with. */
export interface Filling {
  values: Readonly<Record<string, string>>;
  materials: ReadonlyMap<string, Sendable>;
  now: Instant;
}

export async function bubblesOf(writing: Writing, secrets: Secrets, send: Send, { values, materials, now }: Filling): Promise<Bubble[]> {
  const bubbles: Bubble[] = [];
  for (const [index, id] of send.materialIds.entries()) {
    const material = materials.get(id)!;
    const token =
      material.form && (await issueForm(writing.tx, secrets, { sendId: send.id, patientId: send.patientId, ...material.form }, now));
    // The gate asked whether it can be rendered.
    const { type, payload } = material.bubble({ sendId: send.id, token, values })!;
    const n = index + 1;
    bubbles.push({ n, materialId: id, materialVersionId: material.versionId!, key: `${send.dedupeKey}#${n}`, type, payload, seq: null });
  }
  return bubbles;
}

export interface Outcome {
  send: Send;
  verdict: GateVerdict;
  trace: GateStep[];
  address: { conversationId: string; senderId: string | null } | null;
  bubbles: Bubble[];
  grounds: Grounds;
}

const stateOf = (verdict: GateVerdict) =>
  ({ SEND: 'SENDING', HOLD: 'HELD', SKIP: 'SKIPPED', STOP_RUN: 'CANCELLED', CANCEL: 'CANCELLED' })[verdict.do];

/** Writes what was decided of a batch in one statement. */
export async function writeOutcomes(writing: Writing, outcomes: readonly Outcome[], now: Instant): Promise<void> {
  const rows = outcomes.map(({ send, verdict, trace, address, bubbles }) => ({
    id: send.id,
    state: stateOf(verdict),
    reason_code: 'reason' in verdict && verdict.do !== 'STOP_RUN' ? verdict.reason : null,
    next_try_at: verdict.do === 'HOLD' ? verdict.nextTryAt : send.nextTryAt,
    gate_trace: trace,
    bubbles: verdict.do === 'SEND' ? bubbles : [],
    conversation_id: verdict.do === 'SEND' ? address!.conversationId : send.conversationId,
    sender_id: verdict.do === 'SEND' ? address!.senderId : send.senderId,
    lease_until: verdict.do === 'SEND' ? plusMs(now, LEASE_MS) : null,
    claimed_at: verdict.do === 'SEND' ? now : send.claimedAt,
    attempts: send.attempts + (verdict.do === 'SEND' ? 1 : 0),
  }));
  await sql`
    update corpus_follow_send s
      set state = r.state, reason_code = r.reason_code, next_try_at = r.next_try_at, gate_trace = r.gate_trace,
        bubbles = case when r.state = 'SENDING' then r.bubbles else s.bubbles end, conversation_id = r.conversation_id,
        sender_id = r.sender_id, lease_until = r.lease_until, claimed_at = r.claimed_at, attempts = r.attempts, version = s.version + 1,
        updated_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        id bigint, state text, reason_code text, next_try_at timestamptz, gate_trace jsonb, bubbles jsonb, conversation_id bigint,
        sender_id bigint, lease_until timestamptz, claimed_at timestamptz, attempts int
      )
      where s.id = r.id`.execute(writing.tx);
  await keepTries(writing.tx, outcomes, now);
  const counted = new Map<string, number>();
  for (const { send, verdict } of outcomes)
    if (verdict.do === 'SEND' && countsAsTouch(send)) counted.set(send.patientId, (counted.get(send.patientId) ?? 0) + 1);
  if (counted.size === 0) return;
  await sql`
    insert into corpus_touch_counter as c (patient_id, day, count)
    select r.patient_id, ${dayOf(now)}::date, r.count from jsonb_to_recordset(${JSON.stringify(
      [...counted].map(([patient_id, count]) => ({ patient_id, count })),
    )}::jsonb) as r (patient_id bigint, count int) order by r.patient_id
    on conflict (patient_id, day) do update set count = c.count + excluded.count${sql.raw(WITH_COMMIT)}`.execute(writing.tx);
}

/** Greetings and notices are no touches of a day (R6). */
export const countsAsTouch = ({ sourceKind }: Pick<Send, 'sourceKind'>): boolean => sourceKind === 'FOLLOW' || sourceKind === 'CAMPAIGN';

export const urgency = (kind: TouchKind) => touchKind.codes.indexOf(kind);

/**
 * First half of sending (R7, T1): takes the touches that are due of some patients, asks the gates in turn of urgency, counts, renders
 * and commits what is to be sent. What a switch covers at its commit is never claimed after it.
 * @returns the claimed touches
 */
export const claimDue = (job: JobContext, patients: number, most: number, of?: ClaimedOf): Promise<string[]> =>
  job.transaction(async (writing) => {
    const { now } = job;
    const patientIds = await lockPatients(writing, now, patients, 'RUNS', of);
    if (patientIds.length === 0) return [];
    // Before the touches: whoever lifts a switch holds it and writes them.
    const setting = await settingForShare(writing.tx);
    const { runs, sends } = await lockDue(writing, patientIds, now);
    if (sends.length === 0) return [];
    const moment = await readMoment(writing, setting, [...runs.values()], sends, now);
    const counts = await countsOf(writing.tx, patientIds, dayOf(now));
    const outcomes: Outcome[] = [];
    const stopped = new Set<string>();
    let claimed = 0;
    for (const send of sends.toSorted(byUrgency(urgency))) {
      const run = runs.get(send.runId!)!;
      if (stopped.has(run.id)) continue;
      const sent = counts.get(send.patientId)!;
      const input = inputOf(send, run, moment, sent);
      const { verdict, trace } = gate(input);
      const grounds = { input, facts: moment.facts.get(unitKey(run)) ?? new Map() };
      if (verdict.do === 'SEND') {
        if (claimed >= most) continue;
        claimed += 1;
        sent.today += 1;
        sent.in7Days += 1;
        noteClaimed(moment.lastSent, send, now);
      }
      if (verdict.do === 'STOP_RUN') stopped.add(run.id);
      const bubbles =
        verdict.do === 'SEND' ? await bubblesOf(writing, job.kernel.secrets, send, { ...moment, values: moment.texts.values(run) }) : [];
      outcomes.push({ send, verdict, trace, address: addressOf(send, run, moment), bubbles, grounds });
    }
    await writeOutcomes(writing, outcomes, now);
    const ctx = asSystem(writing, job);
    await raisePlanned(
      ctx,
      outcomes.flatMap(({ send, verdict }) => {
        if (verdict.do !== 'SEND' && !(verdict.do === 'SKIP' && verdict.reason === 'TASK')) return [];
        const run = runs.get(send.runId!)!;
        const item = itemOf(send, run, moment);
        return item?.createTask ? [{ send, run, item }] : [];
      }),
    );
    for (const { send, verdict } of outcomes) {
      if (verdict.do !== 'STOP_RUN') continue;
      const run = runs.get(send.runId!)!;
      const facts = moment.facts.get(unitKey(run)) ?? new Map();
      const explain = verdict.reason === 'STOP_CONDITION' ? evaluateStop(moment.snapshots.get(run.packageVersionId)!, facts).explain : [];
      await stopRun(ctx, run, verdict.reason, { explain });
    }
    return outcomes.flatMap(({ send, verdict }) => (verdict.do === 'SEND' ? [send.id] : []));
  });
