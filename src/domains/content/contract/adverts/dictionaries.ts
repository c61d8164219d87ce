import { dictionary } from '#kernel/contract/dictionary.ts';

export const sponsorTypes = dictionary('content.sponsorType', { PHARMA: '药企', INSURER: '保司', SELF: '自营', OTHER: '其他' });

/** The kind of record that a sponsor is; null: somebody who has none, named by hand. */
export const sponsorThingOf = (type: (typeof sponsorTypes.codes)[number]): 'PHARMA_COMPANY' | 'INSURER' | null =>
  type === 'PHARMA' ? 'PHARMA_COMPANY' : type === 'INSURER' ? 'INSURER' : null;

/** What an advertisement is for; the law of advertising goes by it. */
export const adClasses = dictionary('content.adClass', {
  BRAND: '品牌',
  OTC: '非处方药',
  RX: '处方药',
  DEVICE: '医疗器械',
  SUPPLEMENT: '保健食品',
  SERVICE: '医疗服务',
  INSURANCE: '保险',
  PUBLIC: '公益',
});
export type AdClass = (typeof adClasses.codes)[number];

export const budgetTypes = dictionary('content.budgetType', { NONE: '不限', IMPRESSION: '曝光量', CLICK: '点击量' });

/** What an auditor of an advertisement looks at. */
export const auditPoints = dictionary('content.auditPoint', {
  AD_WORD: '画面含“广告”字样',
  APPROVAL_SAME: '批准文号与批件一致',
  NO_ABSOLUTE: '无绝对化用语和功效保证',
  NO_PATIENT: '未以患者、专家名义推荐',
  LANDING_SAME: '落地页与广告内容一致',
});
export type AuditPoint = (typeof auditPoints.codes)[number];
export const auditAnswers = dictionary('content.auditAnswer', { YES: '符合', NO: '不符合', NA: '不适用' });

export const adDictionaries = [sponsorTypes, adClasses, budgetTypes, auditPoints, auditAnswers];
