import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { changeAgentParent, changeAgentState, revealAgentField } from '../../contract/calls/agents.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { agentMachine } from '../../contract/states.ts';
import { agentRecords } from '../access.ts';
import { ownTx } from '../database.ts';
import { accessAgent } from './accessAgent.ts';
import { publishAgent } from './agentEvents.ts';
import { agentById } from './agentRows.ts';
import { requireParent, hangUnder, lockTree } from './hierarchy.ts';

export const changeAgent = command(changeAgentState, async ({ id, version, action, opinion }, ctx) => {
  await accessAgent(ctx, id);
  const stored = await agentRecords.lockVersion(ctx, id, version, async () => (await agentById(ctx.tx, id, ctx.today))!);
  const current = (await agentById(ctx.tx, id, ctx.today))!;
  const state = await moveState(ctx, agentMachine, {
    targetType: 'pharma.agent',
    targetId: id,
    targetNo: stored.agentNo,
    action,
    from: stored.state,
    opinion,
  });
  if (action === 'activate' && current.lines.length === 0) throw refuse(pharmaErrors.AGENT_NO_LINE);
  await ownTx(ctx.tx)
    .updateTable('pharmaAgent')
    .set({ state, suspendReason: action === 'freeze' ? (opinion ?? null) : null, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  await publishAgent(ctx, id, ctx.today);
  return actionAnswer(ctx, agentMachine, { id, state, version: version + 1 });
});

/** The person's whole branch goes along; all paths change in this transaction. */
export const moveAgent = command(changeAgentParent, async ({ id, version, parentId }, ctx) => {
  const { companyId } = await accessAgent(ctx, id);
  await lockTree(ctx.tx, companyId);
  const stored = await agentRecords.lockVersion(ctx, id, version, async () => (await agentById(ctx.tx, id, ctx.today))!);
  const parent = parentId === null ? null : await requireParent(ctx.tx, { id, companyId, rank: stored.rank }, parentId, ctx.staff);
  const former = stored.parentId === null ? null : await agentRecords.lock(ctx.tx, ctx.staff, stored.parentId);
  await moveState(ctx, agentMachine, {
    targetType: 'pharma.agent',
    targetId: id,
    targetNo: stored.agentNo,
    action: 'changeParent',
    from: stored.state,
    differences: [{ path: 'parentId', label: '上级', before: former?.name ?? null, after: parent?.name ?? null }],
  });
  const moved = await hangUnder(ctx.tx, { id, path: stored.path }, parent);
  await ownTx(ctx.tx)
    .updateTable('pharmaAgent')
    .set({ version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  await publishAgent(ctx, id, ctx.today);
  return { id, version: version + 1, moved };
});

export const revealAgent = (secrets: Secrets) =>
  command(revealAgentField, async ({ id, field }, ctx) => {
    await accessAgent(ctx, id);
    const stored = await agentRecords.lock(ctx.tx, ctx.staff, id);
    const cipher = field === 'mobile' ? stored.mobileCipher : stored.idNoCipher;
    ctx.target({ type: 'pharma.agent', id, no: stored.agentNo });
    return { value: cipher === null ? null : secrets.decrypt(cipher) };
  });
