import { dictionary } from '#kernel/contract/dictionary.ts';

/** Kinds of things that carry marks; the domain that owns one registers how it is found and named. */
export const objectTypes = dictionary('content.objectType', {
  PATIENT: '患者',
  DOCTOR: '医生',
  MEDICINE: '药品',
  CHANNEL: '渠道',
  DRUGSTORE: '药店',
  MATERIAL: '素材',
});
export type ObjectTypeCode = (typeof objectTypes.codes)[number];

export const selectModes = dictionary('content.selectMode', { SINGLE: '组内单选', MULTI: '可多选' });

/** Marks of staff, and those that customers see on the card of a medicine. */
export const groupKinds = dictionary('content.groupKind', { MARK: '管理标签', PROMOTION: '促销标签' });

export const bindingSources = dictionary('content.bindingSource', { MANUAL: '手工', RULE: '规则', IMPORT: '导入', EVENT: '事件' });
export const endReasons = dictionary('content.endReason', {
  MANUAL: '手工移除',
  RULE: '不再满足',
  EXPIRED: '到期',
  REPLACED: '组内替换',
  MARK_OFF: '标签停用',
  MERGED: '对象合并',
});

/** Names of the theme's tag colours. */
export const markColors = dictionary('content.markColor', {
  default: '灰色',
  blue: '蓝色',
  cyan: '青色',
  green: '绿色',
  gold: '金色',
  orange: '橙色',
  red: '红色',
  magenta: '洋红',
  purple: '紫色',
});
export type MarkColor = (typeof markColors.codes)[number];

export const markDictionaries = [objectTypes, groupKinds, selectModes, bindingSources, endReasons, markColors];
