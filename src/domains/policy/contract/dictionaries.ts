import { dictionary } from '#kernel/contract/dictionary.ts';

export const policyTypes = dictionary('policy.policyType', { GROUP: '团单', PERSONAL: '个单', CITY: '惠民保单' });
export type PolicyType = (typeof policyTypes.codes)[number];
export const holderTypes = dictionary('policy.holderType', { PERSON: '个人', ORG: '企业' });
export const payModes = dictionary('policy.payMode', { LUMP: '趸交', YEAR: '年交', QUARTER: '季交', MONTH: '月交' });
export type PayMode = (typeof payModes.codes)[number];
export const prorates = dictionary('policy.prorate', { DAY: '按日', MONTH: '按月' });
export const genders = dictionary('policy.gender', { M: '男', F: '女' });
export const idTypes = dictionary('policy.idType', {
  ID_CARD: '身份证',
  PASSPORT: '护照',
  HK_MO: '港澳通行证',
  TW: '台胞证',
  BIRTH: '出生证明',
  OTHER: '其他',
});
export type IdType = (typeof idTypes.codes)[number];
export const relations = dictionary('policy.relation', { SELF: '本人', SPOUSE: '配偶', CHILD: '子女', PARENT: '父母' });
export const realNameStates = dictionary('policy.realNameState', {
  NONE: '未实名',
  PASSED: { label: '已实名', tone: 'success' },
});
export const insuredStates = dictionary('policy.insuredState', {
  PENDING: { label: '待生效', tone: 'processing' },
  ACTIVE: { label: '保障中', tone: 'success' },
  SUSPENDED: { label: '中止', tone: 'warning' },
  LEFT: '已减员',
  EXPIRED: '已满期',
  VOID: { label: '自始无效', tone: 'error' },
});
export const endorsementKinds = dictionary('policy.endorsementKind', {
  ADD: '增员',
  REMOVE: '减员',
  CORRECT: '信息更正',
  PLAN: '计划变更',
  HOLDER: '投保人变更',
  EXTEND: '延期',
  SURRENDER: '退保',
  CANCEL: '注销',
  SUSPEND: '中止',
  REINSTATE: '复效',
  MIXED: '清单增减',
});
export type EndorsementKind = (typeof endorsementKinds.codes)[number];
/** Kinds that a person makes by hand; the others follow from lists and days. */
export const handKinds = ['ADD', 'REMOVE', 'CORRECT', 'PLAN', 'HOLDER', 'EXTEND', 'SURRENDER', 'CANCEL', 'SUSPEND', 'REINSTATE'] as const;
export type HandKind = (typeof handKinds)[number];

/** How a slice stands today, for the history of a person. */
export const sliceStates = dictionary('policy.sliceState', {
  LIVE: { label: '有效', tone: 'success' },
  REPLACED: '已被替换',
  UNDONE: { label: '已撤销' },
});
export const useTypes = dictionary('policy.useType', { APPLY: '入组申请', CONTRACT: '签约', CLAIM: '理赔' });
export const useStates = dictionary('policy.useState', {
  OPEN: { label: '在途', tone: 'processing' },
  LIVE: { label: '有效', tone: 'success' },
  PAID: { label: '已赔付', tone: 'warning' },
  ENDED: '已结束',
});

export const policyDictionaries = [
  policyTypes,
  holderTypes,
  payModes,
  prorates,
  genders,
  idTypes,
  relations,
  realNameStates,
  insuredStates,
  endorsementKinds,
  sliceStates,
  useTypes,
  useStates,
];
