import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, AnswerWithMessage } from '#kernel/server/handler.ts';
import { yuan } from '#kernel/contract/money.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { modifyServiceOpening, changeOpeningState } from '../../contract/calls/openings.ts';
import { changesAtOnce } from '../../contract/rules/price.ts';
import { openingMachine } from '../../contract/states.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { json, ownTx } from '../database.ts';
import { OPENING_TARGET } from './onDoctorChanged.ts';
import { requireOpening, requireSlots, openingDoctor, openingItem, lockOpening, requireOnShelf } from './guards.ts';
import { notePrice, publishOpening } from './publish.ts';
import { applyQuota } from './slots.ts';
import { insertApply } from './applies/submit.ts';
import { openOrdersOfOpening } from '../orders/onDoctorChanged.ts';
import { withdrawApplies } from './applies/applies.ts';

type Opening = Awaited<ReturnType<typeof lockOpening>>;
interface PriceOutcome {
  result: 'NONE' | 'APPLIED' | 'AUDIT';
  applyNo: string | null;
}

/** A new price acts at once or goes to the auditors (R5). @throws Refusal SCM07040 to SCM07043, SCM07047 */
async function changePrice(ctx: CommandContext, opening: Opening, priceFen: number, reason: string): Promise<PriceOutcome> {
  const doctor = await openingDoctor(ctx.tx, opening.doctorId);
  const item = await openingItem(ctx.tx, opening.itemId);
  const band = requireOpening({ doctor, item, priceFen, slots: opening.slots, today: ctx.today });
  const open = await ownTx(ctx.tx)
    .selectFrom('doctorOpeningApply')
    .select('id')
    .where('openingId', '=', opening.id)
    .where('state', '=', 'PENDING')
    .executeTakeFirst();
  if (open) throw refuse(doctorErrors.PRICE_APPLY_OPEN);
  const differences = [{ path: 'priceFen', label: '价格（元）', before: yuan(opening.priceFen), after: yuan(priceFen) }];
  await moveState(ctx, openingMachine, {
    targetType: OPENING_TARGET,
    targetId: opening.id,
    action: 'changePrice',
    from: opening.state,
    opinion: reason,
    differences,
  });
  if (!changesAtOnce({ oldFen: opening.priceFen, newFen: priceFen, lastAutoAt: opening.autoPricedAt, now: ctx.now })) {
    const { applyNo } = await insertApply(
      ctx,
      { openingId: opening.id, kind: 'PRICE', fromPriceFen: opening.priceFen, toPriceFen: priceFen, band, reason },
      { type: 'STAFF', id: ctx.staff.userId, name: ctx.staff.displayName },
    );
    return { result: 'AUDIT', applyNo };
  }
  await ownTx(ctx.tx)
    .updateTable('doctorServiceOpening')
    .set({ priceFen: String(priceFen), autoPricedAt: ctx.now })
    .where('id', '=', opening.id)
    .execute();
  await notePrice(ctx, { openingId: opening.id, priceFen, source: 'AUTO', applyId: null, reason });
  return { result: 'APPLIED', applyNo: null };
}

const SAID = { NONE: '保存成功!', APPLIED: '调价已生效', AUDIT: '已提交调价审核，审核通过前按原价' } as const;
const labels = { dailyLimit: '每日接诊上限', slots: '可预约时段' };

/** 调价 and 时段: what is given changes, the rest stays. */
export const modifyOpening = command(modifyServiceOpening, async ({ id, version, priceFen, reason, dailyLimit, slots }, ctx) => {
  const opening = await lockOpening(ctx, id, version);
  let price: PriceOutcome = { result: 'NONE', applyNo: null };
  if (priceFen !== undefined && priceFen !== opening.priceFen) {
    if (reason === null) throw refuseField('reason', '请填写调价原因');
    price = await changePrice(ctx, opening, priceFen, reason);
  }
  const settings = { dailyLimit: dailyLimit ?? opening.dailyLimit, slots: slots ?? opening.slots };
  const differences = differencesOf(opening, settings, labels);
  if (differences.length > 0) {
    requireSlots(settings.slots);
    const { needSlot } = await openingItem(ctx.tx, opening.itemId);
    if (needSlot && settings.slots.length === 0) throw refuse(doctorErrors.SLOTS_MISSING);
    if (!needSlot && settings.slots.length > 0) throw refuseField('slots', '该服务无需预约，不能设置时段');
    await moveState(ctx, openingMachine, { targetType: OPENING_TARGET, targetId: id, action: 'modify', from: opening.state, differences });
    await applyQuota(ctx, id, settings.slots);
  }
  await ownTx(ctx.tx)
    .updateTable('doctorServiceOpening')
    .set((eb) => ({ dailyLimit: settings.dailyLimit, slots: json(settings.slots), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  if (price.result === 'APPLIED') await publishOpening(ctx, id);
  return new AnswerWithMessage(
    {
      ...actionAnswer(ctx, openingMachine, { id, state: opening.state, version: opening.version + 1 }),
      priceResult: price.result,
      applyNo: price.applyNo,
    },
    SAID[price.result],
  );
});

/** 暂停, 恢复, 关闭. */
export const changeState = command(changeOpeningState, async ({ id, version, action, opinion }, ctx) => {
  const opening = await lockOpening(ctx, id, version);
  const state = await moveState(ctx, openingMachine, {
    targetType: OPENING_TARGET,
    targetId: id,
    action,
    from: opening.state,
    ...(opinion !== null && { opinion }),
  });
  if (action === 'resume') {
    if (!(await openingDoctor(ctx.tx, opening.doctorId)).practiceOk) throw refuse(doctorErrors.NOT_QUALIFIED);
    requireOnShelf(await openingItem(ctx.tx, opening.itemId));
  }
  if (action === 'close') {
    const n = await openOrdersOfOpening(ctx.tx, id);
    if (n > 0) throw refuse(doctorErrors.ORDERS_RUNNING, { n });
    await withdrawApplies(ctx, id, '服务已关闭');
  }
  const ended = action === 'close' ? { suspendReason: null, suspendedFrom: null } : {};
  await ownTx(ctx.tx)
    .updateTable('doctorServiceOpening')
    .set((eb) => ({ ...ended, state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  await publishOpening(ctx, id);
  return actionAnswer(ctx, openingMachine, { id, state, version: opening.version + 1 });
});
