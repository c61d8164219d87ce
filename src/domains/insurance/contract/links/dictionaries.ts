import { dictionary } from '#kernel/contract/dictionary.ts';

export const linkTypes = dictionary('insurance.linkType', {
  APPENDED: '附加',
  RENEWAL_OF: '续保自',
  UPGRADE_OF: '升级自',
  EXCLUSIVE: '互斥',
  BUNDLE: '组合',
  SUBSTITUTE: '停售替代',
});
export type LinkType = (typeof linkTypes.codes)[number];

export const attachModes = dictionary('insurance.attachMode', { MUST: '必选', OPTIONAL: '可选' });
export const linkStatuses = dictionary('insurance.linkStatus', {
  ENABLED: { label: '有效', tone: 'success' },
  REMOVED: { label: '已解除' },
});

export const linkDictionaries = [linkTypes, attachModes, linkStatuses];
