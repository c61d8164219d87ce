import { declareErrors } from '#kernel/contract/errors.ts';

export const campaignErrors = declareErrors({
  TOO_SOON: ['SCM11084', '发送时间须晚于当前时间30分钟'],
  NO_PREVIEW: ['SCM11085', '请先预览人群'],
  GROWN: ['SCM11086', '人群较审核时增加超过10%，请重新预览'],
});
