import type { rejectReasons } from '../../contract/applyDictionaries.ts';

type Reason = (typeof rejectReasons.codes)[number];
/** What applicants read by default of each reason; reviewers may change it. */
export const rejectWordings: Readonly<Record<Reason, string>> = {
  R01: '您的保单不在保障期内，暂不能入组。',
  R02: '本次疾病在等待期内确诊，按条款约定不能入组。',
  R03: '本次疾病属于既往症，按条款约定不能入组。',
  R04: '本次诊断不符合药品目录约定的适应症，不能入组。',
  R05: '经核实，提交的材料与实际情况不符，不能入组。',
  R06: '提交的材料不清晰，无法审核，请重新拍摄后再次申请。',
  R07: '就诊医院不在约定范围内，不能入组。',
  R08: '申请人身份信息与保单不一致，不能入组。',
  R09: '您已有同一产品的申请或合同，请勿重复申请。',
  R10: '被保人年龄不符合产品要求，不能入组。',
  R11: '您已放弃本次申请。',
  R99: '经审核，本次申请不符合入组要求。',
};
