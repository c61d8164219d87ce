import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Fact, Facts } from '#kernel/contract/rules/rule.ts';
import type { Db } from '#kernel/server/context.ts';
import { factCodes as conversationCodes, factsFor as conversationFacts } from '#domains/consultation/server/index.ts';
import { factsFor as doctorFacts } from '#domains/doctor/server/index.ts';
import { factCodes as patientCodes, factsFor as patientFacts } from '#domains/patient/server/index.ts';
import { own } from '../database.ts';
import { variableSeeds } from '../conditions/variableReference.ts';
import { openTasksOf } from './openTasks.ts';
import type { Unit } from './units.ts';

/** Whose facts are read: a patient in one conversation, with the doctor and assistant of that conversation. */
export interface FactUnit {
  patientId: string;
  /** null: nothing is known of a conversation. */
  conversationId: string | null;
  doctorId: string | null;
}

export const unitKey = ({ patientId, conversationId }: Pick<FactUnit, 'patientId' | 'conversationId'>): string =>
  `${patientId}:${conversationId ?? ''}`;

const sourceOf = new Map(variableSeeds.map((seed) => [seed.code, seed.source]));
/** Digits of a doctor's title, as conditions store them, by its label. */
const titleDigits = new Map(variableSeeds.find(({ code }) => code === 'doctor.title')!.options.map(({ value, label }) => [label, value]));
const DOCTOR_TITLE = 'doctor.title';
const LAST_SCORE = 'patient.lastFormScore';
const OPEN_TASKS = 'assistant.openTasks';

/** Score of the questionnaire that each person handed in last. */
async function lastScores(db: Db, units: readonly FactUnit[]): Promise<ReadonlyMap<string, { value: string; at: Instant }>> {
  const rows = await own(db)
    .selectFrom('corpusQuestionnaireAnswer')
    .distinctOn('patientId')
    .select(['patientId', 'score', 'submittedAt'])
    .where('patientId', 'in', [...new Set(['0', ...units.map(({ patientId }) => patientId)])])
    .orderBy('patientId')
    .orderBy('submittedAt', 'desc')
    .execute();
  return new Map(rows.map(({ patientId, score, submittedAt }) => [patientId, { value: String(score), at: submittedAt }]));
}

/**
 * Everything that conditions are judged by comes through here, so that a trial, a dry run and the engine read the same facts: one
 * question to its owner for each variable, whatever the number of units. A value that nobody knows is not there.
 */
export async function unitFacts(
  db: Db,
  units: readonly FactUnit[],
  variableCodes: readonly string[],
  now: Instant,
  open?: ReadonlyMap<string, Unit[]>,
): Promise<ReadonlyMap<string, Facts>> {
  const today = dayOf(now);
  const codes = [...new Set(variableCodes)];
  const facts = new Map<string, Map<string, Fact>>(units.map((unit) => [unitKey(unit), new Map()]));
  const keep = (unit: FactUnit, code: string, value: string, at: Instant | null) =>
    facts.get(unitKey(unit))!.set(code, { value, at, source: sourceOf.get(code) ?? '' });

  const conversations = units.flatMap(({ conversationId }) => (conversationId === null ? [] : [conversationId]));
  const ofConversation = Map.groupBy(
    await conversationFacts(
      db,
      conversations,
      codes.filter((code) => conversationCodes.includes(code)),
      now,
    ),
    ({ conversationId }) => conversationId,
  );
  const ofPatient = Map.groupBy(
    await patientFacts(
      db,
      [...new Set(units.map(({ patientId }) => patientId))],
      codes.filter((code) => patientCodes.includes(code)),
      today,
    ),
    ({ patientId }) => patientId,
  );
  const scores = codes.includes(LAST_SCORE) ? await lastScores(db, units) : null;
  const doctors = codes.includes(DOCTOR_TITLE)
    ? await doctorFacts(
        db,
        { doctorIds: [...new Set(units.flatMap(({ doctorId }) => (doctorId === null ? [] : [doctorId])))] },
        ['title'],
        today,
      )
    : null;
  const tasks = codes.includes(OPEN_TASKS) ? await openTasksOf(db, units, open) : null;
  for (const unit of units) {
    for (const { code, value, at } of ofPatient.get(unit.patientId) ?? []) keep(unit, code, value, at);
    if (unit.conversationId !== null)
      for (const { code, value, at } of ofConversation.get(unit.conversationId) ?? []) keep(unit, code, value, at);
    const score = scores?.get(unit.patientId);
    if (score) keep(unit, LAST_SCORE, score.value, score.at);
    const inHand = unit.conversationId === null ? undefined : tasks?.get(unit.conversationId);
    if (inHand !== undefined) keep(unit, OPEN_TASKS, String(inHand), null);
    const title = unit.doctorId === null ? undefined : doctors?.get(unit.doctorId)?.['title'];
    const digits = title === undefined ? undefined : titleDigits.get(String(title));
    if (digits !== undefined) keep(unit, DOCTOR_TITLE, digits, null);
  }
  return facts;
}
