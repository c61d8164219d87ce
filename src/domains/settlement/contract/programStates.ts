import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { settlementErrors } from './errors.ts';

const edit = 'settlement.program.edit';
const audit = 'settlement.program.audit';

export const programMachine = stateMachine(
  'settlement.program',
  {
    DRAFT: { label: '草稿' },
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
    ACTIVE: { label: '进行中', tone: 'processing' },
    PAUSED: { label: '已暂停', tone: 'warning' },
    ENDED: { label: '已到期', tone: 'warning' },
    CLOSED: { label: '已结清', tone: 'success' },
  },
  {
    submit: { label: '提交审核', from: ['DRAFT', 'REJECTED'], to: 'PENDING_AUDIT', permission: edit, opinion: 'none' },
    approve: {
      label: '审核通过',
      from: ['PENDING_AUDIT'],
      to: 'ACTIVE',
      permission: audit,
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
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
    pause: { label: '暂停', from: ['ACTIVE'], to: 'PAUSED', permission: edit, opinion: 'required', danger: true },
    resume: { label: '恢复', from: ['PAUSED'], to: 'ACTIVE', permission: edit, opinion: 'required' },
    end: { label: '到期', from: ['ACTIVE', 'PAUSED'], to: 'ENDED', permission: 'system', opinion: 'none' },
    close: { label: '结清', from: ['ENDED'], to: 'CLOSED', permission: audit, opinion: 'required', danger: true },
  },
);

export const programChangeMachine = stateMachine(
  'settlement.programChange',
  {
    PENDING: { label: '待审核', tone: 'warning' },
    APPROVED: { label: '已通过', tone: 'success' },
    REJECTED: { label: '已驳回', tone: 'error' },
  },
  {
    approve: {
      label: '审核通过',
      from: ['PENDING'],
      to: 'APPROVED',
      permission: audit,
      opinion: 'required',
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
    reject: {
      label: '驳回',
      from: ['PENDING'],
      to: 'REJECTED',
      permission: audit,
      opinion: 'required',
      danger: true,
      otherThan: settlementErrors.OWN_DOCUMENT,
    },
  },
);
