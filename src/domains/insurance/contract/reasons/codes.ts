/** What adjudication gives as its reasons, with their names; the wording of each is a row that people edit (`insurance_reason_text`). */
export const adjudicationReasons = {
  L01: '不在保障期间',
  L02: '等待期内',
  L03: '既往症除外',
  L04: '不在药品目录',
  L05: '适应症不符',
  L06: '超数量限制',
  L07: '超限价',
  L08: '医保已支付',
  L09: '其他途径已补偿',
  L10: '未达免赔额',
  L11: '自付比例',
  L12: '单项限额',
  L13: '次限额',
  L14: '责任年限额',
  L15: '共享保额',
  L16: '次数已用完',
  L17: '应先经医保结算',
  L18: '超过申请时限',
  L19: '非指定医疗机构',
  L20: '控费拒绝',
  L21: '控费限额',
  L22: '责任外项目',
  L23: '人工核减',
  L24: '材料缺失',
  L25: '间隔期不足',
  L26: '购药晚于提交',
} as const;
export type AdjudicationReason = keyof typeof adjudicationReasons;

/** What people of claims give as theirs. */
export const claimReasons = {
  L30: '票据无效',
  L31: '票据重复',
  L32: '处方无效或过期',
  L33: '材料不真实',
  L34: '非本人用药',
  L35: '追溯码异常',
  L36: '未达退费条件',
  L99: '其他',
} as const;
export type ClaimReason = keyof typeof claimReasons;
