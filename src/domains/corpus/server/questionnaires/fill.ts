import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { corpusFormSubmitted } from '../../../../events/corpus.ts';
import { convert } from '../engine/attribution.ts';
import { queryByToken, submitAnswer, type StoredAlert } from '../../contract/questionnaires/calls.ts';
import { questionnaireErrors } from '../../contract/questionnaires/errors.ts';
import { alertsOf, answerFaults, keptAnswers, scoreOf, valuesOf } from '../../contract/questionnaires/rules.ts';
import { corpusTx } from '../database.ts';
import { raiseAlerts } from '../tasks/sources.ts';
import { openForm } from './links.ts';

/** What patients do with the link that they were sent. */
export const fillHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryByToken, async ({ token }, ctx) => {
    const form = await openForm(ctx.db, kernel.secrets, token, ctx.now);
    return {
      title: form.title,
      questions: form.content.questions.map(({ key, type, title, required, options, showIf, min, max }) => ({
        key,
        type,
        title,
        required,
        options: options.map(({ label }) => label),
        showIf: showIf ?? null,
        min: min ?? null,
        max: max ?? null,
      })),
    };
  }),
  command(submitAnswer, async ({ token, answers, seconds }, ctx) => {
    const form = await openForm(ctx.tx, kernel.secrets, token, ctx.now);
    const { questions } = form.content;
    const faults = answerFaults(questions, answers);
    if (faults.length > 0)
      throw refuse(platformErrors.MALFORMED, { fields: faults.map(({ key, message }) => ({ path: `answers.${key}`, message })) });
    const kept = keptAnswers(questions, answers);
    const score = scoreOf(questions, kept);
    const alerts: StoredAlert[] = alertsOf(form.content, kept).map(({ level, taskType, text }) => ({ level, taskType, text }));
    const stored = await corpusTx(ctx.tx)
      .insertInto('corpusQuestionnaireAnswer')
      .values({
        sendId: form.sendId,
        patientId: form.patientId,
        questionnaireId: form.questionnaireId,
        versionId: form.versionId,
        answers: JSON.stringify(kept),
        score,
        alerts: JSON.stringify(alerts),
        submittedAt: ctx.now,
        seconds,
      })
      .onConflict((conflict) => conflict.column('sendId').doNothing())
      .returning('id')
      .executeTakeFirst();
    // Two windows, two clicks: the first one counts.
    if (!stored) throw refuse(questionnaireErrors.FORM_SUBMITTED);
    ctx.target({ type: 'corpus.questionnaireAnswer', id: stored.id, no: form.title });
    await convert(ctx, { patientId: form.patientId }, 'FORM_DONE', corpusFormSubmitted.name, ctx.now);
    await raiseAlerts(ctx, { answerId: stored.id, sendId: form.sendId, patientId: form.patientId, title: form.title, alerts });
    await ctx.publish(corpusFormSubmitted, stored.id, {
      answerId: stored.id,
      patientId: form.patientId,
      questionnaireId: form.questionnaireId,
      score,
      alerts: alerts.map(({ level, text }) => ({ level, text })),
      values: valuesOf(questions, kept),
    });
    return {};
  }),
];
