import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { doctorPermissions as may } from './permissions.ts';
import { doctorErrors } from './errors.ts';

const { code: refund } = may['consult.refund'];
const { code: refundAudit } = may['consult.refundAudit'];

export const consultOrderMachine = stateMachine(
  'doctor.consultOrder',
  {
    WAIT_PAY: { label: '待支付', tone: 'warning' },
    PAID: { label: '待接诊', tone: 'warning' },
    SERVING: { label: '服务中', tone: 'processing' },
    COMPLETED: { label: '已完成', tone: 'success' },
    REFUNDING: { label: '退款中', tone: 'processing' },
    REFUNDED: { label: '已退款' },
    CLOSED: { label: '已关闭' },
  },
  {
    create: { label: '下单', from: ['WAIT_PAY', 'PAID'], permission: 'system', opinion: 'none' },
    pay: { label: '支付', from: ['WAIT_PAY'], to: 'PAID', permission: 'system', opinion: 'none' },
    payDiffers: { label: '支付金额不一致', from: ['WAIT_PAY'], permission: 'system', opinion: 'optional' },
    timeout: { label: '超时关闭', from: ['WAIT_PAY'], to: 'CLOSED', permission: 'system', opinion: 'optional' },
    cancel: {
      label: '取消订单',
      from: ['WAIT_PAY'],
      to: 'CLOSED',
      permission: may['consult.edit'].code,
      opinion: 'optional',
      danger: true,
    },
    accept: { label: '接诊', from: ['PAID'], to: 'SERVING', permission: 'system', opinion: 'none' },
    reply: { label: '回复', from: ['SERVING'], permission: 'system', opinion: 'none' },
    complete: { label: '完成', from: ['SERVING'], to: 'COMPLETED', permission: 'system', opinion: 'none' },
    systemRefund: { label: '自动退款', from: ['PAID', 'SERVING'], to: 'REFUNDING', permission: 'system', opinion: 'optional' },
    lateRefund: { label: '关单后到账退款', from: ['CLOSED'], permission: 'system', opinion: 'optional' },
    refund: {
      label: '退款',
      from: ['PAID', 'SERVING', 'COMPLETED'],
      to: 'REFUNDING',
      permission: refund,
      opinion: 'required',
      danger: true,
    },
    refundedAll: { label: '全额退款完成', from: ['REFUNDING'], to: 'REFUNDED', permission: 'system', opinion: 'none' },
    backToPaid: { label: '退款处理完毕', from: ['REFUNDING'], to: 'PAID', permission: 'system', opinion: 'optional' },
    backToServing: { label: '退款处理完毕', from: ['REFUNDING'], to: 'SERVING', permission: 'system', opinion: 'optional' },
    backToCompleted: { label: '退款处理完毕', from: ['REFUNDING'], to: 'COMPLETED', permission: 'system', opinion: 'optional' },
  },
);
export type ConsultOrderState = keyof typeof consultOrderMachine.states & string;

export const consultRefundMachine = stateMachine(
  'doctor.consultRefund',
  {
    APPLIED: { label: '待复核', tone: 'warning' },
    PENDING: { label: '退款中', tone: 'processing' },
    SUCCESS: { label: '已退款' },
    FAILED: { label: '退款失败', tone: 'error' },
    UNKNOWN: { label: '结果未知', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
  },
  {
    apply: { label: '申请退款', from: ['APPLIED', 'PENDING'], permission: 'system', opinion: 'optional' },
    approve: {
      label: '通过',
      from: ['APPLIED'],
      to: 'PENDING',
      permission: refundAudit,
      opinion: 'optional',
      otherThan: doctorErrors.SAME_REFUND_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['APPLIED'],
      to: 'REJECTED',
      permission: refundAudit,
      opinion: 'required',
      danger: true,
      otherThan: doctorErrors.SAME_REFUND_PERSON,
    },
    succeed: { label: '退款成功', from: ['PENDING', 'UNKNOWN'], to: 'SUCCESS', permission: 'system', opinion: 'none' },
    fail: { label: '退款失败', from: ['PENDING', 'UNKNOWN'], to: 'FAILED', permission: 'system', opinion: 'optional' },
    lose: { label: '结果未知', from: ['PENDING'], to: 'UNKNOWN', permission: 'system', opinion: 'optional' },
    register: { label: '登记核实结果', from: ['UNKNOWN'], permission: refund, opinion: 'required' },
    confirm: {
      label: '确认核实结果',
      from: ['UNKNOWN'],
      permission: refundAudit,
      opinion: 'optional',
      otherThan: doctorErrors.SAME_REFUND_PERSON,
    },
    dismiss: {
      label: '退回核实结果',
      from: ['UNKNOWN'],
      permission: refundAudit,
      opinion: 'required',
      danger: true,
      otherThan: doctorErrors.SAME_REFUND_PERSON,
    },
  },
);

export const attributionChangeMachine = stateMachine(
  'doctor.attributionChange',
  {
    PENDING: { label: '待审批', tone: 'warning' },
    APPROVED: { label: '已生效', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CANCELLED: { label: '已撤销' },
  },
  {
    submit: { label: '申请变更', from: ['PENDING'], permission: may['attribution.edit'].code, opinion: 'required' },
    approve: {
      label: '通过',
      from: ['PENDING'],
      to: 'APPROVED',
      permission: may['attribution.audit'].code,
      opinion: 'optional',
      otherThan: doctorErrors.SAME_REFUND_PERSON,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: may['attribution.audit'].code,
      opinion: 'required',
      danger: true,
      otherThan: doctorErrors.SAME_REFUND_PERSON,
    },
    cancel: { label: '撤销', from: ['PENDING'], to: 'CANCELLED', permission: may['attribution.edit'].code, opinion: 'none' },
    /** At 00:00 of the day from which it holds. */
    take: { label: '执行变更', from: ['APPROVED'], permission: 'system', opinion: 'none' },
  },
);
