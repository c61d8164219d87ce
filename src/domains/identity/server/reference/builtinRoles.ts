export interface BuiltinRole {
  code: string;
  name: string;
  description: string;
  /** Titles of directories and names of pages, as far as the role holds the view permission; `*` = every page. */
  menus: readonly string[];
  conflicts: readonly string[];
}

const claimPages = ['理赔管理', 'tDrugClaimList', 'controlModule', 'downloadList'];
const claimLead = [...claimPages, 'dataStatistics'];
const assistantPages = ['assistantIM', 'taskManagement', 'doctorCard', 'visitRecords'];
const productPages = [
  'productHome',
  'controlModule',
  'dataStatistics',
  'policyManage',
  'inventoryListManagement',
  'insurancePremiumOrderInquiry',
  'queryTable',
  'abnormalPolicyData',
  'medicineManagementTable',
  'drugCategory',
];
const fulfilPages = ['orderManagement', 'manualorders', '外部履约平台', '临时页面', 'drugstoreManagement'];
const financePages = [
  '收入与结算',
  'invoice',
  'invoiceAuditor',
  'invoiceZA',
  'invoiceStoe',
  'invoiceZAAuditor',
  'tSapReconciliation',
  'tDirectOrderBill',
  'tDirectStore',
  'tInsurerSettlementConfig',
  'tSapConfig',
  'tInsuranceAccounting',
  'storedCardBatchManage',
  'tHmoCardSettlement',
  'insurancePremiumOrderInquiry',
];

const role = (
  code: string,
  name: string,
  description: string,
  menus: readonly string[],
  conflicts: readonly string[] = [],
): BuiltinRole => ({
  code,
  name,
  description,
  menus,
  conflicts,
});

/** identity.md §Default roles: what each may do beyond viewing stands in the permissions' own default roles. */
export const builtinRoles: readonly BuiltinRole[] = [
  role('SUPER_ADMIN', '超级管理员', '全部权限，资金类高危权限除外', ['*']),
  role('CORPUS_OPS', '语料运营', '维护语料与运营内容', ['语料运营', '内容运营'], ['MEDICAL_AUDIT']),
  role('ASSISTANT', '医助', '接待患者、跟进随访', assistantPages, ['ASSISTANT_LEAD']),
  role('ASSISTANT_LEAD', '医助主管', '督导医助、分派任务、质检病历', [...assistantPages, 'helpDoctorManage'], ['ASSISTANT']),
  role(
    'DOCTOR_OPS',
    '医生运营',
    '维护医生、机构资料与服务',
    ['医生运营', 'hospitalManagementAudit', 'hospitalManagementMaintenance', 'hospitalList', 'drugstoreManagement'],
    ['OPS_AUDIT', 'FINANCE_AUDIT'],
  ),
  role(
    'CHANNEL_OPS',
    '渠道运营',
    '维护渠道、医药代表与绩效关系',
    [
      '渠道与二维码',
      'doctorPatientChannelManagement',
      'agentList',
      'pharmaceuticalEnterprises',
      'pharmaceuticalEnterprisesProductLine',
      'IncentiveItroduction',
      'perfRelatedChange',
      'performanceBindRelationTable',
      'importBind',
    ],
    ['OPS_AUDIT', 'FINANCE_AUDIT'],
  ),
  role(
    'OPS_AUDIT',
    '运营审核',
    '审核医生、机构、渠道与绩效',
    ['医生运营', '机构与药品', '渠道与二维码', 'perfRelatedChange', 'performanceBindRelationTable'],
    ['DOCTOR_OPS', 'CHANNEL_OPS', 'MEDICAL_AUDIT'],
  ),
  role(
    'MEDICAL_AUDIT',
    '医学审核',
    '审核语料、内容与医学意见',
    ['语料运营', '内容运营', 'doctorManagement', 'visitRecords', 'interestsContract'],
    ['CORPUS_OPS', 'OPS_AUDIT'],
  ),
  role('ENROL_AUDITOR', '入组审核员', '审核入组申请与材料', ['入组管理', 'downloadList'], ['CLAIM_PAY']),
  role('ENROL_RECHECK', '入组复核', '复核入组与合同变更', ['入组管理'], ['ENROL_LEAD', 'CLAIM_PAY']),
  role('ENROL_LEAD', '入组主管', '督导入组、管理合同', ['入组管理'], ['ENROL_RECHECK', 'CLAIM_PAY']),
  role('CLAIM_FIRST', '理赔初审', '初审理赔与权益申请', claimPages, ['CLAIM_SECOND', 'CLAIM_LEAD', 'CLAIM_PAY']),
  role('CLAIM_SECOND', '理赔复审', '复审理赔与权益申请', claimPages, ['CLAIM_FIRST', 'CLAIM_LEAD', 'CLAIM_PAY']),
  role('CLAIM_LEAD', '理赔主管', '督导理赔、调整额度', claimLead, ['CLAIM_FIRST', 'CLAIM_SECOND', 'CLAIM_PAY']),
  role(
    'CLAIM_PAY',
    '理赔打款',
    '制作并导出理赔打款',
    ['interestsContractList', 'contractRightsApplyCheckList'],
    ['CLAIM_FIRST', 'CLAIM_SECOND', 'CLAIM_LEAD', 'FINANCE_AUDIT'],
  ),
  role('PRODUCT_OPS', '产品运营', '维护保险产品、保单与药品', productPages, ['PRODUCT_AUDIT', 'FINANCE_LEAD']),
  role('PRODUCT_AUDIT', '产品审核', '审核保险产品与保单变更', productPages, ['PRODUCT_OPS', 'FINANCE_LEAD']),
  role('PHARMACIST', '药师', '审核订单处方', ['orderManagement']),
  role('FULFIL_OPS', '履约运营', '处理订单、发货与售后', fulfilPages, ['FULFIL_LEAD']),
  role('FULFIL_LEAD', '履约主管', '审核规则与售后、处理升级拦截', fulfilPages, ['FULFIL_OPS']),
  role('CARD_OPS', '卡运营', '发卡、发放、核销与结算编制', ['卡管理'], ['CARD_AUDIT', 'FINANCE_AUDIT']),
  role('CARD_AUDIT', '卡审核', '审核卡批次、发放与核销', ['卡管理'], ['CARD_OPS']),
  role(
    'FINANCE',
    '财务',
    '编制结算、开票、收款与对账',
    [...financePages, 'tDrugClaimList', 'payConsultation', 'abnormalPolicyData'],
    ['FINANCE_AUDIT', 'FINANCE_LEAD', 'CASHIER'],
  ),
  role(
    'FINANCE_AUDIT',
    '财务复核',
    '复核结算、开票、付款与咨询退款',
    [...financePages, 'tDrugClaimList', 'interestsContractList', 'signContractList', 'payConsultation'],
    ['FINANCE', 'FINANCE_LEAD', 'CASHIER', 'CLAIM_PAY', 'CARD_OPS', 'DOCTOR_OPS', 'CHANNEL_OPS'],
  ),
  role(
    'FINANCE_LEAD',
    '财务主管',
    '大额复核与关账管理',
    [...financePages, 'orderManagement', 'valueCardGrant'],
    ['FINANCE', 'FINANCE_AUDIT', 'CASHIER'],
  ),
  role('CASHIER', '出纳', '执行付款与退款', ['invoice', 'invoiceStoe', 'incomeSettle'], ['FINANCE', 'FINANCE_AUDIT', 'FINANCE_LEAD']),
  role('SERVICE', '客服', '代客录入、售后与查询', [
    'signContract',
    'otherMaterialVerifyList',
    'interestsContract',
    'contractRightsApplyCheckList',
    'orderManagement',
    'policyManage',
    'signContractList',
    'cardManagement',
    'visitRecords',
    'logistics',
    'payConsultation',
  ]),
  role('AUDITOR', '审计', '只读查看全部页面与操作日志', ['*']),
  role(
    'SYS_ADMIN',
    '系统管理员',
    '维护用户、角色、菜单与低代码页面',
    ['系统管理', 'weChatWorkManagement', 'commonQRcode'],
    ['SEC_ADMIN', 'FINANCE', 'FINANCE_AUDIT', 'CLAIM_PAY', 'CLAIM_FIRST', 'CLAIM_SECOND'],
  ),
  role('SEC_ADMIN', '安全管理员', '维护安全策略、会话与系统调用方', ['userManagement', 'operationLog', 'amisPageV1'], ['SYS_ADMIN']),
];

/** Pairs of conflicting roles, each once; the auditor is kept apart from every role that may write. */
export const builtinConflicts: readonly { a: string; b: string; reason: string }[] = (() => {
  const pairs = new Map<string, { a: string; b: string; reason: string }>();
  const add = (one: string, other: string, reason: string) => {
    const [a, b] = one < other ? [one, other] : [other, one];
    if (!pairs.has(`${a}|${b}`)) pairs.set(`${a}|${b}`, { a, b, reason });
  };
  for (const { code, conflicts } of builtinRoles) for (const other of conflicts) add(code, other, '不相容岗位分离');
  for (const { code } of builtinRoles) if (code !== 'AUDITOR') add('AUDITOR', code, '审计须独立于业务操作');
  return [...pairs.values()];
})();
