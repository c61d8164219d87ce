import { stateMachine } from '#kernel/contract/stateMachine.ts';
import { orderErrors } from './errors.ts';
import { orderPermissions as may } from './permissions.ts';

const { code: edit } = may['supplier.edit'];
const { code: audit } = may['supplier.audit'];
const anotherPerson = { otherThan: orderErrors.OWN_DOCUMENT } as const;

/** A supplier takes orders while it is enabled; what was audited changes by another audit alone. */
export const supplierMachine = stateMachine(
  'order.supplier',
  {
    DRAFT: { label: '草稿' },
    PENDING_AUDIT: { label: '待审核', tone: 'warning' },
    REJECTED: { label: '已驳回', tone: 'error' },
    ENABLED: { label: '启用', tone: 'success' },
    PAUSED: { label: '暂停接单', tone: 'warning' },
    DISABLED: { label: '停用' },
  },
  {
    submit: { label: '提交审核', from: ['DRAFT', 'REJECTED', 'DISABLED'], to: 'PENDING_AUDIT', permission: edit, opinion: 'none' },
    change: { label: '变更资料', from: ['ENABLED', 'PAUSED'], to: 'PENDING_AUDIT', permission: edit, opinion: 'none' },
    approve: {
      label: '审核通过',
      from: ['PENDING_AUDIT'],
      to: 'ENABLED',
      permission: audit,
      opinion: 'optional',
      ...anotherPerson,
    },
    reject: {
      label: '驳回',
      from: ['PENDING_AUDIT'],
      to: 'REJECTED',
      permission: audit,
      opinion: 'required',
      danger: true,
      ...anotherPerson,
    },
    pause: { label: '暂停接单', from: ['ENABLED'], to: 'PAUSED', permission: edit, opinion: 'optional' },
    resume: { label: '恢复接单', from: ['PAUSED'], to: 'ENABLED', permission: edit, opinion: 'none' },
    disable: { label: '停用', from: ['ENABLED', 'PAUSED'], to: 'DISABLED', permission: edit, opinion: 'required', danger: true },
  },
);
export type SupplierAction = keyof typeof supplierMachine.transitions;
