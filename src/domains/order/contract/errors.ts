import { declareErrors } from '#kernel/contract/errors.ts';

export const orderErrors = declareErrors({
  HELD_BY_OTHER: ['SCM16001', '订单正由{user}处理'],
  LEASE_LOST: ['SCM16002', '领取已超时，请重新领取'],
  NOTHING_WAITS: ['SCM16003', '暂无可领取的订单'],
  PARCEL_LEFT: ['SCM16010', '已有包裹发出，不能取消，请走售后'],
  PUSHED: ['SCM16011', '履约单已推送，请先撤回'],
  OWN_DOCUMENT: ['SCM16013', '不能处理本人提交的单据'],
  LICENCE_EXPIRED: ['SCM16022', '药品经营许可证已过期'],
  CARD_SHORT: ['SCM16062', '卡可用余额不足'],
  SHIELD_TAKEN: ['SCM16070', '相同商品与范围已有生效配置'],
});
