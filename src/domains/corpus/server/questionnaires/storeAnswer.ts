import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { corpusFormSubmitted } from '../../../../events/corpus.ts';
import type { StoredAlert } from '../../contract/questionnaires/calls.ts';
import type { Answers } from '../../contract/questionnaires/content.ts';
import { alertsOf, scoreOf, valuesOf } from '../../contract/questionnaires/rules.ts';
import { corpusTx } from '../database.ts';
import { convert } from '../engine/attribution.ts';
import { raiseAlerts } from '../tasks/sources.ts';
import type { OpenForm } from './links.ts';

/**
 * Keeps the answer to what a touch asked, and tells its score, alerts and values.
 * @param kept answers that were checked
 * @returns its id; null where the touch was answered before
 */
export async function storeAnswer(ctx: Acting, form: OpenForm, kept: Answers, seconds: number): Promise<string | null> {
  const { questions } = form.content;
  const score = scoreOf(questions, kept);
  const alerts: StoredAlert[] = alertsOf(form.content, kept).map(({ level, taskType, text }) => ({ level, taskType, text }));
  const { sendId, patientId, questionnaireId, versionId } = form;
  const stored = await corpusTx(ctx.tx)
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
    })
    .onConflict((conflict) => conflict.column('sendId').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!stored) return null;
  await convert(ctx, { patientId }, 'FORM_DONE', corpusFormSubmitted.name, ctx.now);
  await raiseAlerts(ctx, { answerId: stored.id, sendId, patientId, title: form.title, alerts });
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
