import { declareErrors } from '#kernel/contract/errors.ts';

export const questionnaireErrors = declareErrors({
  HAS_ANSWERS: ['SCM11091', '问卷已有{n}份答卷，题目不可修改，请新建版本'],
  FORM_SUBMITTED: ['SCM11092', '问卷已提交'],
  FORM_EXPIRED: ['SCM11093', '问卷已过期'],
});
