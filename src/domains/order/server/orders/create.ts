import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { getDrugstores } from '#domains/institution/server/index.ts';
import { labels } from '#domains/patient/server/index.ts';
import { lineDue, goodsDue, priced } from '../../contract/rules/money.ts';
import { ORDER_RX } from '../../contract/purposes.ts';
import type { BizLine, OrderOrigin, OrderType } from '../../contract/orderDictionaries.ts';
import { own } from '../database.ts';
import { moveOrder, orderRecords, type OrderRecord } from './access.ts';
import { snapshotGoods, type BoughtLine, type Snapshot } from './goods.ts';
import { beginPayment } from './pay.ts';
import { publishCreated } from './publish.ts';
import { buyerColumns, receiverColumns, type Receiver } from './secrets.ts';

/** A pharmacist looks at a prescription within this time. */
const RX_MINUTES = 30;

/** What is bought, by whom, under which cover. */
export interface NewOrder {
  bizLine: BizLine;
  orderType: OrderType;
  origin: OrderOrigin;
  outerNo: string | null;
  /** Which house placed it over a signed call. */
  placedBy: string | null;
  patientId: string;
  buyerName: string;
  buyerMobile: string;
  drugstoreId: string | null;
  receiver: Receiver | null;
  /** With who uploaded the files. */
  rx: { fileIds: readonly string[]; no: string; diagnosis: string; uploaderId: string; passedBy: string };
  lines: readonly BoughtLine[];
  freightFen: number;
  discountFen: number;
  cardIds: readonly string[];
  suggestNo: string | null;
  buyerRemark: string;
  /** An order under a contract is placed by claims, or registered afterwards: then claims learn of it later. */
  cover?: { contractId: string; claimOrderId?: string; policyId: string; insurerId: string | null; productCode: string };
  /** Bought and paid for outside of the system: it takes the numbers that were kept for it and is settled at once. */
  registered?: {
    orderId: string;
    orderNo: string;
    lineIds: readonly string[];
    settle(order: OrderRecord): Promise<OrderRecord>;
  };
}

/** A house's own number names one order. @throws Refusal SCM90020 */
async function requireNewNumber(ctx: Acting, { placedBy, outerNo }: NewOrder): Promise<void> {
  if (placedBy === null || outerNo === null) return;
  await lockKeys(ctx.tx, 'order.outer', [`${placedBy}:${outerNo}`]);
  const known = await own(ctx.tx)
    .selectFrom('orderOrder')
    .select('orderNo')
    .where('placedBy', '=', placedBy)
    .where('outerNo', '=', outerNo)
    .executeTakeFirst();
  if (known) throw refuseField('outerNo', `外部单号已下单（订单${known.orderNo}）`);
}

async function storeOf(ctx: Acting, { orderType, drugstoreId }: NewOrder) {
  const needed = orderType === 'STORE_DIRECT' || orderType === 'PICKUP';
  if (!needed && drugstoreId !== null) throw refuseField('drugstoreId', '该订单类型不选择药店');
  if (!needed) return null;
  if (drugstoreId === null) throw refuseField('drugstoreId', '请选择药店');
  const [store] = await getDrugstores(ctx.tx, [drugstoreId]);
  if (store?.state !== 'OPEN') throw refuseField('drugstoreId', '药店不存在或已停业，请重新选择');
  return store;
}

/** Whether a pharmacist of ours looks at it first. @throws Refusal SCM90020 without what he needs */
function rxOf({ orderType, rx }: NewOrder, goods: readonly Snapshot[]) {
  const isRx = goods.some(({ rxRequired }) => rxRequired);
  if (!isRx) return { rxResult: 'NONE' as const };
  if (orderType === 'STORE_DIRECT') {
    if (rx.passedBy === '') throw refuseField('rxPassedBy', '处方药须填写门店审方药师');
    return { rxResult: 'PASSED' as const, rxByName: rx.passedBy };
  }
  if (rx.fileIds.length === 0) throw refuseField('rxFileIds', '处方药须上传处方');
  return { rxResult: 'PENDING' as const };
}

async function insertBenefit(ctx: Acting, order: OrderRecord, lines: readonly { id: string }[], goods: readonly Snapshot[]): Promise<void> {
  if (Number(order.benefitFen) === 0) return;
  const { id } = await own(ctx.tx)
    .insertInto('orderFunding')
    .values({
      orderId: order.id,
      kind: 'BENEFIT',
      refId: order.claimOrderId ?? order.contractId ?? '',
      refName: order.productCode ?? '',
      amountFen: order.benefitFen,
      state: 'HELD',
      createdAt: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await own(ctx.tx)
    .insertInto('orderFundingLine')
    .values(
      goods.flatMap(({ benefitFen = 0 }, at) =>
        benefitFen > 0 ? [{ fundingId: id, orderLineId: lines[at]!.id, amountFen: String(benefitFen) }] : [],
      ),
    )
    .execute();
}

/**
 * Places an order, in the caller's transaction and at its end. With a medicine that needs a prescription it waits for a pharmacist first;
 * otherwise its cards are held and it may be paid.
 * @throws Refusal SCM90040 for an unknown person, SCM90020 naming what is wrong; SCM17030–17039 of a card
 */
export async function createOrder(kernel: Kernel, ctx: Acting, wish: NewOrder): Promise<OrderRecord> {
  if ((await labels(ctx.tx, [wish.patientId])).length === 0) throw refuse(platformErrors.NOT_FOUND, { message: '患者不存在或已删除' });
  await requireNewNumber(ctx, wish);
  const store = await storeOf(ctx, wish);
  if (wish.orderType === 'B2C' && wish.receiver === null) throw refuseField('receiver', '请填写收货信息');
  if (wish.orderType !== 'B2C' && wish.receiver !== null) throw refuseField('receiver', '该订单类型不填写收货信息');
  const goods = await snapshotGoods(ctx.tx, wish, wish.lines, ctx.today);
  const goodsFen = goods.reduce((sum, { quantity, unitPriceFen }) => sum + quantity * unitPriceFen, 0);
  if (goodsFen > 100_000_000) throw refuseField('lines', '订单商品金额不能超过100万元');
  if (wish.discountFen >= goodsFen) throw refuseField('discountFen', '优惠须小于商品金额');
  const money = priced(goods, wish);
  const over = goods.findIndex(({ benefitFen = 0 }, at) => benefitFen > goodsDue(money[at]!));
  if (over >= 0) throw refuseField(`lines.${over}.benefitFen`, '直付金额不能大于商品应付');
  const benefitFen = goods.reduce((sum, line) => sum + (line.benefitFen ?? 0), 0);
  const rx = rxOf(wish, goods);
  const waits = rx.rxResult === 'PENDING';
  const { secrets } = kernel;
  const { registered } = wish;
  const order = await own(ctx.tx)
    .insertInto('orderOrder')
    .values({
      ...(registered && { id: registered.orderId }),
      orderNo: registered?.orderNo ?? (await nextNumber(ctx.tx, 'OR', ctx.today)),
      outerNo: wish.outerNo,
      placedBy: wish.placedBy,
      origin: wish.origin,
      bizLine: wish.bizLine,
      orderType: wish.orderType,
      patientId: wish.patientId,
      ...buyerColumns(secrets, { name: wish.buyerName, mobile: wish.buyerMobile }),
      ...wish.cover,
      drugstoreId: store?.id ?? null,
      drugstoreName: store?.name ?? null,
      ...(wish.receiver !== null && receiverColumns(secrets, wish.receiver)),
      rxFileIds: [...wish.rx.fileIds],
      rxNo: wish.rx.no === '' ? null : wish.rx.no,
      diagnosisCipher: wish.rx.diagnosis === '' ? null : secrets.encrypt(wish.rx.diagnosis),
      ...rx,
      ...(rx.rxResult === 'PASSED' && { rxAt: ctx.now }),
      goodsFen: String(goodsFen),
      freightFen: String(wish.freightFen),
      discountFen: String(wish.discountFen),
      benefitFen: String(benefitFen),
      selfPayFen: String(money.reduce((sum, line) => sum + lineDue(line), 0) - benefitFen),
      cardIds: [...new Set(wish.cardIds)],
      suggestNo: wish.suggestNo,
      buyerRemark: wish.buyerRemark,
      state: waits ? 'PENDING_RX' : 'PENDING_PAYMENT',
      stepSince: ctx.now,
      stepDue: waits ? plusMs(ctx.now, minutes(RX_MINUTES)) : null,
      // Set anew as payment begins, at the end of this transaction.
      payDeadline: waits ? null : ctx.now,
      createdAt: ctx.now,
      createdBy: ctx.staffOrNull?.userId ?? null,
      updatedAt: ctx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const lines = await own(ctx.tx)
    .insertInto('orderLine')
    .values(
      goods.map(({ unitPriceFen, benefitFen: _benefit, categoryCode: _category, ...line }, at) => ({
        ...line,
        ...(registered && { id: registered.lineIds[at]! }),
        orderId: order.id,
        lineNo: at + 1,
        unitPriceFen: String(unitPriceFen),
        discountFen: String(money[at]!.discountFen),
        freightFen: String(money[at]!.freightFen),
      })),
    )
    .returning('id')
    .execute();
  await insertBenefit(ctx, order, lines, goods);
  await attach(
    ctx.tx,
    {
      fileIds: wish.rx.fileIds,
      purpose: ORDER_RX,
      ownerType: orderRecords.type,
      ownerId: order.id,
      field: 'RX',
      userId: wish.rx.uploaderId,
    },
    ctx.now,
  );
  const created = await moveOrder(ctx, order, 'create');
  await publishCreated(ctx, created);
  if (registered) return registered.settle(created);
  return waits ? created : beginPayment(kernel, ctx, created, null);
}
