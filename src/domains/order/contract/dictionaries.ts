import { dictionary } from '#kernel/contract/dictionary.ts';

/** For whom the button 加入购物车 is hidden. */
export const shieldScopes = dictionary('order.shieldScope', {
  ALL: '全部',
  PRODUCT: '指定产品',
  REGION: '指定城市',
  CHANNEL: '指定渠道',
});
export type ShieldScope = (typeof shieldScopes.codes)[number];

/** Computed of the switch and the days; nothing stores it. */
export const shieldStatuses = dictionary('order.shieldStatus', {
  EFFECTIVE: { label: '生效中', tone: 'success' },
  WAITING: { label: '待生效', tone: 'processing' },
  DISABLED: '停用',
  EXPIRED: '已过期',
});
export type ShieldStatus = (typeof shieldStatuses.codes)[number];

export const supplierTypes = dictionary('order.supplierType', {
  B2C: 'B2C药房',
  DTP: 'DTP药房',
  CHAIN: '连锁药店',
  WAREHOUSE: '云仓',
});
export type SupplierType = (typeof supplierTypes.codes)[number];

/** How a supplier learns of its orders and tells what became of them. */
export const integrations = dictionary('order.integration', { API: '接口直连', PORTAL: '供应商后台', EXCEL: '表格' });

/** Of a supplier's licences by the day on which the first of them ends; nothing stores it. */
export const licenceStates = dictionary('order.licenceState', {
  VALID: { label: '有效', tone: 'success' },
  EXPIRING: { label: '30天内到期', tone: 'error' },
  EXPIRED: { label: '已过期', tone: 'error' },
});
export type LicenceState = (typeof licenceStates.codes)[number];

/** How a time in which a supplier takes no orders stands at a moment. */
export const pauseStates = dictionary('order.pauseState', {
  WAITING: { label: '未开始', tone: 'processing' },
  RUNNING: { label: '停接中', tone: 'warning' },
  OVER: '已结束',
});
export type PauseState = (typeof pauseStates.codes)[number];

export const orderDictionaries = [shieldScopes, shieldStatuses, supplierTypes, integrations, licenceStates, pauseStates];
