import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { auditManualOrder, retryManualOrder, revealManualOrder, voidManualOrder } from '../../contract/calls/manualOrders.ts';
import { manualOrderMachine, type ManualOrderAction } from '../../contract/manualOrderStates.ts';
import { deviates, HIGH_MANUAL_FEN } from '../../contract/rules/manualOrder.ts';
import { linesOfManual, manualRecords, moveManual, writeManual, type ManualRecord, type Person } from './access.ts';
import { holdStill, releaseHold } from './cards.ts';
import { postJob } from './postJob.ts';
import { likeOrders } from './likeOrders.ts';

type Verdict = Omit<CheckedInputOf<typeof auditManualOrder>, 'manualOrderId' | 'version'>;

const ACTS = {
  NORMAL: { approve: 'approve', reject: 'reject' },
  HIGH: { approve: 'approveHigh', reject: 'rejectHigh' },
} as const satisfies Record<string, Record<Verdict['decision'], ManualOrderAction>>;

export const isHigh = ({ goodsFen }: Pick<ManualRecord, 'goodsFen'>): boolean => Number(goodsFen) >= HIGH_MANUAL_FEN;

/** The order is made by a job of its own; the card is held until then, where its time has passed anew. At the end of the transaction. */
async function beginPosting(kernel: Kernel, ctx: Acting, row: ManualRecord): Promise<ManualRecord> {
  await ctx.enqueue(postJob, { manualOrderId: row.id }, { singletonKey: `post:${row.id}:${row.version}` });
  if (Number(row.cardFen) === 0) return row;
  return writeManual(ctx, row, await holdStill(kernel, ctx, row, await linesOfManual(ctx.tx, row.id)));
}

/** What a reviewer has to have looked at before he lets it pass. @throws Refusal SCM90020 */
async function requireLookedAt(ctx: Acting, row: ManualRecord, { notDuplicate, priceChecked }: Verdict): Promise<void> {
  if (!notDuplicate && (await likeOrders(ctx.tx, row)).length > 0) throw refuseField('notDuplicate', '存在相似订单，请核对并判定非重复');
  const odd = (await linesOfManual(ctx.tx, row.id)).some(({ unitPriceFen, listPriceFen }) =>
    deviates(Number(unitPriceFen), listPriceFen === null ? null : Number(listPriceFen)),
  );
  if (odd && !priceChecked) throw refuseField('priceChecked', '单价偏离门店价目超过20%，请核对后勾选');
}

/**
 * Another person's word on a submitted manual order.
 * @throws Refusal SCM16013 for whoever wrote or submitted it, SCM90020 for another level than its amount asks for, what was not looked at
 */
export async function reviewManual(kernel: Kernel, ctx: Acting, row: ManualRecord, verdict: Verdict, by: Person): Promise<ManualRecord> {
  const asked = isHigh(row) ? 'HIGH' : 'NORMAL';
  const { level, decision, opinion } = verdict;
  if (row.state === 'PENDING_REVIEW' && level !== asked)
    throw refuseField('level', asked === 'HIGH' ? '商品金额达到5万元，须由履约主管复核' : '商品金额不足5万元，按普通复核处理');
  const checked = { checkerId: by.userId, checkerName: by.displayName, reviewedAt: ctx.now };
  const action = ACTS[level][decision];
  if (decision === 'reject') {
    if (verdict.reasonCodes.length === 0) throw refuseField('reasonCodes', '请选择驳回原因');
    const change = { ...checked, rejectReasons: [...verdict.reasonCodes], holdId: null, holdExpireAt: null };
    const rejected = await moveManual(ctx, row, action, change, { opinion });
    await releaseHold(kernel, ctx, row, '手工订单驳回');
    return rejected;
  }
  const { notDuplicate, priceChecked } = verdict;
  const approved = await moveManual(ctx, row, action, { ...checked, notDuplicate, priceChecked, failReason: null }, { opinion });
  await requireLookedAt(ctx, row, verdict);
  return beginPosting(kernel, ctx, approved);
}

/** A failed posting is tried again: the order takes the numbers that were kept for it, so there is never a second one. */
const retryManual = async (kernel: Kernel, ctx: Acting, row: ManualRecord): Promise<ManualRecord> =>
  beginPosting(kernel, ctx, await moveManual(ctx, row, 'retry', { failReason: null }));

export async function voidManual(kernel: Kernel, ctx: Acting, row: ManualRecord, opinion: string): Promise<ManualRecord> {
  const voided = await moveManual(ctx, row, 'void', { holdId: null, holdExpireAt: null }, { opinion });
  await releaseHold(kernel, ctx, row, '手工订单作废');
  return voided;
}

const answerOf = (ctx: Parameters<typeof actionAnswer>[0], row: ManualRecord) => actionAnswer(ctx, manualOrderMachine, row);

export const audit = (kernel: Kernel) =>
  command(auditManualOrder, async ({ manualOrderId, version, ...verdict }, ctx) => {
    const row = await manualRecords.lockVersion(ctx, manualOrderId, version, () => ({ opinion: '' }));
    return answerOf(ctx, await reviewManual(kernel, ctx, row, verdict, ctx.staff));
  });
export const retry = (kernel: Kernel) =>
  command(retryManualOrder, async ({ manualOrderId, version }, ctx) => {
    const row = await manualRecords.lockVersion(ctx, manualOrderId, version, () => ({}));
    return answerOf(ctx, await retryManual(kernel, ctx, row));
  });
export const voidOne = (kernel: Kernel) =>
  command(voidManualOrder, async ({ manualOrderId, version, opinion }, ctx) => {
    const row = await manualRecords.lockVersion(ctx, manualOrderId, version, () => ({ opinion: '' }));
    return answerOf(ctx, await voidManual(kernel, ctx, row, opinion));
  });

export const reveal = ({ secrets }: Kernel) =>
  command(revealManualOrder, async ({ id, field }, ctx) => {
    const row = await manualRecords.get(ctx.tx, ctx.staff, id);
    ctx.target({ type: manualRecords.type, id, no: row.manualNo, looked: true });
    const cipher = { buyerName: row.buyerNameCipher, mobile: row.buyerMobileCipher, idNo: row.idNoCipher }[field];
    return { value: cipher === null ? null : secrets.decrypt(cipher) };
  });
