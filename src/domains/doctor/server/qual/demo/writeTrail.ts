import { hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Staff, Writing } from '#kernel/server/context.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { qualApplyMachine, type QualApplyState } from '../../../contract/states.ts';
import { APPLY_TARGET } from '../submit.ts';
import type { Plan } from './plans.ts';

export interface People {
  ops: Staff | null;
  first: Staff | null;
  second: Staff | null;
}
type Action = keyof typeof qualApplyMachine.transitions;
type Step = readonly [action: Action, from: QualApplyState, who: keyof People | null, hoursAfter: number, opinion?: string];

/** How a case came to where it stands. */
function stepsOf({ state, round, recheckReason }: Plan, wording: string): readonly Step[] {
  const claimed: Step = ['claim', 'PENDING', 'first', 1];
  const toRecheck: Step = ['toRecheck', 'REVIEWING', 'first', 2, recheckReason === 'OVERRIDE' ? '姓名差异已核实，破例通过' : ''];
  if (round > 1) {
    return [
      ['submit', 'PENDING', null, 0],
      claimed,
      ['return', 'REVIEWING', 'first', 2, '执业证照片不清晰，请重新拍摄后提交'],
      ['resubmit', 'RETURNED', null, 20],
      ['claim', 'PENDING', 'first', 22],
      ['toRecheck', 'REVIEWING', 'first', 23],
      ['recheckPass', 'RECHECK', 'second', 26, '证件齐全，同意'],
    ];
  }
  const submitted: Step = ['submit', 'PENDING', null, 0];
  switch (state) {
    case 'REVIEWING':
      return [submitted, claimed];
    case 'RECHECK':
      return [submitted, claimed, toRecheck];
    case 'RETURNED':
      return [submitted, claimed, ['return', 'REVIEWING', 'first', 4, wording]];
    case 'REJECTED':
      return [submitted, claimed, ['reject', 'REVIEWING', 'first', 5, wording]];
    case 'WITHDRAWN':
      return [submitted, ['withdraw', 'PENDING', 'ops', 5]];
    default:
      return [submitted];
  }
}

export async function writeTrail(
  writing: Writing,
  apply: { id: string; applyNo: string; submittedAt: Instant; wording: string },
  plan: Plan,
  people: People,
): Promise<void> {
  for (const [action, from, who, after, opinion] of stepsOf(plan, apply.wording)) {
    const ctx = {
      ...asSystem(writing, { now: plusMs(apply.submittedAt, hours(after)), traceId: 'demo' }),
      staffOrNull: who === null ? null : people[who],
    };
    await moveState(ctx, qualApplyMachine, {
      targetType: APPLY_TARGET,
      targetId: apply.id,
      targetNo: apply.applyNo,
      action,
      from,
      opinion,
    });
  }
}
