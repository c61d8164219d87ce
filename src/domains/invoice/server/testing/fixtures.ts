import type { OutputOf } from '#kernel/contract/call.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import { signedHeaders } from '#testing/signing.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadFile } from '#testing/uploads.ts';
import { addRefundBatch, auditRefundBatch, batchRefund, queryRefundBatchDetail } from '../../contract/calls/batches.ts';
import { createPay } from '../../contract/calls/open.ts';
import { addRefund, auditRefund, queryRefundDetail } from '../../contract/calls/refunds.ts';
import { invoicePermissions } from '../../contract/permissions.ts';
import { REFUND_VOUCHER } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { anOrder } from './orders.ts';

let counter = 0;
const serial = () => (counter += 1);
export const NONE = '999999999';

/** Somebody who may do all that the domain offers; each call makes another person. */
export const keeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: Object.values(invoicePermissions).map(({ code }) => code) });
export const key = (as: TestStaff) => ({ as, idempotencyKey: `invoice-${serial()}` });

export const acting = <T>(app: TestApp, work: (ctx: Acting) => Promise<T>): Promise<T> =>
  app.kernel.transactions.run('test', (writing) => work(asSystem(writing, { now: app.clock.now(), traceId: 'test' })));

type Channel = 'WECHAT' | 'ALIPAY';
/** What the app's server asks, signed. */
export async function pay(app: TestApp, orderId: string, channel: Channel = 'WECHAT'): Promise<OutputOf<typeof createPay>> {
  const input = { orderId, channel };
  return app.ok(createPay, input, { headers: await signedHeaders(app, createPay, input), idempotencyKey: `pay-${serial()}` });
}
export const refusedPay = async (app: TestApp, orderId: string, channel: Channel = 'WECHAT') => {
  const input = { orderId, channel };
  return app.refused(createPay, input, { headers: await signedHeaders(app, createPay, input), idempotencyKey: `pay-${serial()}` });
};

/** The payer's page. */
export async function visit(app: TestApp, payUrl: string | null, outcome?: 'SUCCESS' | 'FAILURE' | 'UNKNOWN') {
  const url = new URL(payUrl ?? '').pathname;
  const { status, body } = await app.inject({
    method: outcome ? 'POST' : 'GET',
    url,
    ...(outcome && { payload: `outcome=${outcome}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  });
  return { status, text: body.toString() };
}

/** The channel's notice, as it comes to the product. */
export async function notify(app: TestApp, channel: Channel, notice: { headers: Record<string, string>; body: string }) {
  return app.inject({
    method: 'POST',
    url: `/pay/notice/${channel.toLowerCase()}`,
    payload: notice.body,
    headers: { ...notice.headers, 'content-type': 'application/json' },
  });
}

/** An order that was paid over its page. */
export async function paid(app: TestApp, payFen = 10_000, channel: Channel = 'WECHAT') {
  const order = anOrder(app, { payFen });
  const { payUrl, paymentNo } = await pay(app, order.orderId, channel);
  await visit(app, payUrl);
  await visit(app, payUrl, 'SUCCESS');
  return { order, ...(await paymentOf(app, paymentNo)) };
}
export const paymentOf = (app: TestApp, paymentNo: string) =>
  own(app.db).selectFrom('invoicePayment').selectAll().where('paymentNo', '=', paymentNo).executeTakeFirstOrThrow();
export const refundsOf = (app: TestApp, paymentId: string) =>
  own(app.db).selectFrom('invoiceRefund').selectAll().where('paymentId', '=', paymentId).orderBy('id').execute();

export const PAYEE = { payeeName: '张建国', payeeBank: '招商银行张江支行', payeeAccount: '6225881234567890' };
export const wish = (paymentId: string, amountFen: number) => ({ paymentId, amountFen, way: 'ORIGINAL' as const, reason: '协商退款' });

/** A refund that somebody asked for. */
export async function asked(app: TestApp, amountFen = 3_333, payFen = 10_000, way: 'ORIGINAL' | 'OFFLINE' = 'ORIGINAL') {
  const payment = await paid(app, payFen);
  const maker = await keeper(app);
  const refund = await app.ok(addRefund, { ...wish(payment.id, amountFen), way, ...(way === 'OFFLINE' && PAYEE) }, key(maker));
  return { payment, maker, refundId: refund.id, version: refund.version };
}
/** One that another person passed. */
export async function passed(app: TestApp, amountFen?: number, payFen?: number, way?: 'ORIGINAL' | 'OFFLINE') {
  const made = await asked(app, amountFen, payFen, way);
  const { version } = await app.ok(
    auditRefund,
    { refundId: made.refundId, version: made.version, decision: 'approve' },
    key(await keeper(app)),
  );
  return { ...made, version };
}
/** A batch of refunds that were passed. */
export async function batched(app: TestApp, refundIds: readonly string[]) {
  const maker = await keeper(app);
  const { id, version } = await app.ok(addRefundBatch, { refundIds: [...refundIds] }, key(maker));
  return { maker, refundBatchId: id, version };
}
/** One that another person passed. */
export async function approved(app: TestApp, refundIds: readonly string[]) {
  const batch = await batched(app, refundIds);
  const approver = await keeper(app);
  const { version } = await app.ok(
    auditRefundBatch,
    { refundBatchId: batch.refundBatchId, version: batch.version, decision: 'approve' },
    key(approver),
  );
  return { ...batch, approver, version };
}
/** One that a third person started; its refunds were sent. */
export async function executed(app: TestApp, refundIds: readonly string[]) {
  const batch = await approved(app, refundIds);
  const executor = await keeper(app);
  await app.ok(batchRefund, { refundBatchId: batch.refundBatchId, version: batch.version }, key(executor));
  await app.runDue();
  return { ...batch, executor };
}
/** A transfer that is to be made: its batch was started. */
export async function transfer(app: TestApp) {
  const { refundId, payment } = await passed(app, 3_333, 10_000, 'OFFLINE');
  const batch = await executed(app, [refundId]);
  return { ...batch, payment, refundId, version: await refundVersion(app, refundId) };
}

export const refundOf = async (app: TestApp, refundId: string) =>
  (await app.ok(queryRefundDetail, { refundId }, { as: await keeper(app) })).refund;
export const refundVersion = async (app: TestApp, refundId: string) => (await refundOf(app, refundId)).version;
export const batchOf = async (app: TestApp, refundBatchId: string) =>
  app.ok(queryRefundBatchDetail, { refundBatchId }, { as: await keeper(app) });

export const voucher = async (app: TestApp, as: TestStaff) =>
  uploadFile(app, as, REFUND_VOUCHER, {
    fileName: '转账凭证.pdf',
    contentType: 'application/pdf',
    bytes: renderPdf({ title: '凭证', watermark: '测试', footer: '凭证', blocks: [{ kind: 'text', text: `转账${serial()}` }] }),
  });
