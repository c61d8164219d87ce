import type { Acting } from '#kernel/server/command/acting.ts';
import { plusMs, type Instant } from '#kernel/contract/time.ts';
import { messageText } from '#domains/consultation/server/index.ts';
import { answerOfReply } from '../../contract/questionnaires/replyAnswer.ts';
import { DUE_MS } from '../../contract/tasks/states.ts';
import { variableSeeds } from '../conditions/variableReference.ts';
import { placeOfSend } from '../tasks/places.ts';
import { raiseTask } from '../tasks/raise.ts';
import { openFormOfSend } from './links.ts';
import { storeAnswer } from './storeAnswer.ts';

const units = new Map(variableSeeds.map(({ code, unit }) => [code, unit]));

interface Reply {
  /** The touch that the message answers. */
  sendId: string;
  conversationId: string;
  seq: number;
  /** Who wrote; null: nobody knows. */
  patientId: string | null;
  at: Instant;
}

/**
 * A patient who writes the number that a touch asked for has filled its questionnaire. A number that nobody can have is looked at by a
 * person.
 * @returns whether the message was the answer
 */
export async function answerByReply(ctx: Acting, { sendId, conversationId, seq, patientId: by, at }: Reply): Promise<boolean> {
  const form = await openFormOfSend(ctx.tx, sendId, at);
  // An account may write for a relative; what he says of himself is not about the patient.
  if (!form || form.patientId !== by) return false;
  const text = await messageText(ctx.tx, conversationId, seq);
  if (text === null) return false;
  const { patientId, title } = form;
  const verdict = answerOfReply(form.content.questions, (code) => units.get(code) ?? '', text);
  if (verdict.is === 'ANSWER') return (await storeAnswer(ctx, form, verdict.answers, 0)) !== null;
  if (verdict.is === 'OUT_OF_RANGE')
    await raiseTask(ctx, {
      ...(await placeOfSend(ctx.tx, sendId, patientId)),
      source: { type: 'SEND', id: sendId },
      taskType: 'ALERT',
      level: 'HIGH',
      subject: `问卷“${title}”：患者回复“${text.trim().slice(0, 40)}”，超出可填写的范围，请核实`,
      dueAt: plusMs(ctx.now, DUE_MS.HIGH),
      patientId,
      assigneeId: null,
    });
  return false;
}
