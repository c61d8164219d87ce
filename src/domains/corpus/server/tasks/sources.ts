import { plusMs } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { StoredAlert } from '../../contract/questionnaires/calls.ts';
import { DUE_MS } from '../../contract/tasks/states.ts';
import { placeOfPatient, placeOfSend, type Place } from './places.ts';
import { raiseTask } from './raise.ts';

interface Answered {
  answerId: string;
  /** The touch that asked; null: nobody was sent it. */
  sendId: string | null;
  patientId: string;
  title: string;
  /** Where it was answered, if not where its touch belongs. */
  place?: Place;
  alerts: readonly StoredAlert[];
}

/** Alerts of an answer, those of one type as one task of the highest level among them. */
export async function raiseAlerts(ctx: Acting, { answerId, sendId, patientId, title, alerts, place: known }: Answered): Promise<void> {
  if (alerts.length === 0) return;
  const place = known ?? (sendId === null ? await placeOfPatient(ctx.tx, patientId) : await placeOfSend(ctx.tx, sendId, patientId));
  for (const [type, ofType] of Map.groupBy(alerts, ({ taskType }) => taskType)) {
    const level = ofType.some((alert) => alert.level === 'HIGH') ? 'HIGH' : 'MID';
    await raiseTask(ctx, {
      ...place,
      source: { type: 'ANSWER', id: answerId },
      taskType: type,
      level,
      subject: `问卷“${title}”：${ofType.map(({ text }) => text).join('；')}`,
      dueAt: plusMs(ctx.now, DUE_MS[level]),
      patientId,
      assigneeId: null,
    });
  }
}

/** A touch that the chat refused to the last. */
export async function raiseSendFail(ctx: Acting, send: { id: string; sendNo: string; patientId: string }, fault: string): Promise<void> {
  await raiseTask(ctx, {
    ...(await placeOfSend(ctx.tx, send.id, send.patientId)),
    source: { type: 'SEND', id: send.id },
    taskType: 'SEND_FAIL',
    level: 'MID',
    subject: `消息${send.sendNo}多次发送失败：${fault}`,
    dueAt: plusMs(ctx.now, DUE_MS.MID),
    patientId: send.patientId,
    assigneeId: null,
  });
}
