import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { queryByToken, submitAnswer } from '../../contract/questionnaires/calls.ts';
import { questionnaireErrors } from '../../contract/questionnaires/errors.ts';
import { answerFaults, keptAnswers } from '../../contract/questionnaires/rules.ts';
import { openForm } from './links.ts';
import { storeAnswer } from './storeAnswer.ts';

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
    const answerId = await storeAnswer(ctx, form, keptAnswers(questions, answers), seconds);
    // Two windows, two clicks: the first one counts.
    if (answerId === null) throw refuse(questionnaireErrors.FORM_SUBMITTED);
    ctx.target({ type: 'corpus.questionnaireAnswer', id: answerId, no: form.title });
    return {};
  }),
];
