import { dictionary } from '#kernel/contract/dictionary.ts';

/** 业务线: kind of insurance business, a field of the product. Not pharma's product line (药企产品线). */
export const productLines = dictionary('insurance.productLine', {
  STANDARD: '标准特药',
  SAAS: 'SaaS协同',
  RSB: '疗效风险分担',
  HMO: 'HMO健康管理',
  DAAS: 'DaaS药品福利',
});
export type ProductLine = (typeof productLines.codes)[number];

export const productTypes = dictionary('insurance.productType', {
  SPECIAL_DRUG: '特药险',
  CITY_INCLUSIVE: '惠民保',
  MILLION_RIDER: '百万医疗附加特药',
  CHRONIC: '慢病药品险',
  CORPORATE_HMO: '企业补充HMO',
  EMPLOYEE_DRUG: '员工药品福利',
  EFFICACY: '疗效险',
});
export type ProductType = (typeof productTypes.codes)[number];

/** How a claim is settled follows from its type. */
export const claimTypes = dictionary('insurance.claimType', {
  DIRECT: '直付',
  REIMBURSE: '报销',
  CARD: '卡核销',
  OUTCOME_REFUND: '疗效退费',
});
export type ClaimType = (typeof claimTypes.codes)[number];

/** What people hand in with applications and claims. */
export const materialTypes = dictionary('insurance.materialType', {
  ID_CARD: '身份证明',
  POLICY_PROOF: '保单凭证',
  DIAGNOSIS: '诊断证明',
  PATHOLOGY: '病理报告',
  GENE_TEST: '基因检测报告',
  IMAGING: '影像报告',
  LAB: '检验报告',
  MEDICAL_RECORD: '门诊/住院病历',
  DISCHARGE: '出院小结',
  PRESCRIPTION: '处方',
  CONSENT: '知情同意书',
  AUTH_LETTER: '授权委托书',
  GUARDIAN: '监护关系证明',
  CHRONIC_CERT: '门诊慢特病认定',
  HEALTH_DECLARE: '健康告知',
  BANK_CARD: '银行卡',
  FOLLOW_UP: '复查报告',
  PRIOR_PURCHASE: '既往购药凭证',
  INVOICE: '发票',
  FEE_LIST: '费用清单',
  PAY_PROOF: '付款凭证',
  EFFICACY: '疗效评估',
  TRACE_PHOTO: '追溯码照片',
  REFUSE_NOTICE: '拒赔通知书',
  OTHER: '其他',
});
export type MaterialType = (typeof materialTypes.codes)[number];
/** Each of them at most once in a list. */
export const MOST_MATERIALS = materialTypes.codes.length;

export const businessLineDictionaries = [productLines, productTypes, claimTypes, materialTypes];
