import { dictionary } from '#kernel/contract/dictionary.ts';
import { field } from '#kernel/contract/field.ts';

export const deliveryKinds = dictionary('content.deliveryKind', { BANNER: 'Banner', AD: '广告' });
export type DeliveryKind = (typeof deliveryKinds.codes)[number];

/** Where a delivery leads; kinds of things that no owner registers are not offered. */
export const linkTypes = dictionary('content.linkType', {
  NONE: '不跳转',
  MINI_PATH: '小程序页面',
  H5: '网页',
  MEDICINE: '药品详情',
  PRODUCT: '保险产品',
  DOCTOR: '医生主页',
  ARTICLE: '文章',
  COUPON: '领券',
  OTHER_MP: '其他小程序',
});
export type LinkType = (typeof linkTypes.codes)[number];

/** Where a delivery stands for whoever looks at it: what was approved goes by its time. */
const shown = dictionary('content.deliveryShown', {
  DRAFT: { label: '草稿' },
  AUDITING: { label: '待审核', tone: 'warning' },
  REJECTED: { label: '已驳回', tone: 'error' },
  WAITING: { label: '待投放', tone: 'processing' },
  LIVE: { label: '投放中', tone: 'success' },
  PAUSED_SLOT: { label: '时段外' },
  ENDED: { label: '已结束' },
  OFFLINE: { label: '已下线' },
});
export const shownStates = { ...shown, schema: field('状态', shown.schema) };
export type ShownState = (typeof shownStates.codes)[number];

/** A condition on the viewer that may be left open. */
export const wishes = dictionary('content.audienceWish', { ANY: '不限', YES: '是', NO: '否' });

export const firstSeenOps = dictionary('content.firstSeenOp', { GE: '不少于', LE: '不超过' });

/** Why something is not shown to somebody at a time. */
export const deliveryReasons = dictionary('content.deliveryReason', {
  NOT_YET: '未到时间',
  OVER: '已结束',
  SLOT: '时段外',
  APPROVAL: '批准文号已过期',
  AUDIENCE: '人群不符',
  OFF: '已下架',
  CAP: '频次已满',
  BUDGET: '预算已用完',
  OVERFLOW: '超出位置上限',
});
export type DeliveryReason = (typeof deliveryReasons.codes)[number];

export const eventTypes = dictionary('content.eventType', { SHOW: '曝光', CLICK: '点击', CLOSE: '关闭' });

export const statGroups = dictionary('content.statGroup', {
  day: '按日',
  hour: '按时段',
  content: '按内容',
  position: '按位置',
  region: '按地区',
});

export const deliveryDictionaries = [deliveryKinds, linkTypes, shown, wishes, firstSeenOps, deliveryReasons, eventTypes, statGroups];
