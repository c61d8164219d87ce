import { dictionary } from '#kernel/contract/dictionary.ts';

export const tagStyles = dictionary('content.promotionStyle', { CORNER: '角标', PILL: '短标', TEXT: '文字' });
export type TagStyle = (typeof tagStyles.codes)[number];

/** Pages of the patient's client that show cards of medicines. */
export const promotionPages = dictionary('content.promotionPage', {
  MP_HOME: '患者小程序首页',
  MP_MALL: '药品商城首页',
  MP_DRUG_DETAIL: '药品详情页',
});

/** Where a tag stands on the clock, beside its state. */
export const tagPeriods = dictionary('content.promotionPeriod', {
  WAITING: { label: '未开始', tone: 'processing' },
  LIVE: { label: '展示中', tone: 'success' },
  ENDED: '已结束',
});

export const promotionDictionaries = [tagStyles, promotionPages, tagPeriods];
