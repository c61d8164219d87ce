import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { queryManualOrderDetail } from '../../contract/calls/manualOrders.ts';
import { manualRejectReasons } from '../../contract/manualOrderDictionaries.ts';
import { MANUAL_PROOF } from '../../contract/purposes.ts';
import { deviates } from '../../contract/rules/manualOrder.ts';
import { linesOfManual, manualRecords } from './access.ts';
import { contractNoOf } from './contracts.ts';
import { likeOrders } from './likeOrders.ts';
import { rowOf } from './list.ts';
import { isHigh } from './review.ts';

export const manualDetail = query(queryManualOrderDetail, async ({ manualOrderId }, ctx) => {
  const shown = await rowOf(ctx, manualOrderId);
  if (!shown) throw manualRecords.missing();
  const row = await manualRecords.get(ctx.db, ctx.staff, manualOrderId);
  const lines = await linesOfManual(ctx.db, manualOrderId);
  return {
    manualOrder: shown,
    bizLine: row.bizLine,
    drugstoreId: row.drugstoreId,
    idNo: row.idNoMasked,
    rxPassedBy: row.rxPassedBy,
    patientId: row.patientId,
    contractId: row.contractId,
    contractNo: row.contractId === null ? null : await contractNoOf(ctx.db, row.contractId),
    cardId: row.cardId,
    cardText: row.cardText,
    lines: lines.map((line) => {
      const listPriceFen = line.listPriceFen === null ? null : Number(line.listPriceFen);
      return {
        id: line.id,
        lineNo: line.lineNo,
        goodsCode: line.goodsCode,
        goodsName: line.goodsName,
        spec: line.spec,
        rxRequired: line.rxRequired,
        quantity: line.quantity,
        unitPriceFen: Number(line.unitPriceFen),
        amountFen: Number(line.amountFen),
        benefitFen: Number(line.benefitFen),
        cardFen: Number(line.cardFen),
        listPriceFen,
        deviates: deviates(Number(line.unitPriceFen), listPriceFen),
      };
    }),
    files: await fileBriefs(ctx.db, row.attachmentFileIds, { purpose: MANUAL_PROOF }),
    rejectReasons: row.rejectReasons.flatMap((code) => manualRejectReasons.codes.find((one) => one === code) ?? []),
    notDuplicate: row.notDuplicate,
    priceChecked: row.priceChecked,
    duplicates: await likeOrders(ctx.db, row),
    isHigh: isHigh(row),
    holdExpireAt: row.holdExpireAt,
    submittedAt: row.submittedAt,
    reviewedAt: row.reviewedAt,
    trail: await trailOf(ctx.db, manualRecords.type, manualOrderId),
  };
});
