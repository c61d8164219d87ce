import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { cardErrors } from './errors.ts';

export const holdMachine = stateMachine(
  'card.hold',
  {
    HELD: { label: '预占中', tone: 'processing' },
    CAPTURED: { label: '已核销', tone: 'success' },
    RELEASED: { label: '已释放' },
    TIMED_OUT: { label: '超时释放', tone: 'warning' },
  },
  {
    capture: { label: '核销', from: ['HELD'], to: 'CAPTURED', permission: 'card.writeoff.edit', opinion: 'optional' },
    release: { label: '释放', from: ['HELD'], to: 'RELEASED', permission: 'card.writeoff.edit', opinion: 'required', danger: true },
    timeOut: { label: '超时释放', from: ['HELD'], to: 'TIMED_OUT', permission: 'system', opinion: 'none' },
  },
);
export const writeOffMachine = stateMachine(
  'card.writeOff',
  {
    DONE: { label: '已核销', tone: 'success' },
    PART_REVERSED: { label: '部分冲正', tone: 'warning' },
    REVERSED: { label: '已冲正' },
  },
  {
    reversePart: { label: '部分冲正', from: ['DONE', 'PART_REVERSED'], to: 'PART_REVERSED', permission: 'system', opinion: 'none' },
    reverse: { label: '冲正', from: ['DONE', 'PART_REVERSED'], to: 'REVERSED', permission: 'system', opinion: 'none' },
  },
);
export const reversalMachine = stateMachine(
  'card.reversal',
  {
    PENDING: { label: '待复核', tone: 'warning' },
    DONE: { label: '已冲正' },
    REJECTED: { label: '已驳回', tone: 'error' },
  },
  {
    approve: {
      label: '复核通过',
      from: ['PENDING'],
      to: 'DONE',
      permission: 'card.writeoff.approve',
      opinion: 'optional',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'card.writeoff.approve',
      opinion: 'required',
      danger: true,
      otherThan: cardErrors.OWN_DOCUMENT,
    },
  },
);
export const settlementBatchMachine = stateMachine(
  'card.settlementBatch',
  {
    GENERATING: { label: '生成中', tone: 'processing', job: true },
    DRAFT: { label: '待提交', tone: 'warning' },
    PENDING_AUDIT: { label: '待复核', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
    CONFIRMING: { label: '对账中', tone: 'processing' },
    FINISHED: { label: '已结清', tone: 'success' },
    VOIDED: { label: '已作废' },
  },
  {
    submit: { label: '提交复核', from: ['DRAFT', 'REJECTED'], to: 'PENDING_AUDIT', permission: 'card.settle.edit', opinion: 'none' },
    approve: {
      label: '复核通过',
      from: ['PENDING_AUDIT'],
      to: 'CONFIRMING',
      permission: 'card.settle.audit',
      opinion: 'optional',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_AUDIT'],
      to: 'REJECTED',
      permission: 'card.settle.audit',
      opinion: 'required',
      danger: true,
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    void: { label: '作废', from: ['DRAFT', 'REJECTED'], to: 'VOIDED', permission: 'card.settle.edit', opinion: 'required', danger: true },
    generated: { label: '生成完成', from: ['GENERATING'], to: 'DRAFT', permission: 'system', opinion: 'none' },
    finish: { label: '结清', from: ['CONFIRMING'], to: 'FINISHED', permission: 'system', opinion: 'none' },
    reopen: { label: '收付款退回', from: ['FINISHED'], to: 'CONFIRMING', permission: 'system', opinion: 'none' },
  },
);
export const billMachine = stateMachine(
  'card.settlementBill',
  {
    DRAFT: { label: '未发送' },
    PENDING_CONFIRM: { label: '待对方确认', tone: 'processing' },
    DISPUTED: { label: '有差异', tone: 'error' },
    CONFIRMED: { label: '已确认', tone: 'success' },
    PART_SETTLED: { label: '部分结清', tone: 'processing' },
    SETTLED: { label: '已结清', tone: 'success' },
    VOIDED: { label: '已作废' },
  },
  {
    confirm: { label: '确认', from: ['PENDING_CONFIRM', 'DISPUTED'], to: 'CONFIRMED', permission: 'card.settle.confirm', opinion: 'none' },
    dispute: { label: '登记差异', from: ['PENDING_CONFIRM'], to: 'DISPUTED', permission: 'card.settle.confirm', opinion: 'optional' },
    remind: { label: '催确认', from: ['PENDING_CONFIRM', 'DISPUTED'], permission: 'card.settle.confirm', opinion: 'none' },
    void: {
      label: '作废结算单',
      from: ['PENDING_CONFIRM', 'DISPUTED'],
      to: 'VOIDED',
      permission: 'card.settle.audit',
      opinion: 'required',
      danger: true,
    },
    settleModule: { label: '部分结清', from: ['CONFIRMED', 'PART_SETTLED'], to: 'PART_SETTLED', permission: 'system', opinion: 'optional' },
    settle: { label: '结清', from: ['CONFIRMED', 'PART_SETTLED'], to: 'SETTLED', permission: 'system', opinion: 'optional' },
    takeBack: { label: '收付款全部退回', from: ['PART_SETTLED', 'SETTLED'], to: 'CONFIRMED', permission: 'system', opinion: 'optional' },
    takeBackPart: {
      label: '收付款部分退回',
      from: ['PART_SETTLED', 'SETTLED'],
      to: 'PART_SETTLED',
      permission: 'system',
      opinion: 'optional',
    },
  },
);
export const prepayMachine = stateMachine(
  'card.fundPrepay',
  {
    PENDING: { label: '待复核', tone: 'warning' },
    CONFIRMED: { label: '已到账', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
  },
  {
    approve: {
      label: '复核通过',
      from: ['PENDING'],
      to: 'CONFIRMED',
      permission: 'card.fund.audit',
      opinion: 'optional',
      otherThan: cardErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: 'card.fund.audit',
      opinion: 'required',
      danger: true,
      otherThan: cardErrors.OWN_DOCUMENT,
    },
  },
);
export const findingMachine = stateMachine(
  'card.finding',
  {
    OPEN: { label: '待处理', tone: 'warning' },
    FIXING: { label: '处理中', tone: 'processing' },
    CLOSED: { label: '已关闭' },
  },
  {
    assign: { label: '指派', from: ['OPEN', 'FIXING'], to: 'FIXING', permission: 'card.finding.handle', opinion: 'none' },
    fix: { label: '重建余额', from: ['OPEN', 'FIXING'], to: 'CLOSED', permission: 'card.finding.handle', opinion: 'none' },
    close: { label: '关闭', from: ['OPEN', 'FIXING'], to: 'CLOSED', permission: 'card.finding.handle', opinion: 'required' },
  },
);

export const useMachines = [
  holdMachine,
  writeOffMachine,
  reversalMachine,
  settlementBatchMachine,
  billMachine,
  prepayMachine,
  findingMachine,
];
