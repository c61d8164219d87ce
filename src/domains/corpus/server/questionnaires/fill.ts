import { refuse } from '#kernel/contract/errors.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { queryByToken, submitAnswer } from '../../contract/questionnaires/calls.ts';
import { questionnaireErrors } from '../../contract/questionnaires/errors.ts';
import { askedOf, openForm } from './links.ts';
import { checkedAnswers, storeAnswer } from './storeAnswer.ts';

/** What patients do with the link that they were sent. */
export const fillHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryByToken, async ({ token }, ctx) => {
    return askedOf(await openForm(ctx.db, kernel.secrets, token, ctx.now));
  }),
  command(submitAnswer, async ({ token, answers, seconds }, ctx) => {
    const form = await openForm(ctx.tx, kernel.secrets, token, ctx.now);
    const answerId = await storeAnswer(ctx, form, checkedAnswers(form.content, answers), seconds);
    // Two windows, two clicks: the first one counts.
    if (answerId === null) throw refuse(questionnaireErrors.FORM_SUBMITTED);
    ctx.target({ type: 'corpus.questionnaireAnswer', id: answerId, no: form.title });
    return {};
  }),
];
