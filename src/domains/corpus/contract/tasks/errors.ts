import { declareErrors } from '#kernel/contract/errors.ts';

export const taskErrors = declareErrors({
  TASK_CLAIMED: ['SCM11080', '任务已由{user}领取'],
  NONE_TO_CLAIM: ['SCM11081', '暂无可领取的任务'],
  NO_RESULT: ['SCM11082', '请填写随访结果'],
  AE_INCOMPLETE: ['SCM11083', '请完整填写不良反应信息'],
});
