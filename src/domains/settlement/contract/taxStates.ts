import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { settlementErrors } from './errors.ts';

const declare = { to: 'DECLARED', permission: 'settlement.tax.declare', opinion: 'none' } as const;
/** What one company withheld in one month. */
export const taxMonthMachine = stateMachine(
  'settlement.taxMonth',
  {
    OPEN: { label: '待申报', tone: 'warning' },
    DECLARED: { label: '已申报', tone: 'success' },
    CORRECTING: { label: '待更正申报', tone: 'error' },
  },
  {
    declare: { label: '标记已申报', from: ['OPEN'], ...declare },
    correct: { label: '标记已更正申报', from: ['CORRECTING'], ...declare },
    reopen: { label: '付款退回，需更正申报', from: ['DECLARED'], to: 'CORRECTING', permission: 'system', opinion: 'none' },
  },
);

/** A month of the doctors' book. */
export const periodMachine = stateMachine(
  'settlement.period',
  {
    OPEN: { label: '未结账', tone: 'processing' },
    CLOSING: { label: '结账中', tone: 'warning' },
    CLOSED: { label: '已结账', tone: 'success' },
  },
  {
    start: { label: '开始结账', from: ['OPEN'], to: 'CLOSING', permission: 'settlement.tax.declare', opinion: 'none' },
    close: {
      label: '完成结账',
      from: ['CLOSING'],
      to: 'CLOSED',
      permission: 'settlement.period.close',
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    abort: {
      label: '撤销结账',
      from: ['CLOSING'],
      to: 'OPEN',
      permission: 'settlement.tax.declare',
      opinion: 'required',
      danger: true,
    },
  },
);
