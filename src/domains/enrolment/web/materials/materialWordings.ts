import type { rejectReasons } from '../../contract/applyDictionaries.ts';

/** What a person reads by default of each reason why a material did not pass; reviewers may change it. */
export const materialWordings: Readonly<Record<(typeof rejectReasons.codes)[number], string>> = {
  R01: '您的合同不在保障期内，本次材料不能受理。',
  R02: '本次疾病在等待期内确诊，本次材料不能受理。',
  R03: '本次疾病属于既往症，本次材料不能受理。',
  R04: '材料记载的诊断不符合约定的适应症，不能受理。',
  R05: '经核实，提交的材料与实际情况不符，不能受理。',
  R06: '提交的材料不清晰，无法审核，请重新拍摄后再次提交。',
  R07: '材料的出具医院不在约定范围内，不能受理。',
  R08: '材料上的身份信息与合同被保人不一致，请提交本人的材料。',
  R09: '相同的材料已提交过，请勿重复提交。',
  R10: '被保人年龄不符合产品要求，本次材料不能受理。',
  R11: '您已放弃本次提交。',
  R99: '经审核，本次提交的材料不符合要求。',
};
