import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, id, idOut, instantOut, text, textOrNull } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { payChannels } from '../dictionaries.ts';
import { invoiceMachinePermissions as machine } from '../permissions.ts';
import { paymentMachine } from '../states.ts';

/** The cashier of the app, called by its server. */
const service = declareService('PayOpenService', 'gateway');
const may = access.signed(machine.pay, 'MINI_APP');

const payment = z.strictObject({
  paymentNo: z.string(),
  orderId: idOut,
  channel: payChannels.schema,
  amountFen: fen,
  status: paymentMachine.dictionary.schema,
  expireAt: instantOut,
  /** Where the payer pays; null: not any more. */
  payUrl: textOrNull,
});
/** One payment for each order and channel is open at a time: a repeated call answers it. */
export const createPay = service.act({
  operation: 'createPay',
  label: '发起订单支付',
  access: may,
  idempotency: 'required',
  input: { orderId: field('订单', id), channel: field('支付渠道', payChannels.schema) },
  output: payment,
});
export const queryPay = service.read({
  operation: 'queryPay',
  label: '查询订单支付',
  access: may,
  input: { paymentNo: text('支付单号', 30, 10) },
  output: payment,
});
