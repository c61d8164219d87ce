import { sql } from 'kysely';
import { dayOf, days, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { humanMessages, type HumanMessage } from '#domains/consultation/server/index.ts';
import type { Glimpse } from '../../contract/engine/known.ts';
import type { PlayedPatient, PlayedUnit } from '../../contract/engine/play.ts';
import type { Sent } from '../../contract/engine/playGate.ts';
import { codesOf, factsKept } from '../facts/observe.ts';

/** Longest pause that a reply may cause, and longest time in which a repetition counts. */
const REPLIES_BEFORE = days(7);
const TOUCHES_BEFORE = days(90);

interface LogRow {
  patientId: string;
  conversationId: string;
  at: Instant;
  facts: unknown;
  catalogue: number;
  groupId: string | null;
  doctorId: string | null;
  followUp: boolean;
  marketing: boolean;
  alive: boolean;
  cancelled: boolean;
}

const codeSets = new Map<number, ReadonlySet<string>>();
const codeSet = (catalogue: number): ReadonlySet<string> => {
  const known = codeSets.get(catalogue) ?? new Set(codesOf(catalogue));
  codeSets.set(catalogue, known);
  return known;
};

const glimpseOf = (row: LogRow): Glimpse => ({
  at: row.at,
  facts: factsKept(row.facts),
  codes: codeSet(row.catalogue),
  followUp: row.followUp,
  marketing: row.marketing,
  alive: row.alive,
  cancelled: row.cancelled,
  judged: true,
});

/** What was kept of persons within a time, oldest first. */
export async function logRows(db: Db, patientIds: readonly string[], from: Instant, to: Instant): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select patient_id, conversation_id, at, facts, catalogue, group_id, doctor_id, follow_up, marketing, alive, cancelled
      from corpus_fact_log
      where patient_id = any(${[...patientIds]}::bigint[]) and at >= ${from}::timestamptz and at < ${to}::timestamptz
      order by at`.execute(db);
  return rows;
}
export { glimpseOf, type LogRow };

interface TriedRow {
  patientId: string;
  conversationId: string;
  at: Instant;
  facts: unknown;
}

/** Facts by which touches were decided: a moment between two judgements, seen again as it was. */
const triedFacts = async (db: Db, patientIds: readonly string[], from: Instant, to: Instant): Promise<TriedRow[]> => {
  const { rows } = await sql<TriedRow>`
    select s.patient_id, r.conversation_id, t.at, t.facts
      from corpus_follow_send s
      join corpus_gate_try t on t.send_id = s.id
      join corpus_follow_run r on r.id = s.run_id
      where s.patient_id = any(${[...patientIds]}::bigint[])
        and t.at >= ${from}::timestamptz
        and t.at < ${to}::timestamptz
        and t.facts <> '{}'
      order by t.at`.execute(db);
  return rows;
};

/** Adds what a touch was decided by to what was known of that day. */
function withTries(glimpses: readonly Glimpse[], tried: readonly TriedRow[]): Glimpse[] {
  const merged = [...glimpses, ...tried.map(({ at, facts }) => ({ at, tried: factsKept(facts) }))].toSorted((a, b) =>
    a.at < b.at ? -1 : 1,
  );
  const all: Glimpse[] = [];
  for (const one of merged) {
    if ('judged' in one) all.push(one);
    else {
      const last = all.at(-1);
      if (last && dayOf(last.at) === dayOf(one.at))
        all.push({ ...last, at: one.at, facts: new Map([...last.facts, ...one.tried]), judged: false });
    }
  }
  return all;
}

/** Touches that no play sends: those of other packages, and all from before it. */
async function otherTouches(
  db: Db,
  patientIds: readonly string[],
  played: readonly string[],
  { from, to }: { from: Instant; to: Instant },
): Promise<ReadonlyMap<string, (Sent & { patientId: string })[]>> {
  const { rows } = await sql<Sent & { patientId: string }>`
    select patient_id, coalesce(claimed_at, sent_at) as at, material_ids, source_kind in ('FOLLOW', 'CAMPAIGN') as counts,
        'R' || run_id as run_key, item_key
      from corpus_follow_send
      where patient_id = any(${[...patientIds]}::bigint[])
        and state = 'SENT'
        and sent_at >= ${plusMs(from, -TOUCHES_BEFORE)}::timestamptz
        and sent_at < ${to}::timestamptz
        and (sent_at < ${from}::timestamptz or scene_package_id is null or scene_package_id <> all(${[...played]}::bigint[]))`.execute(db);
  return Map.groupBy(rows, ({ patientId }) => patientId);
}

/** How long after a message its answer to a questionnaire is stored at the latest. */
const STORED_WITHIN = minutes(10);

/** When answers to questionnaires were stored that were written as messages, by conversation: such a message pauses nothing. */
async function writtenAnswers(db: Db, patientIds: readonly string[], { from, to }: { from: Instant; to: Instant }) {
  const { rows } = await sql<{ conversationId: string; at: Instant }>`
    select s.conversation_id, a.submitted_at as at from corpus_questionnaire_answer a join corpus_follow_send s on s.id = a.send_id
     where a.patient_id = any(${[...patientIds]}::bigint[])
       and a.seconds = 0
       and a.submitted_at >= ${from}::timestamptz
       and a.submitted_at < ${to}::timestamptz`.execute(db);
  return Map.groupBy(rows, ({ conversationId }) => conversationId);
}

/**
 * What happened to persons within a time, whatever scenes there were: what was known of them, who wrote, what others sent.
 * @param played packages whose touches the play sends itself
 */
export async function historyOf(
  db: Db,
  patientIds: readonly string[],
  played: readonly string[],
  span: { from: Instant; to: Instant },
): Promise<PlayedPatient[]> {
  const log = Map.groupBy(await logRows(db, patientIds, span.from, span.to), ({ patientId }) => patientId);
  const tried = Map.groupBy(
    await triedFacts(db, patientIds, span.from, span.to),
    ({ patientId, conversationId }) => `${patientId}:${conversationId}`,
  );
  const others = await otherTouches(db, patientIds, played, span);
  const live = Map.groupBy(await unitsOfRuns(db, patientIds, span), ({ patientId }) => patientId);
  const conversations = new Set([...log.values(), ...live.values()].flat().map(({ conversationId }) => conversationId));
  const before = plusMs(span.from, -REPLIES_BEFORE);
  const answers = await writtenAnswers(db, patientIds, { from: before, to: span.to });
  const isAnswer = ({ conversationId, role, at }: HumanMessage) =>
    role === 'PATIENT' && (answers.get(conversationId) ?? []).some((one) => one.at >= at && one.at <= plusMs(at, STORED_WITHIN));
  const messages = Map.groupBy(
    (await humanMessages(db, [...conversations], { from: before, to: span.to })).filter((message) => !isAnswer(message)),
    ({ conversationId }) => conversationId,
  );
  return patientIds.map((patientId) => {
    const rows = Map.groupBy(log.get(patientId) ?? [], ({ conversationId }) => conversationId);
    const units: PlayedUnit[] = [...rows].map(([conversationId, ofUnit]) => {
      const { groupId, doctorId } = ofUnit.at(-1)!;
      return {
        conversationId,
        groupId,
        doctorId,
        glimpses: withTries(ofUnit.map(glimpseOf), tried.get(`${patientId}:${conversationId}`) ?? []),
      };
    });
    // A run whose conversation was never looked at goes on all the same; nobody knows by which facts.
    for (const { conversationId, groupId, doctorId } of live.get(patientId) ?? [])
      if (!rows.has(conversationId)) units.push({ conversationId, groupId, doctorId, glimpses: [] });
    return {
      patientId,
      units,
      otherTouches: others.get(patientId) ?? [],
      humans: units.flatMap(({ conversationId }) => messages.get(conversationId) ?? []),
    };
  });
}

async function unitsOfRuns(db: Db, patientIds: readonly string[], { from, to }: { from: Instant; to: Instant }) {
  const { rows } = await sql<{ patientId: string; conversationId: string; groupId: string | null; doctorId: string | null }>`
    select distinct on (patient_id, conversation_id) patient_id, conversation_id, group_id, doctor_id from corpus_follow_run
     where patient_id = any(${[...patientIds]}::bigint[])
       and entered_at < ${to}::timestamptz
       and (ended_at is null or ended_at >= ${from}::timestamptz)
     order by patient_id, conversation_id, id desc`.execute(db);
  return rows;
}
