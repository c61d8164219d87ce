import { declarePermissions } from '../../../kernel/contract/permission.ts';

const HIGH = { risk: 'HIGH' } as const;
const use = { routes: ['cardGrantCancel', 'cardCancel'] } as const;
const types = { routes: ['cardManagement'] } as const;
const batches = { routes: ['cardBatchManagement'] } as const;
const settle = { routes: ['storedCardBatchManage'] } as const;

export const cardPermissions = declarePermissions('card', {
  'card.view': {
    label: '查看卡',
    roles: 'SUPER_ADMIN|CLAIM_SECOND|FULFIL_OPS|CARD_OPS|CARD_AUDIT|FINANCE|FINANCE_AUDIT|FINANCE_LEAD|SERVICE|AUDITOR',
    routes: [...types.routes, ...batches.routes, ...use.routes, ...settle.routes],
  },
  'card.export': {
    label: '导出卡列表',
    roles: 'SUPER_ADMIN|CARD_OPS|FINANCE|AUDITOR',
    routes: [...types.routes, ...batches.routes, ...use.routes, ...settle.routes],
  },
  'card.reveal': { label: '查看持卡人明文', ...HIGH, roles: 'SUPER_ADMIN|CARD_OPS|CARD_AUDIT', ...use },
  'type.edit': { label: '维护卡种', roles: 'SUPER_ADMIN|CARD_OPS', ...types },
  'batch.edit': { label: '制作发卡批次', ...HIGH, roles: 'SUPER_ADMIN|CARD_OPS', ...batches },
  'batch.approve': { label: '批准、关闭、作废批次', ...HIGH, roles: 'SUPER_ADMIN|CARD_AUDIT', ...batches },
  'batch.approve2': { label: '复审大额批次', ...HIGH, roles: 'SUPER_ADMIN|FINANCE_LEAD', ...batches },
  'batch.export': { label: '导出卡密', ...HIGH, roles: 'SUPER_ADMIN|CARD_OPS', ...batches },
  'writeoff.edit': { label: '预占、核销、申请冲正', ...HIGH, roles: 'SUPER_ADMIN|CARD_OPS', ...use },
  'writeoff.approve': { label: '复核核销与冲正', ...HIGH, roles: 'CARD_AUDIT', ...use },
  'settle.edit': { label: '制作储值结算批次', ...HIGH, roles: 'SUPER_ADMIN|CARD_OPS', ...settle },
  'settle.audit': { label: '复核结算批次、作废结算单', ...HIGH, roles: 'FINANCE_AUDIT', ...settle },
  'settle.confirm': { label: '登记差异、确认结算单', ...HIGH, roles: 'FINANCE', ...settle },
  'fund.edit': { label: '登记出资方预付', ...HIGH, roles: 'FINANCE', ...settle },
  'fund.audit': { label: '复核出资方预付', ...HIGH, roles: 'FINANCE_AUDIT', ...settle },
  'finding.handle': { label: '处理卡异常数据', roles: 'SUPER_ADMIN|CARD_OPS', ...settle },
});
