import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { Acting } from '../../../../kernel/server/command/acting.ts';
import { qualApplyMachine, type QualApplyState } from '../../contract/states.ts';

/** Whoever typed the application in hears what became of it. */
export async function tellOutcome(kernel: Kernel, ctx: Pick<Acting, 'tx' | 'now'>, apply: { id: string; applyNo: string; name: string; round: number; enteredBy: string | null }, state: QualApplyState, words: string): Promise<void> {
  if (apply.enteredBy === null) return;
  await kernel.ports.notices.addResult(
    ctx.tx,
    { businessKey: `doctor.qual.result:${apply.id}:${apply.round}:${state}`, title: `医生资质${qualApplyMachine.states[state].label}：${apply.name}（${apply.applyNo}）`, body: words, link: `/doctorManagement?applyId=${apply.id}`, userIds: [apply.enteredBy] },
    ctx.now,
  );
}
