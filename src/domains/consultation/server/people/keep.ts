import type { PayloadOf } from '#kernel/contract/event.ts';
import type { assistantBound, assistantChanged } from '#events/doctor.ts';
import { ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { joinAssistants, leaveAssistants } from '../groups/chat.ts';
import { assistantAccount } from '../groups/people.ts';
import { disableAccount, enableAccount } from '../im/accounts/accounts.ts';
import { lockGroup } from '../inquiries/rows.ts';
import { assign } from '../queue/assign.ts';
import { noteBoard } from '../queue/board.ts';
import { giveTo, moveWork } from '../queue/owner.ts';
import { publishQueue } from '../queue/signals.ts';

type Bind = PayloadOf<typeof assistantBound>;

/** Who goes has none of his patients left waiting: what he served returns to the queue. */
export async function freeGroupsOf(ctx: Deed, assistantId: string, reason: string): Promise<void> {
  const groups = await ownTx(ctx.tx)
    .selectFrom('consultationMedicalGroup')
    .select('groupId')
    .where('ownerAssistantId', '=', assistantId)
    .where('workState', '=', 'SERVING')
    .orderBy('groupId')
    .execute();
  await ownTx(ctx.tx)
    .updateTable('consultationAssistantDuty')
    .set({ state: 'OFF', stateAt: ctx.now, updatedAt: ctx.now })
    .where('assistantId', '=', assistantId)
    .execute();
  for (const { groupId } of groups) {
    const { group } = await lockGroup(ctx.tx, groupId);
    if (group.ownerAssistantId !== assistantId || group.workState !== 'SERVING') continue;
    await noteBoard(ctx, group, 'OWNER_GONE', { from: assistantId, reason });
    await assign(ctx, await moveWork(ctx, group, 'offDuty', {}));
  }
}

/** The person behind an assistant, as doctor tells it; who is on leave or disabled is off. */
export async function keepAssistant(ctx: Deed, payload: PayloadOf<typeof assistantChanged>, seq: number): Promise<void> {
  const { assistantId, operatorId, userId, name, avatarFileId, state: personState } = payload;
  const tx = ownTx(ctx.tx);
  const before = await tx
    .selectFrom('consultationAssistantDuty')
    .selectAll()
    .where('assistantId', '=', assistantId)
    .forUpdate()
    .executeTakeFirst();
  if (before && before.seq >= seq) return;
  const forcedOff = personState === 'LEAVE' || personState === 'DISABLED';
  const facts = { operatorId, userId, name, avatarFileId, personState, seq, updatedAt: ctx.now };
  if (!before)
    await tx
      .insertInto('consultationAssistantDuty')
      .values({ assistantId, ...facts, state: 'OFF', stateAt: ctx.now })
      .execute();
  else
    await tx
      .updateTable('consultationAssistantDuty')
      .set({ ...facts, ...(forcedOff && before.state !== 'OFF' && { state: 'OFF', stateAt: ctx.now }), version: before.version + 1 })
      .where('assistantId', '=', assistantId)
      .execute();
  const account = await assistantAccount(ctx, assistantId);
  if (personState === 'DISABLED') await disableAccount(ctx.kernel, ctx, account, ctx.now);
  else if (before?.personState === 'DISABLED') await enableAccount(ctx, account, ctx.now);
  if (forcedOff && before && before.state !== 'OFF') await freeGroupsOf(ctx, assistantId, personState === 'LEAVE' ? '请假' : '医助已停用');
}

const groupsOf = (ctx: Deed, doctorId: string) =>
  ownTx(ctx.tx)
    .selectFrom('consultationMedicalGroup')
    .select(['groupId', 'convId'])
    .where('doctorId', '=', doctorId)
    .where('archivedAt', 'is', null)
    .orderBy('groupId')
    .execute();

/**
 * A new bind: the primary assistant is in all groups of the doctor; with the inquiries he also answers for those that nobody serves
 * better.
 */
export async function keepBind(ctx: Deed, { doctorId, assistantId, role, withInquiries }: Bind): Promise<void> {
  const tx = ownTx(ctx.tx);
  publishQueue(ctx.kernel, ctx);
  const row = { doctorId, assistantId, role, updatedAt: ctx.now };
  if (role === 'PRIMARY')
    await tx
      .deleteFrom('consultationBindCopy')
      .where('doctorId', '=', doctorId)
      .where('role', '=', 'PRIMARY')
      .where('assistantId', '<>', assistantId)
      .execute();
  await tx
    .insertInto('consultationBindCopy')
    .values(row)
    .onConflict((conflict) => conflict.columns(['doctorId', 'assistantId']).doUpdateSet(row))
    .execute();
  if (role !== 'PRIMARY') return;
  for (const { groupId, convId } of await groupsOf(ctx, doctorId)) {
    const { group } = await lockGroup(ctx.tx, groupId);
    if (withInquiries && group.workState === 'SERVING' && group.ownerAssistantId !== null && group.ownerAssistantId !== assistantId) {
      await noteBoard(ctx, group, 'TRANSFERRED', { from: group.ownerAssistantId, to: assistantId, reason: '医生转移' });
      await giveTo(ctx, group, 'transfer', assistantId, { opinion: '医生转移' });
    } else await joinAssistants(ctx, { convId }, [assistantId], { collaborate: false, rings: group.ownerAssistantId === assistantId });
  }
}

/** An ended bind: out of the groups that he neither serves nor helps in. */
export async function dropBind(ctx: Deed, { doctorId, assistantId }: Bind): Promise<void> {
  publishQueue(ctx.kernel, ctx);
  await ownTx(ctx.tx).deleteFrom('consultationBindCopy').where('doctorId', '=', doctorId).where('assistantId', '=', assistantId).execute();
  for (const { groupId } of await groupsOf(ctx, doctorId)) {
    const { group } = await lockGroup(ctx.tx, groupId);
    if (group.ownerAssistantId !== assistantId) await leaveAssistants(ctx, group, [assistantId]);
  }
}
