import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const HIGH = { risk: 'HIGH' } as const;
const cards = { routes: ['cardInformation', 'cardInformationDetail'] } as const;
const use = { routes: ['cardGrantCancel', 'cardCancel'] } as const;
const types = { routes: ['cardManagement'] } as const;
const batches = { routes: ['cardBatchManagement', 'cardBatchManagementDetail'] } as const;
const grants = { routes: ['valueCardGrant'] } as const;
const settle = { routes: ['storedCardBatchManage'] } as const;

export const cardPermissions = declarePermissions('card', {
  'card.view': {
    label: '查看卡',
    roles: 'CLAIM_SECOND|FULFIL_OPS|CARD_OPS|CARD_AUDIT|FINANCE|FINANCE_AUDIT|FINANCE_LEAD|SERVICE|AUDITOR',
    routes: [...types.routes, ...batches.routes, ...cards.routes, ...use.routes, ...settle.routes],
  },
  'card.export': {
    label: '导出卡列表',
    roles: 'CARD_OPS|FINANCE|AUDITOR',
    routes: [...types.routes, ...batches.routes, ...cards.routes, ...use.routes, ...settle.routes],
  },
  'card.reveal': { label: '查看持卡人明文', ...HIGH, roles: 'CARD_OPS|CARD_AUDIT', routes: [...cards.routes, ...use.routes] },
  'card.freeze': { label: '冻结、解冻卡', ...HIGH, roles: 'CARD_OPS|CARD_AUDIT', ...cards },
  'card.activate': { label: '代激活卡', roles: 'CARD_OPS|SERVICE', ...cards },
  'secret.reset': { label: '重置卡密', ...HIGH, roles: 'CARD_AUDIT', ...cards },
  'change.edit': { label: '申请卡变更', roles: 'CARD_OPS|SERVICE', ...cards },
  'change.approve': {
    label: '审批卡变更',
    ...HIGH,
    roles: 'CARD_AUDIT',
    ...cards,
    withoutSuperAdmin: true,
    decides: { document: '卡变更', of: ['change.edit'], money: true },
  },
  'type.edit': { label: '维护卡种', roles: 'CARD_OPS', ...types },
  'batch.edit': { label: '制作发卡批次', ...HIGH, roles: 'CARD_OPS', ...batches },
  'batch.approve': {
    label: '批准、关闭、作废批次',
    ...HIGH,
    roles: 'CARD_AUDIT',
    ...batches,
    decides: { document: '发卡批次', of: ['batch.edit', 'batch.export'], money: true },
  },
  'batch.approve2': {
    label: '复审大额批次',
    ...HIGH,
    roles: 'FINANCE_LEAD',
    ...batches,
    decides: { document: '发卡批次', of: ['batch.edit', 'batch.export', 'batch.approve'], money: true },
  },
  'batch.export': { label: '导出卡密', ...HIGH, roles: 'CARD_OPS', ...batches },
  'grant.edit': { label: '制作发放单', ...HIGH, roles: 'CARD_OPS', ...grants },
  'grant.approve': {
    label: '批准、撤回发放',
    ...HIGH,
    roles: 'CARD_AUDIT',
    ...grants,
    withoutSuperAdmin: true,
    decides: { document: '发放单', of: ['grant.edit'], money: true },
  },
  'grant.approve2': {
    label: '复审大额发放',
    ...HIGH,
    roles: 'FINANCE_LEAD',
    ...grants,
    withoutSuperAdmin: true,
    decides: { document: '发放单', of: ['grant.edit', 'grant.approve'], money: true },
  },
  'writeoff.edit': { label: '预占、核销、申请冲正', ...HIGH, roles: 'CARD_OPS', ...use },
  'writeoff.approve': {
    label: '复核核销与冲正',
    ...HIGH,
    roles: 'CARD_AUDIT',
    ...use,
    withoutSuperAdmin: true,
    decides: { document: '核销与冲正', of: ['writeoff.edit'], money: true },
  },
  'settle.edit': { label: '制作储值结算批次', ...HIGH, roles: 'CARD_OPS', ...settle },
  'settle.audit': {
    label: '复核结算批次、作废结算单',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...settle,
    withoutSuperAdmin: true,
    decides: { document: '储值结算', of: ['settle.edit', 'settle.confirm'], money: true },
  },
  'settle.confirm': {
    label: '登记差异、确认结算单',
    ...HIGH,
    roles: 'FINANCE',
    ...settle,
    withoutSuperAdmin: true,
    decides: { document: '储值结算', of: ['settle.edit'], money: true },
  },
  'fund.edit': { label: '登记出资方预付', ...HIGH, roles: 'FINANCE', ...settle, withoutSuperAdmin: true },
  'fund.audit': {
    label: '复核出资方预付',
    ...HIGH,
    roles: 'FINANCE_AUDIT',
    ...settle,
    withoutSuperAdmin: true,
    decides: { document: '出资方预付', of: ['fund.edit'], money: true },
  },
  'finding.handle': { label: '处理卡异常数据', roles: 'CARD_OPS', ...settle },
});

/** What machine callers may be given of card. */
export const cardMachinePermissions = declareMachinePermissions('card', {
  bind: { label: '系统调用：激活卡' },
  use: { label: '系统调用：预占、核销、释放卡' },
  balance: { label: '系统调用：查询卡余额' },
});
