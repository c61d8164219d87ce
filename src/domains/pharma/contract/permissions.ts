import { declarePermissions } from '#kernel/contract/permission.ts';

const companyRoute = { routes: ['pharmaceuticalEnterprises'] } as const;
const lineRoute = { routes: ['pharmaceuticalEnterprisesProductLine'] } as const;
const medicineRoute = { routes: ['medicineManagementTable'] } as const;
const categoryRoute = { routes: ['drugCategory'] } as const;
const agentRoutes = { routes: ['agentList', 'agentDetail'] } as const;

export const pharmaPermissions = declarePermissions('pharma', {
  'company.view': {
    label: '查看药企',
    roles: 'CHANNEL_OPS|OPS_AUDIT|PRODUCT_OPS|PRODUCT_AUDIT|FULFIL_OPS|FINANCE|FINANCE_AUDIT|AUDITOR',
    ...companyRoute,
  },
  'company.edit': { label: '维护药企', roles: 'CHANNEL_OPS', ...companyRoute },
  'company.state': { label: '停用、启用药企', roles: 'CHANNEL_OPS', ...companyRoute },
  'company.export': { label: '导出药企', roles: 'CHANNEL_OPS|AUDITOR', ...companyRoute },
  'line.view': { label: '查看药企产品线', roles: 'CHANNEL_OPS|OPS_AUDIT|PRODUCT_OPS|FINANCE|FINANCE_AUDIT|AUDITOR', ...lineRoute },
  'line.edit': { label: '维护药企产品线', roles: 'CHANNEL_OPS', ...lineRoute },
  'line.state': { label: '终止、续约产品线', roles: 'CHANNEL_OPS', ...lineRoute },
  'line.export': { label: '导出药企产品线', roles: 'CHANNEL_OPS|AUDITOR', ...lineRoute },
  'medicine.view': {
    label: '查看药品',
    roles:
      'ASSISTANT|DOCTOR_OPS|CHANNEL_OPS|ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|PRODUCT_AUDIT|FULFIL_OPS|FULFIL_LEAD|CARD_OPS|FINANCE|FINANCE_AUDIT|SERVICE|AUDITOR',
    ...medicineRoute,
  },
  'medicine.edit': { label: '维护药品与商品', roles: 'PRODUCT_OPS', ...medicineRoute },
  'medicine.audit': {
    label: '审核药品、上架与调价',
    risk: 'HIGH',
    roles: 'PRODUCT_AUDIT',
    ...medicineRoute,
    decides: { document: '药品与调价', of: ['medicine.edit', 'medicine.import', 'price.edit'] },
  },
  'medicine.import': { label: '导入药品与价格', roles: 'PRODUCT_OPS', ...medicineRoute },
  'medicine.export': { label: '导出药品', roles: 'PRODUCT_OPS|AUDITOR', ...medicineRoute },
  'price.view': {
    label: '查看药品价格',
    roles: 'CLAIM_FIRST|CLAIM_SECOND|PRODUCT_OPS|PRODUCT_AUDIT|FULFIL_OPS|FULFIL_LEAD|AUDITOR',
    ...medicineRoute,
  },
  'price.edit': { label: '维护药品价格', risk: 'HIGH', roles: 'PRODUCT_OPS', ...medicineRoute },
  'price.supply': { label: '查看与维护供货价', risk: 'HIGH', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|FULFIL_LEAD', ...medicineRoute },
  'price.export': { label: '导出药品价格', roles: 'PRODUCT_OPS|AUDITOR', ...medicineRoute },
  'category.view': { label: '查看药品分类', roles: 'PRODUCT_OPS|PRODUCT_AUDIT|FULFIL_OPS|AUDITOR', ...categoryRoute },
  'category.edit': { label: '维护药品分类', roles: 'PRODUCT_OPS', ...categoryRoute },
  'agent.view': { label: '查看医药代表', roles: 'CHANNEL_OPS|OPS_AUDIT|FINANCE|FINANCE_AUDIT|AUDITOR', ...agentRoutes },
  'agent.edit': { label: '维护医药代表', roles: 'CHANNEL_OPS', ...agentRoutes },
  'agent.state': { label: '冻结、解冻医药代表', roles: 'CHANNEL_OPS', ...agentRoutes },
  'agent.handover': { label: '发起离岗交接', roles: 'CHANNEL_OPS', ...agentRoutes },
  'agent.handoverAudit': {
    label: '审批离岗交接',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    ...agentRoutes,
    decides: { document: '离岗交接', of: ['agent.handover'] },
  },
  'agent.export': { label: '导出医药代表', roles: 'CHANNEL_OPS|AUDITOR', ...agentRoutes },
  'pv.view': { label: '查看不良反应报告', roles: 'CHANNEL_OPS|MEDICAL_AUDIT|AUDITOR', ...companyRoute },
  'pv.edit': { label: '转报、登记回执、判定无效', roles: 'MEDICAL_AUDIT', ...companyRoute },
  'pv.export': { label: '导出不良反应报告', roles: 'MEDICAL_AUDIT|AUDITOR', ...companyRoute },
  'sensitive.reveal': {
    label: '查看药企与代表敏感信息明文',
    risk: 'HIGH',
    roles: 'CHANNEL_OPS|OPS_AUDIT|MEDICAL_AUDIT',
    routes: ['pharmaceuticalEnterprises', 'agentList', 'agentDetail'],
  },
});
