import { refuseField } from '#kernel/contract/errors.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { getDrugstores } from '#domains/institution/server/index.ts';
import { goodsByCode } from '#domains/pharma/server/index.ts';
import { matchManualOrder } from '../../contract/calls/manualOrders.ts';
import { manualRecords } from './access.ts';
import { cardsFor } from './cards.ts';
import { contractsOf } from './contracts.ts';
import { sumOfGoods } from './goods.ts';
import { personsOf } from './persons.ts';
import { identityOf } from './save.ts';

/** Whom a certificate or mobile belongs to, and what may pay for these goods on that day; nothing is written. */
export const match = (kernel: Kernel) =>
  query(matchManualOrder, async ({ manualOrderId, mobile, idNo, patientId, drugstoreId, purchaseDate, lines }, ctx) => {
    const kept = manualOrderId === null ? null : identityOf(kernel.secrets, await manualRecords.get(ctx.db, ctx.staff, manualOrderId));
    const identity = {
      mobile: mobile ?? kept?.mobile ?? null,
      idNo: idNo === undefined ? (kept?.idNo ?? null) : idNo === '' ? null : idNo,
    };
    const [store] = await getDrugstores(ctx.db, [drugstoreId]);
    if (!store) throw refuseField('drugstoreId', '药店不存在或已停业，请重新选择');
    const known = await goodsByCode(
      ctx.db,
      lines.map(({ goodsCode }) => goodsCode),
    );
    const sold = lines.map((line, at) => {
      const goods = known.get(line.goodsCode);
      if (!goods) throw refuseField(`lines.${at}.goodsCode`, `商品${line.goodsCode}不存在或已停售`);
      return {
        orderLineId: String(at + 1),
        medicineId: goods.medicineId,
        goodsName: line.goodsCode,
        quantity: line.quantity,
        dueFen: line.quantity * line.unitPriceFen,
      };
    });
    const patients = await personsOf(kernel, ctx.db, identity, { staff: ctx.staff, now: ctx.now });
    const chosen =
      patientId === null ? (patients.length === 1 ? patients[0] : undefined) : patients.find((one) => one.patientId === patientId);
    const medicineIds = sold.map(({ medicineId }) => medicineId);
    return {
      patients,
      patientId: chosen?.patientId ?? null,
      contracts: chosen ? await contractsOf(ctx.db, chosen.patientId, purchaseDate, medicineIds) : [],
      cards: chosen
        ? (
            await cardsFor(kernel, ctx.db, {
              patientId: chosen.patientId,
              lines: sold,
              now: ctx.now,
              drugstoreId: store.id,
              drugstoreName: store.name,
            })
          ).map((card) => ({
            cardId: card.cardId,
            cardNo: `尾号${card.cardNo.slice(-4)}`,
            cardTypeName: card.cardTypeName,
            availableFen: Number(card.available),
            payableFen: Number(card.amount),
            expireAt: card.expireAt,
            refusal: card.refusal?.message ?? null,
          }))
        : [],
      goodsFen: sumOfGoods(lines),
    };
  });
