import { declareErrors } from '#kernel/contract/errors.ts';

/** Of banners and advertisements alike. */
export const deliveryErrors = declareErrors({
  NO_PICTURE: ['SCM04001', '请上传图片'],
  PICTURE_SIZE: ['SCM04002', '图片尺寸应为{w}×{h}'],
  PERIOD: ['SCM04003', '结束时间须晚于开始时间'],
  LINK: ['SCM04004', '跳转地址不正确'],
  ENDED: ['SCM04005', '结束时间已过'],
  AUDIT_AGAIN: ['SCM04007', '图片、链接或人群变更须重新提交审核'],
});
