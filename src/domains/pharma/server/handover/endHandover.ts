import { everyone } from '#kernel/server/auth/viewer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { agentLeft } from '#events/pharma.ts';
import { agentMachine } from '../../contract/states.ts';
import { agentRecords } from '../access.ts';
import { publishAgent } from '../agents/agentEvents.ts';
import { ownTx } from '../database.ts';

/** The person goes back to the state before the hand-over, or leaves. */
export async function endAgentHandover(ctx: Acting, agentId: string, leaving = false): Promise<void> {
  const agent = await agentRecords.lock(ctx.tx, everyone, agentId);
  const action = leaving ? 'leave' : agent.handoverFrom === 'FROZEN' ? 'endHandoverFrozen' : 'endHandover';
  const state = await moveState(ctx, agentMachine, {
    targetType: 'pharma.agent',
    targetId: agentId,
    targetNo: agent.agentNo,
    action,
    from: 'HANDOVER',
  });
  await ownTx(ctx.tx)
    .updateTable('pharmaAgent')
    .set((eb) => ({ state, handoverFrom: null, leftOn: leaving ? ctx.today : null, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', agentId)
    .execute();
  await publishAgent(ctx, agentId, ctx.today);
  if (leaving) await ctx.publish(agentLeft, agentId, { agentId, leftDate: ctx.today });
}
