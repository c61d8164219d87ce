import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { spread, yuan } from '#kernel/contract/money.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { findOrCreate } from '#domains/patient/server/index.ts';
import { submitManualOrder } from '../../contract/calls/manualOrders.ts';
import { orderErrors } from '../../contract/errors.ts';
import { manualOrderMachine } from '../../contract/manualOrderStates.ts';
import { purchaseDayFault } from '../../contract/rules/manualOrder.ts';
import { own } from '../database.ts';
import { linesOfManual, manualRecords, moveManual, writeManual, type ManualLine, type ManualRecord, type Person } from './access.ts';
import { cardsFor, cardShares, cardText, holdAnew } from './cards.ts';
import { contractFault, contractOf, covers, type ContractRow } from './contracts.ts';
import { identityOf } from './save.ts';
import { storeOf } from './goods.ts';

/** Ids of rows that do not exist yet: cards hold for them. */
async function reserve(tx: Tx, table: 'order_order' | 'order_line', count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::text as id
      from generate_series(1, ${count})`.execute(tx);
  return rows.map(({ id }) => id);
}

/** What the insurer pays of each line. @throws Refusal SCM16063, SCM90020 */
async function benefitShares(ctx: Acting, row: ManualRecord, patientId: string, lines: readonly ManualLine[]) {
  const benefitFen = Number(row.benefitFen);
  if (row.contractId === null) return { contract: null, shares: lines.map(() => 0) };
  const contract: ContractRow | undefined = await contractOf(ctx.tx, patientId, row.contractId);
  const fault =
    contract &&
    contractFault(
      contract,
      row.purchaseDate,
      lines.map(({ medicineId }) => medicineId),
    );
  if (!contract || fault !== null) throw refuse(orderErrors.NO_RIGHTS);
  const covered = lines.map((line) => (covers(contract, line.medicineId) ? BigInt(line.amountFen) : 0n));
  if (BigInt(benefitFen) > covered.reduce((sum, one) => sum + one, 0n)) throw refuseField('benefitFen', '直付金额不能大于合同药品的金额');
  return { contract, shares: spread(benefitFen, covered).map(Number) };
}

const balanced = ({ goodsFen, benefitFen, cardFen, selfPayFen }: ManualRecord): void => {
  const paid = BigInt(benefitFen) + BigInt(cardFen) + BigInt(selfPayFen);
  if (BigInt(goodsFen) !== paid) throw refuse(orderErrors.NOT_BALANCED, { a: yuan(goodsFen), b: yuan(paid) });
};

function requireWhole(row: ManualRecord, lines: readonly ManualLine[], today: string): void {
  const fault = purchaseDayFault(row.purchaseDate, today);
  if (fault !== null) throw refuseField('purchaseDate', fault);
  if (row.attachmentFileIds.length === 0) throw refuseField('attachmentFileIds', '请上传小票照片');
  if (row.rxPassedBy === '' && lines.some(({ rxRequired }) => rxRequired)) throw refuseField('rxPassedBy', '处方药须填写门店审方药师');
}

/**
 * Hands a locked manual order to another person: whose it is, what pays it, and from here on its card's value is set aside. At the end of
 * the transaction.
 * @throws Refusal SCM16061–16063, SCM17030–17039, SCM90020
 */
export async function submitManual(kernel: Kernel, ctx: Acting, row: ManualRecord, by: Person): Promise<ManualRecord> {
  const lines = await linesOfManual(ctx.tx, row.id);
  // A state in which nothing is submitted is refused before its content is looked at.
  if (manualOrderMachine.canStart('submit', row.state)) {
    requireWhole(row, lines, ctx.today);
    balanced(row);
    await storeOf(ctx.tx, row.drugstoreId);
  } else await moveManual(ctx, row, 'submit');
  const { buyerName, mobile, idNo } = identityOf(kernel.secrets, row);
  const patientId =
    row.patientId ??
    (await findOrCreate(kernel, ctx, { name: buyerName, idType: idNo === null ? null : 'ID', idNo, mobile }, 'ORDER', ctx.now)).patientId;
  const { contract, shares: benefits } = await benefitShares(ctx, row, patientId, lines);
  const cardFen = Number(row.cardFen);
  const sold = lines.map((line, at) => ({
    orderLineId: String(at + 1),
    medicineId: line.medicineId,
    goodsName: line.goodsName,
    quantity: line.quantity,
    dueFen: Number(line.amountFen) - benefits[at]!,
  }));
  const chosen =
    cardFen === 0 || row.cardId === null
      ? null
      : cardShares(
          await cardsFor(kernel, ctx.tx, {
            patientId,
            lines: sold,
            now: ctx.now,
            drugstoreId: row.drugstoreId,
            drugstoreName: row.drugstoreName,
          }),
          row.cardId,
          cardFen,
        );
  const lineIds = await reserve(ctx.tx, 'order_line', lines.length);
  for (const [at, line] of lines.entries())
    await own(ctx.tx)
      .updateTable('orderManualLine')
      .set({
        benefitFen: String(benefits[at]!),
        cardFen: String(chosen?.shares[at] ?? 0),
        orderLineId: line.orderLineId ?? lineIds[at]!,
      })
      .where('id', '=', line.id)
      .execute();
  const [orderId] = row.reservedOrderId === null ? await reserve(ctx.tx, 'order_order', 1) : [row.reservedOrderId];
  const explained = [
    row.patientId === null ? '按身份信息建档' : '已匹配患者档案',
    ...(contract ? [`合同${contract.contractNo}`] : []),
    ...(chosen ? [`${cardText(chosen.card)}可用${yuan(chosen.card.available)}元`] : []),
  ];
  const prepared = await writeManual(ctx, row, {
    patientId,
    bizLine: contract?.productLine ?? 'OWN',
    insurerId: contract?.insurerId ?? null,
    cardText: chosen ? cardText(chosen.card) : null,
    matchExplain: explained.join('；'),
    reservedOrderId: orderId!,
    reservedOrderNo: row.reservedOrderNo ?? (await nextNumber(ctx.tx, 'OR', ctx.today)),
    rejectReasons: [],
    notDuplicate: false,
    priceChecked: false,
    checkerId: null,
    checkerName: null,
    reviewedAt: null,
    submittedBy: by.userId,
    submittedAt: ctx.now,
  });
  // It stands in review with its hold, or not at all.
  const held = chosen ? await holdAnew(kernel, ctx, prepared, await linesOfManual(ctx.tx, row.id)) : {};
  return moveManual(ctx, prepared, 'submit', held);
}

export const submit = (kernel: Kernel) =>
  command(submitManualOrder, async ({ manualOrderId, version }, ctx) => {
    const row = await manualRecords.lockVersion(ctx, manualOrderId, version, () => ({}));
    return actionAnswer(ctx, manualOrderMachine, await submitManual(kernel, ctx, row, ctx.staff));
  });
