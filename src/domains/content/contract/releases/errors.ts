import { declareErrors } from '#kernel/contract/errors.ts';

export const releaseErrors = declareErrors({
  OWN_AUDIT: ['SCM04006', '提交人与审核人不能为同一人'],
  NO_FLOOR: ['SCM04010', '页面没有任何楼层'],
  EMPTY_FLOOR: ['SCM04011', '楼层{name}没有内容'],
  DRAFT_MOVED: ['SCM04012', '草稿与待审核版本不一致，请重新提交'],
  ALREADY_AUDITING: ['SCM04013', '该页面已有待审核的版本'],
});
