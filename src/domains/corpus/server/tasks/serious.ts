import { Refusal } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { messageTypes } from '#domains/consultation/contract/im/types.ts';
import { ImError, postMessage } from '#domains/consultation/server/index.ts';
import { labels } from '#domains/patient/server/index.ts';
import { openUnits } from '../facts/units.ts';
import type { Task } from './rows.ts';

/**
 * A serious reaction is told to the doctor in the patient's group, in the name of the system. Where there is none, or the group takes
 * no message, the report counts all the same.
 */
export async function notifyDoctor(
  kernel: Kernel,
  ctx: CommandContext,
  task: Task,
  { symptom, medicineName }: { symptom: string; medicineName: string },
): Promise<void> {
  const open = (await openUnits(ctx.tx, [task.patientId])).get(task.patientId) ?? [];
  const groups = open.filter(({ groupId }) => groupId !== null);
  const group = groups.find(({ conversationId }) => conversationId === task.conversationId) ?? groups[0];
  if (!group) return;
  const [patient] = await labels(ctx.tx, [task.patientId]);
  const text = `【不良反应提醒】${patient?.salutation ?? '患者'}上报疑似严重不良反应：${symptom}（怀疑药品：${medicineName}），请医生尽快查看并处理。`;
  try {
    await postMessage(
      kernel,
      ctx,
      {
        conversationId: group.conversationId,
        senderRole: 'SYSTEM',
        clientMsgId: `FT:${task.id}:serious`,
        bubble: { type: messageTypes.TEXT, payload: { text } },
        sourceRef: `corpus:task:${task.id}`,
      },
      ctx.now,
    );
  } catch (error) {
    if (!(error instanceof ImError) && !(error instanceof Refusal)) throw error;
  }
}
