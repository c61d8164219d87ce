import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import { hours, minutes, plusDays } from '#kernel/contract/time.ts';
import { lotsLeft } from '#domains/card/server/testing/fixtures.ts';
import { jobContext } from '#testing/jobContext.ts';
import { partnerStore } from '#testing/signing.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addManualOrder,
  auditManualOrder,
  matchManualOrder,
  modifyManualOrder,
  queryManualOrderDetail,
  queryManualOrderList,
  retryManualOrder,
  revealManualOrder,
  submitManualOrder,
  voidManualOrder,
} from '../../contract/calls/manualOrders.ts';
import { queryOrderDetail } from '../../contract/calls/orders.ts';
import { keeper, NONE, refusedFields } from '../testing/fixtures.ts';
import {
  approval,
  cardholder,
  makeApproved,
  makeContract,
  makeFailed,
  makeManual,
  makeSubmittedManual,
  manualInput,
  manualKey,
  manualRow,
  on,
  withStoreClosed,
  type MadeManual,
} from '../testing/manual.ts';
import { goodsOf, pay, placed } from '../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const keyed = (as: TestStaff) => ({ as, idempotencyKey: manualKey() });
const eventsOf = async (orderId: string) =>
  (
    await sql<{ name: string }>`
      select name from kernel_outbox where aggregate_id = ${orderId} and name like 'order.%' order by id`.execute(app.db)
  ).rows.map(({ name }) => name);
const ordersOf = async (manualOrderId: string) =>
  (
    await sql<{ id: string; state: string }>`
      select o.id::text as id, o.state
        from order_order o
        join order_manual m on m.reserved_order_id = o.id
        where m.id = ${manualOrderId}`.execute(app.db)
  ).rows;
const writeOffsOf = async (cardId: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from card_write_off where card_id = ${cardId}`.execute(app.db)).rows[0]!.n;
const runJob = (name: string) => app.kernel.registry.jobs.get(name)!.run({} as never, jobContext(app));
const post = (manualOrderId: string) => app.kernel.registry.jobs.get('order.postManual')!.run({ manualOrderId } as never, jobContext(app));
const approve = (made: MadeManual, as: TestStaff, more: object = {}) =>
  app.send(auditManualOrder, { ...on(made), ...approval, ...more }, keyed(as));

describe('registering a purchase', () => {
  it('refuses what cannot be, naming the field', async () => {
    const as = await keeper(app);
    const told = async (more: Parameters<typeof manualInput>[2]) => {
      const answer = await app.refused(addManualOrder, await manualInput(app, as, more), keyed(as));
      return refusedFields(answer);
    };
    const goodsCode = await goodsOf(app);
    const line = { goodsCode, quantity: 1, unitPriceFen: 100 };
    expect(await told({ purchaseDate: plusDays(app.clock.today(), 1) })).toEqual(['purchaseDate 购药日期不能晚于今天']);
    expect(await told({ purchaseDate: plusDays(app.clock.today(), -181) })).toEqual(['purchaseDate 购药日期超过补录时限（180天）']);
    expect(await told({ receiptNo: '' })).toEqual(['receiptNo 请输入小票号']);
    expect(await told({ lines: [{ ...line, quantity: 0 }] })).toEqual(['lines.0.quantity 数量须为1–999的整数']);
    expect(await told({ lines: [{ ...line, unitPriceFen: 0 }] })).toEqual(['lines.0.unitPriceFen 单价须大于0']);
    expect(await told({ lines: [line, line] })).toEqual([`lines.1.goodsCode 商品${goodsCode}重复，请合并为一行`]);
    expect(await told({ drugstoreId: NONE })).toEqual(['drugstoreId 药店不存在或已停业，请重新选择']);
    expect(await told({ idNo: '110101199003070012' })).toEqual(['idNo 身份证号校验位不正确']);
    expect(await told({ patientId: NONE })).toEqual(['patientId 患者档案与身份证号、手机号不符，请重新匹配']);
    expect(await told({ cardFen: 100 })).toEqual(['cardId 有卡抵扣金额时请选择储值卡']);
    expect(await told({ benefitFen: 100 })).toEqual(['contractId 有直付金额时请选择合同']);
  });

  it('takes a receipt once, until it is voided', async () => {
    const first = await makeManual(app);
    const { receiptNo, manualNo } = await manualRow(app, first.manualOrderId);
    const as = await keeper(app);
    const again = await manualInput(app, as, { receiptNo });
    expect(await app.refused(addManualOrder, again, keyed(as))).toMatchObject({
      code: 'SCM16060',
      message: `该小票已补录（${manualNo}）`,
    });
    await app.ok(voidManualOrder, { ...on(first), opinion: '录错门店' }, { as });
    const { id } = await app.ok(addManualOrder, again, keyed(as));
    expect(await manualRow(app, id)).toMatchObject({ receiptNo, state: 'DRAFT' });
  });

  it('takes a receipt once of two who register it at the same moment', async () => {
    const people = [await keeper(app), await keeper(app)];
    const inputs = await Promise.all(people.map((as) => manualInput(app, as, { receiptNo: 'XP-RACE' })));
    const answers = await Promise.all(people.map((as, at) => app.send(addManualOrder, inputs[at]!, keyed(as))));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual([SUCCESS, 'SCM16060']);
  });

  it('keeps persons unreadable, and reads them to whoever may', async () => {
    const made = await makeManual(app, { buyerName: '欧阳明月', mobile: '13911113333', idNo: '110101199003070011' });
    const { rows } = await app.ok(queryManualOrderList, { patientKeyword: '110101199003070011' }, { as: made.author });
    expect(rows.map(({ id, buyerName, buyerMobile }) => [id, buyerName, buyerMobile])).toEqual([
      [made.manualOrderId, '欧***', '139****3333'],
    ]);
    expect(await app.ok(revealManualOrder, { id: made.manualOrderId, field: 'idNo' }, { as: made.author })).toEqual({
      value: '110101199003070011',
    });
  });

  it('is changed with what changed in its trail; an older version shows the form', async () => {
    const made = await makeManual(app);
    const { attachmentFileIds, receiptNo } = await manualRow(app, made.manualOrderId);
    const { mobile: _mobile, buyerName: _name, ...facts } = await manualInput(app, made.author, { receiptNo, attachmentFileIds });
    const as = await keeper(app);
    await app.ok(modifyManualOrder, { ...on(made), ...facts, reasonCode: 'STORE_MISS' }, { as });
    const stale = await app.refused(modifyManualOrder, { ...on(made), ...facts }, { as: made.author });
    expect(stale).toMatchObject({ code: 'SCM90030', data: { current: { reasonCode: 'STORE_MISS', receiptNo } } });
    const { trail } = await app.ok(queryManualOrderDetail, { manualOrderId: made.manualOrderId }, { as });
    expect(trail.at(-1)!.diff.map(({ label }) => label)).toEqual(['补录原因', '商品']);
  });
});

describe('submitting it', () => {
  const refusal = async (more: Parameters<typeof makeManual>[1]) => {
    const made = await makeManual(app, more);
    return app.refused(submitManualOrder, on(made), keyed(made.author));
  };

  it('refuses what is not whole', async () => {
    expect(refusedFields(await refusal({ attachmentFileIds: [] }))).toEqual(['attachmentFileIds 请上传小票照片']);
    expect(await refusal({ selfPayFen: 9_999 })).toMatchObject({ code: 'SCM16061', message: '应付100.00元与支付合计99.99元不一致' });
    const rx = [{ goodsCode: await goodsOf(app, { rxRequired: true }), quantity: 1, unitPriceFen: 100 }];
    expect(refusedFields(await refusal({ lines: rx }))).toEqual(['rxPassedBy 处方药须填写门店审方药师']);
  });

  it('refuses a card that cannot pay, or is another person’s', async () => {
    const { cardId, patientId, mobile, buyerName } = await cardholder(app);
    const paid = { cardId, cardFen: 6_001, selfPayFen: 3_999 };
    expect(await refusal({ ...paid, patientId, mobile, buyerName })).toMatchObject({ code: 'SCM16062' });
    expect(refusedFields(await refusal(paid))).toEqual(['cardId 所选储值卡不存在或不属于该患者，请重新选择']);
  });

  it('refuses an insurer’s part without a contract of the person that covers the day and the goods', async () => {
    const { patientId, mobile, buyerName } = await cardholder(app);
    const { contractId } = await makeContract(app, patientId, { effectiveFrom: app.clock.today() });
    const limited = await makeContract(app, patientId, { drugList: ['1'] });
    const paid = { benefitFen: 8_000, selfPayFen: 2_000 };
    const person = { patientId, mobile, buyerName };
    expect(await refusal({ ...paid, ...person, contractId })).toMatchObject({ code: 'SCM16063' });
    expect(await refusal({ ...paid, ...person, contractId: limited.contractId })).toMatchObject({ code: 'SCM16063' });
    const other = await cardholder(app);
    expect(
      await refusal({ ...paid, contractId, patientId: other.patientId, mobile: other.mobile, buyerName: other.buyerName }),
    ).toMatchObject({ code: 'SCM16063' });
  });

  it('sets the card aside, and frees it where it is rejected or voided', async () => {
    const { card, cardId, patientId, mobile, buyerName } = await cardholder(app);
    const paid = { cardId, cardFen: 6_000, selfPayFen: 4_000, patientId, mobile, buyerName };
    const made = await makeSubmittedManual(app, paid);
    expect(await lotsLeft(app, card)).toEqual([[6_000, 6_000]]);
    const as = await keeper(app);
    const rejection = { ...on(made), level: 'NORMAL' as const, decision: 'reject' as const, opinion: '小票看不清' };
    expect(refusedFields(await app.refused(auditManualOrder, rejection, keyed(as)))).toEqual(['reasonCodes 请选择驳回原因']);
    const rejected = await app.ok(auditManualOrder, { ...rejection, reasonCodes: ['RECEIPT_UNCLEAR'] }, keyed(as));
    expect(await lotsLeft(app, card)).toEqual([[6_000, 0]]);
    const again = await app.ok(submitManualOrder, { ...on(made), version: rejected.version }, keyed(made.author));
    expect(again.state).toBe('PENDING_REVIEW');
    expect(await lotsLeft(app, card)).toEqual([[6_000, 6_000]]);
  });
});

describe('the review', () => {
  it('is another person’s, of the level that its amount asks for', async () => {
    const made = await makeSubmittedManual(app);
    expect((await approve(made, made.author)).envelope).toMatchObject({ code: 'SCM16013' });
    const as = await keeper(app);
    expect(refusedFields((await approve(made, as, { level: 'HIGH' })).envelope)).toEqual(['level 商品金额不足5万元，按普通复核处理']);
    const big = await makeSubmittedManual(app, { lines: [{ goodsCode: await goodsOf(app), quantity: 10, unitPriceFen: 500_000 }] });
    expect(refusedFields((await approve(big, as)).envelope)).toEqual(['level 商品金额达到5万元，须由履约主管复核']);
    const clerk = await app.staff({ permissions: ['order.manual.view', 'order.manual.review'] });
    expect((await approve(big, clerk, { level: 'HIGH' })).envelope).toMatchObject({ code: 'SCM90010' });
    expect((await approve(big, as, { level: 'HIGH' })).envelope).toMatchObject({ code: SUCCESS });
  });

  it('asks for a look at an order that is like it, and at a price far from the store’s list', async () => {
    const { storeId } = await partnerStore(app);
    const { patientId, mobile, buyerName } = await cardholder(app);
    const goodsCode = await goodsOf(app);
    const now = app.clock.now();
    await sql`
      insert into institution_store_goods (
        store_id, goods_code, effective_from, medicine_id, goods_name, spec, price_fen, in_stock, stock_at, created_at, updated_at
      )
      values (${storeId}, ${goodsCode}, ${plusDays(app.clock.today(), -30)}, '1', '测试药品', '', 4000, true, ${now}, ${now}, ${now})`.execute(
      app.db,
    );
    const lines = [{ goodsCode, quantity: 2, unitPriceFen: 5_000 }];
    const like = await placed(app, { orderType: 'STORE_DIRECT', drugstoreId: storeId, patientId, lines }, { party: 'CHAIN' });
    await pay(app, like.orderId);
    const made = await makeSubmittedManual(app, { lines, patientId, mobile, buyerName, purchaseDate: app.clock.today() });
    const as = await keeper(app);
    const detail = await app.ok(queryManualOrderDetail, { manualOrderId: made.manualOrderId }, { as });
    expect(detail.duplicates.map(({ orderId }) => orderId)).toEqual([like.orderId]);
    expect(detail.lines.map(({ listPriceFen, deviates }) => [listPriceFen, deviates])).toEqual([[4_000, true]]);
    expect(refusedFields((await approve(made, as)).envelope)).toEqual(['notDuplicate 存在相似订单，请核对并判定非重复']);
    expect(refusedFields((await approve(made, as, { notDuplicate: true })).envelope)).toEqual([
      'priceChecked 单价偏离门店价目超过20%，请核对后勾选',
    ]);
    expect((await approve(made, as, { notDuplicate: true, priceChecked: true })).envelope).toMatchObject({ code: SUCCESS });
  });

  it('of two at once is one review', async () => {
    const made = await makeSubmittedManual(app);
    const people = [await keeper(app), await keeper(app), await keeper(app)];
    const answers = await Promise.all(people.map((as) => approve(made, as)));
    expect(answers.filter(({ envelope }) => envelope.code === SUCCESS)).toHaveLength(1);
    await app.runDue();
    expect(await ordersOf(made.manualOrderId)).toHaveLength(1);
  });
});

describe('the order that comes of it', () => {
  it('is paid by insurer, card and cash, complete at once, and told in order', async () => {
    const { card, cardId, patientId, mobile, buyerName } = await cardholder(app);
    const { contractId, contractNo } = await makeContract(app, patientId);
    const wish = { contractId, benefitFen: 2_500, cardId, cardFen: 6_000, selfPayFen: 1_500, patientId, mobile, buyerName };
    const made = await makeApproved(app, wish);
    await app.runDue();
    const row = await manualRow(app, made.manualOrderId);
    expect(row).toMatchObject({ state: 'DONE', bizLine: 'HMO', orderId: row.reservedOrderId });
    expect(row.matchExplain).toContain(contractNo);
    const as = await keeper(app);
    const { order, fundings } = await app.ok(queryOrderDetail, { orderId: row.orderId! }, { as });
    expect(order).toMatchObject({ state: 'COMPLETED', origin: 'MANUAL', orderNo: row.reservedOrderNo, payableFen: 10_000 });
    expect(fundings.map(({ kind, amountFen, state }) => [kind, amountFen, state])).toEqual([
      ['BENEFIT', 2_500, 'CAPTURED'],
      ['CASH', 1_500, 'CAPTURED'],
      ['STORED_VALUE', 6_000, 'CAPTURED'],
    ]);
    expect(await eventsOf(row.orderId!)).toEqual([
      'order.order.created',
      'order.order.paid',
      'order.order.completed',
      'order.manualOrder.posted',
    ]);
    expect(await lotsLeft(app, card)).toEqual([[0, 0]]);
    expect(await writeOffsOf(cardId)).toBe(1);
  });

  it('makes a person known who is not', async () => {
    const made = await makeApproved(app, { buyerName: '贺新凉', mobile: '13644445555' });
    await app.runDue();
    const row = await manualRow(app, made.manualOrderId);
    expect(row).toMatchObject({ state: 'DONE', matchExplain: '按身份信息建档' });
    expect(row.patientId).not.toBeNull();
  });

  it('fails with its reason; tried again by several at once it is one order and one write-off', async () => {
    const { card, cardId, patientId, mobile, buyerName } = await cardholder(app);
    const failed = await makeFailed(app, { cardId, cardFen: 6_000, selfPayFen: 4_000, patientId, mobile, buyerName });
    expect(await manualRow(app, failed.manualOrderId)).toMatchObject({ state: 'FAILED', failReason: '药店不存在或已停业，请重新选择' });
    expect(await ordersOf(failed.manualOrderId)).toEqual([]);
    expect(await lotsLeft(app, card)).toEqual([[6_000, 6_000]]);
    const people = [await keeper(app), await keeper(app), await keeper(app)];
    const answers = await Promise.all(people.map((as) => app.send(retryManualOrder, on(failed), keyed(as))));
    expect(answers.filter(({ envelope }) => envelope.code === SUCCESS)).toHaveLength(1);
    await Promise.all([post(failed.manualOrderId), post(failed.manualOrderId), app.runDue()]);
    expect((await ordersOf(failed.manualOrderId)).map(({ state }) => state)).toEqual(['COMPLETED']);
    expect(await writeOffsOf(cardId)).toBe(1);
    expect(await lotsLeft(app, card)).toEqual([[0, 0]]);
  });

  it('waits for a person where nothing works on it any more, and may then be voided', async () => {
    const { card, cardId, patientId, mobile, buyerName } = await cardholder(app);
    const made = await makeApproved(app, { cardId, cardFen: 6_000, selfPayFen: 4_000, patientId, mobile, buyerName });
    app.clock.advance(minutes(16));
    await runJob('order.failStuckManual');
    const failed = await manualRow(app, made.manualOrderId);
    expect(failed).toMatchObject({ state: 'FAILED', failReason: '落单超时，请重新落单' });
    await app.ok(voidManualOrder, { ...on(made), version: failed.version, opinion: '改由门店上传' }, { as: made.author });
    expect(await lotsLeft(app, card)).toEqual([[6_000, 0]]);
    await withStoreClosed(app, () => app.runDue());
    expect(await ordersOf(made.manualOrderId)).toEqual([]);
  });
});

describe('the match', () => {
  it('names whose mobile it is, his contracts and his cards with why one cannot pay', async () => {
    const { cardId, patientId, mobile } = await cardholder(app);
    const { contractId } = await makeContract(app, patientId, { effectiveFrom: app.clock.today() });
    const as = await keeper(app);
    const { drugstoreId, purchaseDate, lines } = await manualInput(app, as);
    const found = await app.ok(matchManualOrder, { mobile, drugstoreId, purchaseDate, lines }, { as });
    expect(found.patients.map((one) => [one.patientId, one.by])).toEqual([[patientId, 'MOBILE']]);
    expect(found.contracts).toMatchObject([{ contractId, refusal: '购药日期不在合同有效期内' }]);
    expect(found.cards).toMatchObject([{ cardId, availableFen: 6_000, payableFen: 6_000, refusal: null }]);
    await sql`update card_card set state = 'FROZEN' where id = ${cardId}`.execute(app.db);
    const frozen = await app.ok(matchManualOrder, { mobile, drugstoreId, purchaseDate, lines }, { as });
    expect(frozen.cards).toMatchObject([{ cardId, payableFen: 0, refusal: '卡状态为已冻结，不能使用' }]);
    expect(await app.ok(matchManualOrder, { mobile: '13600000001', drugstoreId, purchaseDate, lines }, { as })).toMatchObject({
      patients: [],
      patientId: null,
      cards: [],
    });
  });
});

// The clock moves by days: nothing stands behind it.
describe('a review that comes late', () => {
  it('holds a card anew whose hold has passed while it waited', async () => {
    const { card, cardId, patientId, mobile, buyerName } = await cardholder(app);
    const made = await makeSubmittedManual(app, { cardId, cardFen: 6_000, selfPayFen: 4_000, patientId, mobile, buyerName });
    await app.advance(hours(73));
    await app.runDue();
    expect(await lotsLeft(app, card)).toEqual([[6_000, 0]]);
    expect((await approve(made, await keeper(app))).envelope).toMatchObject({ code: SUCCESS });
    expect(await lotsLeft(app, card)).toEqual([[6_000, 6_000]]);
    await app.runDue();
    expect(await manualRow(app, made.manualOrderId)).toMatchObject({ state: 'DONE', holdRound: 2 });
    expect(await writeOffsOf(cardId)).toBe(1);
  });
});
