import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { settlementErrors } from './errors.ts';

const edit = 'settlement.perf.edit';
const audit = 'settlement.perf.audit';

export const perfChangeMachine = stateMachine(
  'settlement.perfChange',
  {
    DRAFT: { label: '草稿' },
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    APPROVED: { label: '待生效', tone: 'processing' },
    EFFECTIVE: { label: '已生效', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
    WITHDRAWN: { label: '已撤回' },
    REVOKED: { label: '已撤销' },
  },
  {
    submit: { label: '提交审核', from: ['DRAFT', 'REJECTED'], to: 'PENDING_AUDIT', permission: edit, opinion: 'none' },
    withdraw: { label: '撤回', from: ['DRAFT', 'PENDING_AUDIT', 'REJECTED'], to: 'WITHDRAWN', permission: edit, opinion: 'none' },
    approve: {
      label: '审核通过',
      from: ['PENDING_AUDIT'],
      to: 'EFFECTIVE',
      permission: audit,
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
      passes: true,
    },
    approveAhead: {
      label: '审核通过，到期生效',
      from: ['PENDING_AUDIT'],
      to: 'APPROVED',
      permission: audit,
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
      passes: true,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_AUDIT'],
      to: 'REJECTED',
      permission: audit,
      opinion: 'required',
      danger: true,
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    takeEffect: { label: '到期生效', from: ['APPROVED'], to: 'EFFECTIVE', permission: 'system', opinion: 'none' },
    revoke: {
      label: '撤销',
      from: ['APPROVED', 'EFFECTIVE'],
      to: 'REVOKED',
      permission: audit,
      opinion: 'required',
      danger: true,
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    dropImported: {
      label: '随导入整批撤销',
      from: ['PENDING_AUDIT', 'REJECTED'],
      to: 'WITHDRAWN',
      permission: 'system',
      opinion: 'optional',
    },
  },
);

export const perfPeriodMachine = stateMachine(
  'settlement.perfPeriod',
  { OPEN: { label: '未锁定' }, LOCKED: { label: '已锁定', tone: 'success' } },
  {
    lock: { label: '锁定绩效月', from: ['OPEN'], to: 'LOCKED', permission: 'settlement.perf.lock', opinion: 'none' },
    unlock: {
      label: '解锁绩效月',
      from: ['LOCKED'],
      to: 'OPEN',
      permission: 'settlement.perf.unlock',
      opinion: 'required',
      danger: true,
    },
  },
);
