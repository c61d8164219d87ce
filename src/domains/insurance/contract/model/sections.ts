import { dictionary } from '#kernel/contract/dictionary.ts';

/** Parts of a version as its editor shows them. */
export const versionSections = dictionary('insurance.versionSection', {
  BASIC: '基本信息',
  PLAN: '计划与费率',
  BENEFIT: '保障责任',
  GROUP: '共享组',
  RIGHT: '权益项',
  CLAIM_TYPE: '理赔类型与材料',
  ENROL: '入组配置',
  RULE: '理赔规则',
});
export type VersionSection = (typeof versionSections.codes)[number];
