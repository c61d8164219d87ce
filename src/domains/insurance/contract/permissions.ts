import { declarePermissions } from '#kernel/contract/permission.ts';

const home = { routes: ['productHome'] } as const;
const products = { routes: ['productHome', 'appedProduct', 'associatedProduct'] } as const;
const rules = { routes: ['lookClaimRules'] } as const;
const control = { routes: ['controlModule', 'controlRules'] } as const;
const statistics = { routes: ['dataStatistics'] } as const;

export const insurerPermissions = declarePermissions('insurance', {
  'insurer.view': { label: '查看保司', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|FINANCE|FINANCE_AUDIT|AUDITOR', ...home },
  'insurer.edit': { label: '维护保司', roles: 'PRODUCT_OPS', ...home },
});

export const productPermissions = declarePermissions('insurance', {
  'product.view': {
    label: '查看产品',
    roles:
      'ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT|CARD_OPS|FINANCE|SERVICE|AUDITOR',
    ...products,
  },
  'product.edit': { label: '编辑产品与版本', roles: 'PRODUCT_OPS', ...products },
  'product.audit': {
    label: '审核发布产品版本',
    risk: 'HIGH',
    roles: 'PRODUCT_AUDIT',
    ...home,
    decides: { document: '产品版本', of: ['product.edit'] },
  },
  'product.shelf': { label: '产品上架、停售、下架', risk: 'HIGH', roles: 'PRODUCT_OPS', ...home },
});

export const formularyPermissions = declarePermissions('insurance', {
  'formulary.view': { label: '查看药品目录', roles: 'CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT|AUDITOR', ...home },
  'formulary.edit': { label: '编辑药品目录', roles: 'PRODUCT_OPS', ...home },
  'formulary.audit': {
    label: '审核药品目录',
    risk: 'HIGH',
    roles: 'PRODUCT_AUDIT',
    ...home,
    decides: { document: '药品目录版本', of: ['formulary.edit'] },
  },
});

export const controlPermissions = declarePermissions('insurance', {
  'control.view': { label: '查看控费规则', roles: 'CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT|AUDITOR', ...control },
  'control.edit': { label: '编辑控费规则', roles: 'PRODUCT_OPS', ...control },
  'control.audit': {
    label: '审核、启用控费规则',
    risk: 'HIGH',
    roles: 'PRODUCT_AUDIT',
    ...control,
    decides: { document: '控费规则', of: ['control.edit'] },
  },
  'control.pause': { label: '停用控费规则与模块', risk: 'HIGH', roles: 'CLAIM_LEAD|PRODUCT_OPS', ...control },
});

export const entitlementPermissions = declarePermissions('insurance', {
  'entitlement.view': { label: '查看权益定义', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|CARD_OPS|CARD_AUDIT|AUDITOR', ...home },
  'entitlement.edit': { label: '编辑权益定义', roles: 'PRODUCT_OPS', ...home },
  'entitlement.audit': {
    label: '审核权益定义',
    risk: 'HIGH',
    roles: 'PRODUCT_AUDIT',
    ...home,
    decides: { document: '权益定义', of: ['entitlement.edit'] },
  },
});

export const claimRulePermissions = declarePermissions('insurance', {
  'claimRule.view': {
    label: '查看理赔规则',
    roles: 'ENROL_AUDITOR|ENROL_RECHECK|CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT|AUDITOR',
    ...rules,
  },
});

export const trialPermissions = declarePermissions('insurance', {
  'claimRule.trial': { label: '理赔试算', roles: 'CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT', ...rules },
});

export const reasonPermissions = declarePermissions('insurance', {
  'reason.edit': { label: '维护原因话术', roles: 'PRODUCT_OPS', ...home },
});

export const replayPermissions = declarePermissions('insurance', {
  'replay.run': { label: '发起历史回放', roles: 'PRODUCT_OPS|PRODUCT_AUDIT', routes: ['lookClaimRules', 'controlRules'] },
});

export const statPermissions = declarePermissions('insurance', {
  'stat.view': { label: '查看数据统计', roles: 'ENROL_LEAD|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT|FINANCE_LEAD|AUDITOR', ...statistics },
  'stat.export': { label: '导出数据统计', roles: 'PRODUCT_OPS|FINANCE_LEAD|AUDITOR', ...statistics },
});
