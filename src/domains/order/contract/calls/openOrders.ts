import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { fen, id, idOut, instantOut, mobileText, optionalId, optionalText, personName, text } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { orderTypes } from '../orderDictionaries.ts';
import { amount, boughtLine, receiver } from '../orderFields.ts';
import { orderMachine } from '../orderStates.ts';
import { orderMachinePermissions as machine } from '../permissions.ts';

/** Signed by the app, by chains' counters and by partners. */
const openService = declareService('OrderOpenService', 'gateway');

const orderOut = z.strictObject({
  orderId: idOut,
  orderNo: z.string(),
  state: orderMachine.dictionary.schema,
  payableFen: fen,
  cardFen: fen,
  selfPayFen: fen,
  payDeadline: z.nullable(instantOut),
});

/** An order without benefit: one with benefit is placed by claims alone. */
export const createOrder = openService.act({
  operation: 'createOrder',
  label: '外部下单',
  access: access.signed(machine['open.create'], 'MINI_APP', 'CHAIN', 'OTHER'),
  idempotency: 'required',
  input: {
    outerNo: field('外部单号', z._default(z.nullable(text('外部单号', 40, 1)), null)),
    orderType: orderTypes.schema,
    patientId: field('患者', id),
    buyerName: personName('购药人', 40, 1),
    buyerMobile: field('手机号', mobileText('请输入11位手机号码')),
    drugstoreId: field('药店', optionalId),
    receiver: field('收货信息', z._default(z.nullable(z.strictObject(receiver)), null)),
    rxFileIds: field('处方', z._default(z.array(id).check(z.maxLength(9, '处方最多9张')), [])),
    rxNo: optionalText('处方编号', 40),
    diagnosis: optionalText('诊断', 200),
    /** Checked by the counter's own pharmacist; of STORE_DIRECT alone. */
    rxPassedBy: optionalText('审方药师', 40),
    lines: field('商品', z.array(boughtLine).check(z.minLength(1, '请选择商品'), z.maxLength(50, '商品最多50种'))),
    freightFen: field('运费', z._default(amount('运费'), 0)),
    discountFen: field('优惠', z._default(amount('优惠'), 0)),
    cardIds: field('卡券', z._default(z.array(id).check(z.maxLength(5, '最多使用5张卡券')), [])),
    suggestNo: field('用药建议', z._default(z.nullable(text('用药建议', 40, 1)), null)),
    buyerRemark: optionalText('备注', 200),
  },
  output: orderOut,
});
export const openOrderState = openService.read({
  operation: 'queryOrder',
  label: '外部查询订单',
  access: access.signed(machine['open.view'], 'MINI_APP', 'CHAIN', 'OTHER'),
  input: { orderNo: text('订单号', 40, 1) },
  output: orderOut,
});
