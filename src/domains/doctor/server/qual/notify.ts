import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { qualApplyMachine, type QualApplyState } from '../../contract/states.ts';
import { textDoctor } from '../doctors/entry/person.ts';

interface Decided {
  id: string;
  applyNo: string;
  doctorId: string;
  name: string;
  round: number;
  enteredBy: string | null;
}

/** A text message shows no more than this of an opinion; the whole stands in the application. */
const SHOWN = 120;
const texts: Partial<Record<QualApplyState, string>> = {
  APPROVED: '已通过',
  RETURNED: '被退回，请补充后重新提交',
  REJECTED: '未通过',
  WITHDRAWN: '已撤回',
};

/** The doctor himself, and whoever typed the application in, hear what became of it. */
export async function notifyOutcome(
  kernel: Kernel,
  ctx: Acting,
  apply: Decided,
  state: QualApplyState,
  words: { staff: string; doctor: string },
): Promise<void> {
  const reason = state === 'APPROVED' || words.doctor === '' ? '。' : `：${words.doctor.slice(0, SHOWN)}`;
  if (texts[state]) await textDoctor(kernel, ctx, apply.doctorId, `【康桥】您的资质审核${texts[state]}${reason}`);
  if (apply.enteredBy === null) return;
  await kernel.ports.notices.addResult(
    ctx.tx,
    {
      businessKey: `doctor.qual.result:${apply.id}:${apply.round}:${state}`,
      title: `医生资质${qualApplyMachine.states[state].label}：${apply.name}（${apply.applyNo}）`,
      body: words.staff,
      link: `/doctorManagement?applyId=${apply.id}`,
      userIds: [apply.enteredBy],
    },
    ctx.now,
  );
}
