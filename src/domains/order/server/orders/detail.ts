import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { leaseOf, shownLease } from '#kernel/server/lease/lease.ts';
import { fileBriefs } from '#domains/files/server/index.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import { getInsurer } from '#domains/insurance/server/index.ts';
import { queryOrderDetail } from '../../contract/calls/orders.ts';
import { cancelReasons, cashChannels, rxReasons } from '../../contract/orderDictionaries.ts';
import { ORDER_RX } from '../../contract/purposes.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { fundingsOf, linesOf, orderRecords, refundedUnsent } from './access.ts';
import { rowOf } from './list.ts';

const codeIn = <C extends string>(codes: readonly C[], code: string | null): C | null => codes.find((one) => one === code) ?? null;

export const orderDetail = ({ secrets }: Kernel) =>
  query(queryOrderDetail, async ({ orderId }, ctx) => {
    const shown = await rowOf(ctx, orderId);
    if (!shown) throw orderRecords.missing();
    const row = await orderRecords.get(ctx.db, ctx.staff, orderId);
    const insurer = row.insurerId === null ? null : await getInsurer(ctx.db, row.insurerId);
    const lease = shownLease(await leaseOf(ctx.db, { type: orderRecords.type, id: orderId }, ctx.now), ctx.staff);
    const lines = await linesOf(ctx.db, orderId);
    const fundings = await fundingsOf(ctx.db, orderId);
    const unsent = await refundedUnsent(ctx.db, orderId);
    const regions = row.adcode === null ? null : await regionsOf(ctx.db, [row.adcode]);
    return {
      order: shown,
      patientId: row.patientId,
      contractId: row.contractId,
      insurerName: insurer?.insurerName ?? null,
      productCode: row.productCode,
      drugstoreName: row.drugstoreName,
      receiverName: row.receiverNameMasked,
      receiverMobile: row.receiverMobileMasked,
      regionText: regions === null || row.adcode === null ? null : regionText(regions, row.adcode),
      adcode: row.adcode,
      address: row.addressMasked,
      goodsFen: Number(row.goodsFen),
      freightFen: Number(row.freightFen),
      discountFen: Number(row.discountFen),
      rxNo: row.rxNo,
      diagnosis: row.diagnosisCipher !== null && ctx.has(may['rx.audit'].code) ? secrets.decrypt(row.diagnosisCipher) : null,
      rxResult: row.rxResult,
      rxByName: row.rxByName,
      rxAt: row.rxAt,
      rxReasons: row.rxReasons.flatMap((code) => codeIn(rxReasons.codes, code) ?? []),
      rxFiles: await fileBriefs(ctx.db, row.rxFileIds, { purpose: ORDER_RX }),
      suggestNo: row.suggestNo,
      buyerRemark: row.buyerRemark,
      staffRemark: row.staffRemark,
      payDeadline: row.payDeadline,
      completedAt: row.completedAt,
      cancelledAt: row.cancelledAt,
      cancelReason: codeIn(cancelReasons.codes, row.cancelReason),
      interceptTags: row.interceptTags,
      lease: lease && { ...lease, token: lease.mine ? row.leaseToken : null },
      lines: lines.map((line) => ({
        id: line.id,
        lineNo: line.lineNo,
        medicineId: line.medicineId,
        goodsCode: line.goodsCode,
        goodsName: line.goodsName,
        spec: line.spec,
        manufacturer: line.manufacturer,
        approvalNo: line.approvalNo,
        quantity: line.quantity,
        unitPriceFen: Number(line.unitPriceFen),
        amountFen: Number(line.amountFen),
        discountFen: Number(line.discountFen),
        freightFen: Number(line.freightFen),
        rxRequired: line.rxRequired,
        coldChain: line.coldChain,
        daysSupply: line.daysSupply,
        allocatedQty: line.allocatedQty,
        shippedQty: line.shippedQty,
        refundedQty: line.refundedQty,
        refundedUnsent: unsent.get(line.id) ?? 0,
        traceCodes: line.traceCodes,
      })),
      fundings: fundings.map(({ id, kind, refName, amountFen, refundedFen, state, shares }) => ({
        id,
        kind,
        refName: kind === 'CASH' ? cashChannels.label(refName) : refName,
        amountFen,
        refundedFen,
        state,
        shares: shares.map((share) => ({
          orderLineId: share.orderLineId,
          amountFen: share.amountFen,
          refundedFen: share.refundedFen,
        })),
      })),
      trail: await trailOf(ctx.db, orderRecords.type, orderId),
    };
  });
