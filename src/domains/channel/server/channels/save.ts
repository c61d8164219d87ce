import { checkInput } from '#kernel/server/http/validate.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addChannel, channelByType, channelLabels, modifyChannel } from '../../contract/calls/channels.ts';
import { channelErrors } from '../../contract/errors.ts';
import { channelStates } from '../../contract/states.ts';
import { channels } from '../access.ts';
import { ownTx } from '../database.ts';
import { copyOf } from '../refs/copies.ts';
import { publishChannel } from './changed.ts';
import { insertChannel } from './insert.ts';

export const TARGET = channels.type;
const MAX_DEPTH = 3;

/** Names below one parent are changed one after another. */
export const lockNames = (tx: Tx, parentId: string | null) => lockKeys(tx, 'channel.name', [parentId ?? 'top']);

/** @throws Refusal SCM08014 */
export async function requireFreeName(
  ctx: Pick<CommandContext, 'tx'>,
  parentId: string | null,
  name: string,
  except: string | null,
): Promise<void> {
  await lockNames(ctx.tx, parentId);
  const twin = await ownTx(ctx.tx)
    .selectFrom('channelChannel')
    .select('id')
    .where('name', '=', name)
    .where((eb) => (parentId === null ? eb('parentId', 'is', null) : eb('parentId', '=', parentId)))
    .executeTakeFirst();
  if (twin && twin.id !== except)
    throw refuse(channelErrors.NAME_TAKEN, { fields: [{ path: 'name', message: channelErrors.NAME_TAKEN.text }] });
}

/**
 * @returns the company for which the agent works.
 * @throws Refusal SCM08013 for an agent who left or is frozen.
 */
export async function requireAgent(ctx: Pick<CommandContext, 'tx'>, agentId: string | null): Promise<string | null> {
  if (agentId === null) return null;
  const agent = await copyOf(ctx.tx, 'AGENT', agentId);
  if (!agent) throw refuse(platformErrors.NOT_FOUND, { message: '所选代表不存在' });
  const facts = agent.facts as { state?: string; companyId?: string };
  if (facts.state !== 'ACTIVE') throw refuse(channelErrors.AGENT_GONE, { name: agent.name });
  return facts.companyId ?? null;
}

/** Adds a channel at the top or below another; a child is of its root's type. */
export const add = command(addChannel, async ({ parentId, channelType, ...fields }, ctx) => {
  const parent = parentId === null ? null : await channels.lock(ctx.tx, ctx.staff, parentId);
  const type = parent?.channelType ?? channelType;
  checkInput(channelByType, { channelType: type, ...fields });
  if (parent && parent.depth >= MAX_DEPTH) throw refuse(channelErrors.TOO_DEEP);
  if (parent?.state === 'DISABLED') throw refuse(channelErrors.PARENT_DISABLED);
  await requireFreeName(ctx, parentId, fields.name, null);
  const agentCompany = await requireAgent(ctx, fields.agentId);
  const { id, channelNo } = await insertChannel(
    ctx,
    { parent, channelType: type, ...fields, companyId: fields.companyId ?? agentCompany },
    { now: ctx.now, userId: ctx.staff.userId },
  );
  // Somebody whose scope does not cover what he would make may not make it.
  await channels.get(ctx.tx, ctx.staff, id);
  ctx.target({ type: TARGET, id, no: channelNo });
  return { id, no: channelNo, version: 1 };
});

/** Changes a channel; a later end date brings an expired one back. */
export const modify = command(modifyChannel, async ({ id, version, ...given }, ctx) => {
  const before = await channels.lockVersion(ctx, id, version, (row) => row);
  checkInput(channelByType, { channelType: before.channelType, ...given });
  await requireFreeName(ctx, before.parentId, given.name, id);
  // With another agent comes his company.
  const fields =
    given.agentId === before.agentId ? given : { ...given, companyId: (await requireAgent(ctx, given.agentId)) ?? given.companyId };
  const differences = differencesOf({ ...before, costFen: Number(before.costFen) }, fields, channelLabels);
  const renewed = before.state === 'EXPIRED' && (fields.endDate === null || fields.endDate > ctx.today);
  if (renewed)
    await moveState(ctx, channelStates, {
      targetType: TARGET,
      targetId: id,
      targetNo: before.channelNo,
      action: 'renew',
      from: 'EXPIRED',
      differences,
    });
  else {
    ctx.target({ type: TARGET, id, no: before.channelNo });
    ctx.changed(differences);
  }
  const state = renewed ? 'ENABLED' : before.state;
  await ownTx(ctx.tx)
    .updateTable('channelChannel')
    .set((eb) => ({
      ...fields,
      costFen: String(fields.costFen),
      state,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', id)
    .execute();
  await publishChannel(ctx, id, ctx.now);
  return actionAnswer(ctx, channelStates, { id, state, version: version + 1 });
});
