import { declarePermissions } from '#kernel/contract/permission.ts';

const HIGH = { risk: 'HIGH' } as const;
const policies = { routes: ['policyManage'] } as const;
const lists = { routes: ['inventoryListManagement'] } as const;
const table = { routes: ['queryTable'] } as const;
const premium = { routes: ['insurancePremiumOrderInquiry', 'insurancePremiumOrderAudit'] } as const;

export const policyPermissions = declarePermissions('policy', {
  'policy.view': {
    label: '查看保单',
    roles:
      'ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT|FINANCE|FINANCE_AUDIT|SERVICE|AUDITOR',
    ...policies,
  },
  'policy.edit': { label: '新增、续保、导入保单', roles: 'PRODUCT_OPS', ...policies },
  'policy.cancel': { label: '注销保单', ...HIGH, roles: 'PRODUCT_AUDIT', ...policies },
  'policy.export': { label: '导出保单与被保人', roles: 'PRODUCT_OPS|AUDITOR', ...policies },
  'insured.view': {
    label: '查看被保人',
    roles: 'ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT|SERVICE|AUDITOR',
    ...policies,
  },
  'insured.reveal': { label: '查看被保人敏感信息明文', ...HIGH, roles: 'ENROL_LEAD|CLAIM_LEAD|PRODUCT_OPS', ...policies },
  'endorse.make': { label: '经办批单', ...HIGH, roles: 'PRODUCT_OPS', ...policies },
  'endorse.audit': { label: '审核批单', ...HIGH, roles: 'PRODUCT_AUDIT', ...policies, decides: { document: '批单', of: ['endorse.make'] } },
  'endorse.undo': { label: '撤销批单', ...HIGH, roles: 'PRODUCT_AUDIT', ...policies, decides: { document: '批单', of: ['endorse.make'] } },
});

export const listPermissions = declarePermissions('policy', {
  'template.edit': { label: '维护清单模板', roles: 'PRODUCT_OPS', ...lists },
  'batch.view': { label: '查看清单批次', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|AUDITOR', ...lists },
  'batch.import': { label: '导入、校验、提交清单批次', ...HIGH, roles: 'PRODUCT_OPS', ...lists },
  'batch.audit': {
    label: '审核清单批次',
    ...HIGH,
    roles: 'PRODUCT_AUDIT',
    ...lists,
    decides: { document: '清单批次', of: ['batch.import'] },
  },
  'batch.undo': {
    label: '整批撤销清单',
    ...HIGH,
    roles: 'PRODUCT_AUDIT',
    ...lists,
    decides: { document: '清单批次', of: ['batch.import'] },
  },
});

export const premiumPermissions = declarePermissions('policy', {
  'premium.view': { label: '查看保费订单', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|FINANCE|FINANCE_AUDIT|FINANCE_LEAD|AUDITOR', ...premium },
  'premium.make': { label: '经办保费订单', ...HIGH, roles: 'PRODUCT_OPS', ...premium },
  'premium.audit': {
    label: '审核保费订单',
    ...HIGH,
    roles: 'PRODUCT_AUDIT',
    ...premium,
    withoutSuperAdmin: true,
    decides: { document: '保费订单', of: ['premium.make'], money: true },
  },
  'premium.second': {
    label: '复核大额保费订单',
    ...HIGH,
    roles: 'FINANCE_LEAD',
    ...premium,
    withoutSuperAdmin: true,
    decides: { document: '保费订单', of: ['premium.make', 'premium.audit'], money: true },
  },
  'premium.supervise': { label: '接管保费审核', ...HIGH, roles: 'PRODUCT_AUDIT', ...premium },
  'premium.receipt': {
    label: '登记收付与分配',
    ...HIGH,
    roles: 'FINANCE',
    ...premium,
    withoutSuperAdmin: true,
    decides: { document: '保费订单收付', of: ['premium.make', 'premium.audit', 'premium.second'], money: true },
  },
  'premium.reverse': {
    label: '冲正保费订单',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...premium,
    withoutSuperAdmin: true,
    decides: { document: '保费订单', of: ['premium.make', 'premium.audit', 'premium.second', 'premium.receipt'], money: true },
  },
});

const abnormal = { routes: ['abnormalPolicyData'] } as const;
export const abnormalPermissions = declarePermissions('policy', {
  'abnormal.view': { label: '查看异常保单数据', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|FINANCE|AUDITOR', ...abnormal },
  // Finance owns what is found of money.
  'abnormal.handle': { label: '处理异常数据、申请忽略', roles: 'PRODUCT_OPS|FINANCE', ...abnormal },
  'abnormal.supervise': {
    label: '转派、批准忽略、运行检查',
    ...HIGH,
    roles: 'PRODUCT_AUDIT',
    ...abnormal,
    decides: { document: '异常保单数据', of: ['abnormal.handle'] },
  },
});

export const queryPermissions = declarePermissions('policy', {
  'query.view': { label: '使用查询表', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|FINANCE|AUDITOR', ...table },
  'query.share': { label: '分享查询视图', roles: 'PRODUCT_AUDIT', ...table },
  'query.export': { label: '导出查询结果', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|FINANCE|AUDITOR', ...table },
  'query.exportRaw': { label: '导出查询结果明文', ...HIGH, roles: 'PRODUCT_AUDIT', ...table },
});
