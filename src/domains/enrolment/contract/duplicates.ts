import { dictionary } from '#kernel/contract/dictionary.ts';

/** What two cases have in common. */
export const duplicateSignals = dictionary('enrolment.duplicateSignal', {
  PERSON: '同人同产品',
  FILE: '相同文件',
  IMAGE: '相似图片',
  FUZZY: '姓名生日医院相近',
});
