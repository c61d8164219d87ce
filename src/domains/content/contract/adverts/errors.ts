import { declareErrors } from '#kernel/contract/errors.ts';

export const advertErrors = declareErrors({
  RX_TO_PATIENTS: ['SCM04020', '处方药广告仅可投放医生端'],
  NO_APPROVAL: ['SCM04021', '请填写广告审查批准文号并上传文件'],
  BEYOND_APPROVAL: ['SCM04022', '投放结束时间不能超过批准文号有效期'],
  FORBIDDEN_WORDS: ['SCM04023', '包含广告法禁用词：{words}'],
  NO_DISCLAIMER: ['SCM04024', '保健食品广告须标注"保健食品不是药物，不能代替药物治疗疾病"'],
  UNANSWERED: ['SCM04025', '请完成审核要点'],
});
