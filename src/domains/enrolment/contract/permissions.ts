import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const HIGH = { risk: 'HIGH' } as const;
const applies = { routes: ['signContract', 'signContractDetail', 'signContractDetailSaas', 'hmoSignContractInfo'] } as const;
const contracts = { routes: ['signContractList', 'signContractListDetail'] } as const;
const pays = { routes: ['signContractPayDetail'] } as const;
const materials = { routes: ['otherMaterialVerifyList', 'otherMaterialVerifyInfo'] } as const;
const marks = { routes: ['specialUser', 'updateSpecialUser'] } as const;

export const applyPermissions = declarePermissions('enrolment', {
  'apply.view': { label: '查看入组申请', roles: 'ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|SERVICE|AUDITOR', ...applies },
  'apply.enter': { label: '代录、补件、撤回入组申请', roles: 'SERVICE', ...applies },
  'apply.audit': {
    label: '入组初审',
    ...HIGH,
    roles: 'ENROL_AUDITOR|ENROL_LEAD',
    ...applies,
    decides: { document: '入组申请', of: ['apply.enter'] },
  },
  'apply.recheck': {
    label: '入组复核',
    ...HIGH,
    roles: 'ENROL_RECHECK',
    ...applies,
    decides: { document: '入组申请', of: ['apply.enter', 'apply.audit'] },
  },
  'apply.supervise': { label: '接管、受理申诉、撤销通过', ...HIGH, roles: 'ENROL_LEAD', ...applies },
  'apply.insurer': { label: '登记保司结论', ...HIGH, roles: 'ENROL_LEAD', ...applies },
  'apply.export': { label: '导出入组申请', roles: 'ENROL_AUDITOR|ENROL_LEAD|AUDITOR', ...applies },
  'apply.reveal': { label: '查看入组敏感信息明文', ...HIGH, roles: 'ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD', ...applies },
});

export const contractPermissions = declarePermissions('enrolment', {
  'contract.view': {
    label: '查看签约合同',
    roles: 'ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|FINANCE_AUDIT|SERVICE|AUDITOR',
    ...contracts,
  },
  'contract.edit': { label: '登记签署、补发链接、取消合同', roles: 'ENROL_LEAD|SERVICE', ...contracts },
  'contract.amend': { label: '发起合同变更', ...HIGH, roles: 'ENROL_LEAD|SERVICE', ...contracts },
  'contract.amendAudit': {
    label: '审批合同变更、确认终止',
    ...HIGH,
    roles: 'ENROL_RECHECK',
    ...contracts,
    decides: { document: '合同变更', of: ['contract.amend', 'contract.terminate'] },
  },
  'contract.suspend': { label: '暂停、恢复合同', ...HIGH, roles: 'ENROL_LEAD', ...contracts },
  'contract.terminate': { label: '终止合同', ...HIGH, roles: 'ENROL_LEAD', ...contracts },
  'contract.renew': { label: '续签合同', roles: 'ENROL_LEAD|SERVICE', ...contracts },
  'contract.export': { label: '导出签约合同', roles: 'ENROL_LEAD|AUDITOR', ...contracts },
});

export const payPermissions = declarePermissions('enrolment', {
  'pay.view': { label: '查看签约支付', roles: 'ENROL_AUDITOR|ENROL_LEAD|FINANCE|FINANCE_AUDIT|SERVICE|AUDITOR', ...pays },
  'pay.refund': { label: '申请签约退款、登记线下支付', ...HIGH, roles: 'ENROL_LEAD', ...pays, withoutSuperAdmin: true },
  'pay.refundAudit': {
    label: '复核签约退款与线下支付',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...pays,
    withoutSuperAdmin: true,
    decides: { document: '签约收退款', of: ['pay.refund'], money: true },
  },
  'pay.export': { label: '导出签约支付', roles: 'ENROL_LEAD|FINANCE|AUDITOR', ...pays },
});

export const materialPermissions = declarePermissions('enrolment', {
  'material.view': { label: '查看其他材料', roles: 'ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|SERVICE|AUDITOR', ...materials },
  'material.audit': {
    label: '审核其他材料',
    ...HIGH,
    roles: 'ENROL_AUDITOR',
    ...materials,
    decides: { document: '其他材料', of: ['apply.enter'] },
  },
  'material.export': { label: '导出其他材料', roles: 'ENROL_AUDITOR|ENROL_LEAD|AUDITOR', ...materials },
});

export const markPermissions = declarePermissions('enrolment', {
  'specialUser.view': { label: '查看特殊用户标记', roles: 'ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|AUDITOR', ...marks },
  'specialUser.edit': { label: '维护特殊用户标记', ...HIGH, roles: 'ENROL_LEAD', ...marks },
  'specialUser.audit': {
    label: '审批特殊用户标记',
    ...HIGH,
    roles: 'ENROL_RECHECK',
    ...marks,
    decides: { document: '特殊用户标记', of: ['specialUser.edit'] },
  },
  'specialUser.export': { label: '导出特殊用户标记', roles: 'ENROL_LEAD|AUDITOR', ...marks },
});

export const applyMachinePermissions = declareMachinePermissions('enrolment', {
  apply: { label: '系统调用：提交、补件、撤回与查询入组申请' },
  insurer: { label: '系统调用：推送保司结论' },
});
