import { doctorPermissions as may } from '../../contract/permissions.ts';

const linkOf = (orderId: string) => `/payConsultation?id=${orderId}`;

/** The to-do of a payment whose outcome is open for a day. */
export const latePayment = ({ id, orderNo }: { id: string; orderNo: string }) => ({
  businessKey: `doctor.consultOrder.unknown.${id}`,
  name: `付费咨询${orderNo}的支付`,
  link: linkOf(id),
  permission: may['consult.edit'],
});

/** The to-do of such a refund. */
export const lateRefund = ({ id, refundNo, orderId }: { id: string; refundNo: string; orderId: string }) => ({
  businessKey: `doctor.consultRefund.unknown.${id}`,
  name: `退款单${refundNo}`,
  link: linkOf(orderId),
  permission: may['consult.edit'],
});
