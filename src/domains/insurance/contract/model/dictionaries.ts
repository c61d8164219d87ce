import { dictionary } from '#kernel/contract/dictionary.ts';

export const hospitalScopes = dictionary('insurance.hospitalScope', {
  ANY: '不限',
  GRADE2: '二级及以上',
  PUBLIC_GRADE2: '二级及以上公立',
  LIST: '指定机构',
});
export type HospitalScope = (typeof hospitalScopes.codes)[number];

/** Whom a plan takes, and whom a rate is for. */
export const socialStatuses = dictionary('insurance.socialStatus', { ANY: '不限', YES: '有医保', NO: '无医保' });
export type SocialStatus = (typeof socialStatuses.codes)[number];

export const rateGenders = dictionary('insurance.rateGender', { ANY: '不限', M: '男', F: '女' });
export type RateGender = (typeof rateGenders.codes)[number];

export const formularyModes = dictionary('insurance.formularyMode', { PINNED: '锁定目录版本', BY_SERVICE_DATE: '按购药日期' });

export const waitingEffects = dictionary('insurance.waitingEffect', { PERIOD: '等待期内费用不赔', DISEASE: '等待期内确诊的疾病不赔' });

export const preExistingModes = dictionary('insurance.preExistingMode', { COVER: '可赔', EXCLUDE: '不赔' });

export const socialModes = dictionary('insurance.socialMode', {
  DEDUCT: '扣除医保已付',
  REQUIRED: '目录内药品须先经医保结算',
  IGNORE: '不扣除',
});

/** How the social insurance stands to a line of a claim, for its rate. */
export const tierSocials = dictionary('insurance.tierSocial', {
  SETTLED: '已医保结算',
  NOT_SETTLED: '应结未结',
  OUTSIDE: '医保目录外',
  ANY: '不限',
});
export type TierSocial = (typeof tierSocials.codes)[number];

export const tierPreExistings = dictionary('insurance.tierPreExisting', { Y: '既往症', N: '非既往症', ANY: '不限' });
export type TierPreExisting = (typeof tierPreExistings.codes)[number];

export const groupKinds = dictionary('insurance.groupKind', { DEDUCTIBLE: '免赔组', CEILING: '限额组' });
export const groupPeriods = dictionary('insurance.groupPeriod', { CLAIM: '每次', YEAR: '每保单年度', LIFE: '终身' });
export const groupSubjects = dictionary('insurance.groupSubject', { PERSON: '个人', FAMILY: '家庭' });

export const rightKinds = dictionary('insurance.rightKind', { PREAUTH: '直付购药授权', CASH: '现金权益', SERVICE: '服务权益' });
export const occurrenceKeys = dictionary('insurance.occurrenceKey', { PER_DRUG: '每药', PER_VISIT: '每次', ONCE: '一次' });

export const modelDictionaries = [
  hospitalScopes,
  socialStatuses,
  rateGenders,
  formularyModes,
  waitingEffects,
  preExistingModes,
  socialModes,
  tierSocials,
  tierPreExistings,
  groupKinds,
  groupPeriods,
  groupSubjects,
  rightKinds,
  occurrenceKeys,
];
