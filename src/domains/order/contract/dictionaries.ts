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

export const orderDictionaries = [shieldScopes, shieldStatuses];
