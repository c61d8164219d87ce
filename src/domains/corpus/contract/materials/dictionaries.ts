import { dictionary } from '#kernel/contract/dictionary.ts';

export const materialType = dictionary('corpusMaterialType', {
  TEXT: '文本',
  IMAGE: '图片',
  ARTICLE: '文章链接',
  MINI_CARD: '小程序卡片',
  QUESTIONNAIRE: '问卷',
  MEDICINE_CARD: '药品卡片',
});
export type MaterialType = (typeof materialType.codes)[number];

/** Hard words refuse a submission, soft ones ask the auditor for a note. */
export const wordLevel = dictionary('corpusWordLevel', {
  HARD: { label: '禁止使用', tone: 'error' },
  SOFT: { label: '谨慎使用', tone: 'warning' },
});

/** Purpose of the pictures in materials. */
export const MATERIAL_FILE = 'CORPUS_MATERIAL';
/** Owner of those pictures. */
export const MATERIAL_TARGET = 'corpus.material';
