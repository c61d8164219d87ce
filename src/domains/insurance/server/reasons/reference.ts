import type { ReferenceData } from '#kernel/server/module.ts';
import { adjudicationReasons, claimReasons, type AdjudicationReason, type ClaimReason } from '../../contract/reasons/codes.ts';
import { ownTx } from '../database.ts';

const wordings: Readonly<Record<AdjudicationReason | ClaimReason, string>> = {
  L01: '该费用的发生日期不在您的保障期间内。',
  L02: '该费用发生在等待期内，按条款约定不在赔付范围。',
  L03: '本次疾病属于既往症，按条款约定不在赔付范围。',
  L04: '该药品不在本产品的药品目录内。',
  L05: '该药品用于本次诊断不符合目录约定的适应症。',
  L06: '该药品的数量超过目录约定的数量限制，超出部分不予赔付。',
  L07: '该药品的单价超过目录约定的限价，超出部分不予赔付。',
  L08: '医保已支付的部分不重复赔付。',
  L09: '其他途径已补偿的部分不重复赔付。',
  L10: '该部分费用计入免赔额，由个人承担。',
  L11: '按约定的赔付比例，该部分由个人承担。',
  L12: '已达到单项限额。',
  L13: '已达到本次赔付限额。',
  L14: '已达到该责任的年度限额。',
  L15: '已达到共享保额。',
  L16: '本年度的赔付次数已用完。',
  L17: '目录内药品须先经医保结算，请结算后再申请。',
  L18: '已超过理赔申请时限。',
  L19: '就诊或购药机构不在约定的范围内。',
  L20: '经审核，该费用不符合合理用药要求。',
  L21: '经审核，该费用超出合理用药范围，超出部分不予赔付。',
  L22: '该费用不属于保障责任。',
  L23: '经人工审核，该部分费用不予赔付。',
  L24: '申请材料不完整，请按要求补充。',
  L25: '距上次购药的间隔不足约定天数。',
  L26: '购药日期晚于申请提交日期，请核对票据日期后重新申请。',
  L30: '您提交的票据无效，请更换有效票据。',
  L31: '该票据已用于其他申请，不能重复赔付。',
  L32: '处方无效或已过有效期。',
  L33: '经核实，申请材料与实际情况不符。',
  L34: '经核实，药品并非被保险人本人使用。',
  L35: '药品追溯码核验异常。',
  L36: '未达到疗效退费的条件。',
  L99: '其他原因，详见审核意见。',
};

const rows = Object.entries<string>({ ...adjudicationReasons, ...claimReasons }).map(([reasonCode, label]) => ({
  reasonCode,
  label,
  applicantText: Object.entries<string>(wordings).find(([code]) => code === reasonCode)?.[1] ?? label,
}));

/** Reasons with their first wording; what people wrote since stays. */
export const reasonReference: ReferenceData = {
  name: 'insurance.reasonTexts',
  content: rows,
  async write(tx, now) {
    await ownTx(tx)
      .insertInto('insuranceReasonText')
      .values(rows.map((row) => ({ ...row, internalText: '', updatedAt: now })))
      .onConflict((conflict) => conflict.column('reasonCode').doNothing())
      .execute();
  },
};
