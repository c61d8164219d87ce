import { declareErrors } from '#kernel/contract/errors.ts';

export const ruleErrors = declareErrors({
  NO_DRY_RUN: ['SCM04040', '请先试运行'],
  OVER_LIMIT: ['SCM04041', '试运行将影响{n}个对象，超过上限（{m}），请由主管发布'],
  DRIFT: ['SCM04042', '待变更数量与试运行差异过大，已中止'],
  INCOMPLETE: ['SCM04043', '条件不完整'],
});
