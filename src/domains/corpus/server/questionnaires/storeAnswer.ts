import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { corpusFormSubmitted } from '#events/corpus.ts';
import type { StoredAlert } from '../../contract/questionnaires/calls.ts';
import type { Answers, QuestionnaireContent } from '../../contract/questionnaires/content.ts';
import { alertsOf, answerFaults, keptAnswers, scoreOf, valuesOf } from '../../contract/questionnaires/rules.ts';
import { ownTx } from '../database.ts';
import { convert } from '../engine/attribution.ts';
import { raiseAlerts } from '../tasks/sources.ts';
import type { FillableForm } from './links.ts';

/** Answers to what was asked. @throws Refusal SCM90020, each fault at its question */
export function checkedAnswers({ questions }: QuestionnaireContent, answers: Answers): Answers {
  const faults = answerFaults(questions, answers);
  if (faults.length > 0)
    throw refuse(platformErrors.MALFORMED, { fields: faults.map(({ key, message }) => ({ path: `answers.${key}`, message })) });
  return keptAnswers(questions, answers);
}

/**
 * Keeps the answer to what a touch or somebody by phone asked, and tells its score, alerts and values.
 * @param kept answers that were checked
 * @param by who filled it in for the patient, and at which task
 * @returns its id; null where it was answered before
 */
export async function storeAnswer(
  ctx: Acting,
  form: FillableForm,
  kept: Answers,
  seconds: number,
  by: { taskId: string; userId: string } | null = null,
): Promise<string | null> {
  const { questions } = form.content;
  const score = scoreOf(questions, kept);
  const alerts: StoredAlert[] = alertsOf(form.content, kept).map(({ level, taskType, text }) => ({ level, taskType, text }));
  const { sendId, patientId, questionnaireId, versionId } = form;
  const stored = await ownTx(ctx.tx)
    .insertInto('corpusQuestionnaireAnswer')
    .values({
      sendId,
      patientId,
      questionnaireId,
      versionId,
      answers: JSON.stringify(kept),
      score,
      alerts: JSON.stringify(alerts),
      submittedAt: ctx.now,
      seconds,
      taskId: by?.taskId ?? null,
      filledBy: by?.userId ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) return null;
  await convert(ctx, { patientId }, 'FORM_DONE', corpusFormSubmitted.name, ctx.now);
  await raiseAlerts(ctx, { answerId: stored.id, sendId, patientId, title: form.title, alerts, ...(form.place && { place: form.place }) });
  await ctx.publish(corpusFormSubmitted, stored.id, {
    answerId: stored.id,
    patientId,
    questionnaireId,
    score,
    alerts: alerts.map(({ level, text }) => ({ level, text })),
    values: valuesOf(questions, kept),
  });
  return stored.id;
}
