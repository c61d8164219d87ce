import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command } from '#kernel/server/handler.ts';
import type { CommandContext, Tx } from '#kernel/server/context.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { attach } from '#domains/files/server/index.ts';
import { addChannelVip, modifyChannelVip, submitChannelVip, vipLabels } from '../../contract/calls/vips.ts';
import { channelErrors } from '../../contract/errors.ts';
import { CONTRACT_PURPOSE } from '../../contract/purposes.ts';
import { vipStates } from '../../contract/states.ts';
import { channels, vips } from '../access.ts';
import { ownTx } from '../database.ts';

export const VIP_TARGET = vips.type;
const FULL_BP = 10_000;

interface Terms {
  defaultDiscountBp: number;
  itemDiscounts: readonly { itemId: string; discountBp: number }[];
  monthlyBudgetFen: number | null;
  totalBudgetFen: number;
  startDate: string;
  endDate: string;
}

function requireTerms(terms: Terms): void {
  const all = [terms.defaultDiscountBp, ...terms.itemDiscounts.map(({ discountBp }) => discountBp)];
  if (all.some((bp) => bp < 0 || bp > FULL_BP)) throw refuse(channelErrors.DISCOUNT_RANGE);
  if (terms.endDate < terms.startDate) throw refuseField('endDate', '结束日期不能早于开始日期');
  if (new Set(terms.itemDiscounts.map(({ itemId }) => itemId)).size < terms.itemDiscounts.length)
    throw refuseField('itemDiscounts', '同一服务项目只能设置一个折扣');
  if (terms.monthlyBudgetFen !== null && terms.monthlyBudgetFen > terms.totalBudgetFen)
    throw refuseField('monthlyBudgetFen', '月预算不能超过总预算');
}

const columnsOf = ({ itemDiscounts, monthlyBudgetFen, totalBudgetFen, ...rest }: Terms & Record<string, unknown>) => ({
  ...rest,
  itemDiscounts: JSON.stringify(itemDiscounts),
  monthlyBudgetFen: monthlyBudgetFen === null ? null : String(monthlyBudgetFen),
  totalBudgetFen: String(totalBudgetFen),
});

const keepFiles = (ctx: CommandContext, id: string, fileIds: readonly string[]) =>
  attach(
    ctx.tx,
    { fileIds, purpose: CONTRACT_PURPOSE, ownerType: VIP_TARGET, ownerId: id, field: 'contract', userId: ctx.staff.userId },
    ctx.now,
  );

/** A draft; 续期 names the row it follows. */
export const addVip = command(addChannelVip, async ({ channelId, previousVipId, ...fields }, ctx) => {
  await channels.get(ctx.tx, ctx.staff, channelId);
  requireTerms(fields);
  if (previousVipId !== null) {
    const previous = await vips.lock(ctx.tx, ctx.staff, previousVipId);
    if (previous.channelId !== channelId) throw refuse(platformErrors.NOT_FOUND);
    if (previous.startDate >= fields.startDate) throw refuseField('startDate', '续期的开始日期须晚于原权益的开始日期');
  }
  const vipNo = await nextNumber(ctx.tx, 'VP', ctx.today);
  const { id } = await ownTx(ctx.tx)
    .insertInto('channelVip')
    .values({
      ...columnsOf(fields),
      level: fields.level,
      sponsorName: fields.sponsorName,
      defaultDiscountBp: fields.defaultDiscountBp,
      priorityAcceptMin: fields.priorityAcceptMin,
      startDate: fields.startDate,
      endDate: fields.endDate,
      vipNo,
      channelId,
      previousVipId,
      makerId: ctx.staff.userId,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keepFiles(ctx, id, fields.contractFileIds);
  ctx.target({ type: VIP_TARGET, id, no: vipNo });
  return { id, no: vipNo, version: 1 };
});

/** Only drafts change; later terms come by a new row. */
export const modifyVip = command(modifyChannelVip, async ({ id, version, ...fields }, ctx) => {
  const before = await vips.lockVersion(ctx, id, version, (row) => row);
  if (before.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: vipStates.dictionary.label(before.state) });
  requireTerms(fields);
  await ownTx(ctx.tx)
    .updateTable('channelVip')
    .set((eb) => ({
      ...columnsOf(fields),
      makerId: ctx.staff.userId,
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', id)
    .execute();
  await keepFiles(ctx, id, fields.contractFileIds);
  ctx.target({ type: VIP_TARGET, id, no: before.vipNo });
  ctx.changed(
    differencesOf(
      {
        ...before,
        totalBudgetFen: Number(before.totalBudgetFen),
        monthlyBudgetFen: before.monthlyBudgetFen === null ? null : Number(before.monthlyBudgetFen),
      },
      fields,
      vipLabels,
    ),
  );
  return actionAnswer(ctx, vipStates, { id, state: before.state, version: version + 1 });
});

/**
 * @throws Refusal SCM08021 when another live or waiting row of the channel covers one of the days; the one that is followed does not
 * count.
 */
export async function requireNoOverlap(
  tx: Tx,
  vip: { id: string; channelId: string; startDate: string; endDate: string; previousVipId: string | null },
): Promise<void> {
  const { rows } = await sql`
    select 1 from channel_vip where channel_id = ${vip.channelId} and id <> ${vip.id} and id is distinct from ${vip.previousVipId}::bigint
      and state in ('PENDING', 'WAITING', 'ACTIVE', 'SUSPENDED')
      and daterange(start_date, end_date, '[]') && daterange(${vip.startDate}::date, ${vip.endDate}::date, '[]')`.execute(tx);
  if (rows.length > 0) throw refuse(channelErrors.VIP_OVERLAP);
}

export const submitVip = command(submitChannelVip, async ({ id, version }, ctx) => {
  const row = await vips.lockVersion(ctx, id, version, (seen) => seen);
  const state = await moveState(ctx, vipStates, {
    targetType: VIP_TARGET,
    targetId: id,
    targetNo: row.vipNo,
    action: 'submit',
    from: row.state,
  });
  if (row.contractFileIds.length === 0) throw refuse(channelErrors.CONTRACT_MISSING);
  await requireNoOverlap(ctx.tx, row);
  await ownTx(ctx.tx)
    .updateTable('channelVip')
    .set((eb) => ({ state, makerId: ctx.staff.userId, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  return actionAnswer(ctx, vipStates, { id, state, version: version + 1 });
});
