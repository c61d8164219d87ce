import type { OutputOf } from '#kernel/contract/call.ts';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import type { queryOperationLogList } from '../../contract/calls/logs.ts';

export type LogRow = OutputOf<typeof queryOperationLogList>;
type Change = LogRow['diff'][number];

/** Kinds of things that the log names, as people call them. */
export const targetNames: Readonly<Record<string, string>> = {
  staffUser: '员工用户',
  session: '登录会话',
  role: '角色',
  roleConflict: '互斥规则',
  userRole: '任职',
  menu: '菜单',
  securityPolicy: '安全策略',
  notice: '系统公告',
  apiClient: '系统调用方',
  workCalendar: '工作日历',
  logVerifyRun: '校验任务',
  logAnchor: '日志锚点',
  job: '后台任务',
  'channel.batch': '二维码批次',
  'channel.channel': '渠道',
  'channel.code': '二维码',
  'channel.codeHost': '跳转域名',
  'channel.contact': '企微客户',
  'channel.contactTransfer': '企微客户转接',
  'channel.liveCode': '企微活码',
  'channel.scan': '扫码记录',
  'channel.sceneCode': '场景码',
  'channel.vip': '渠道权益',
  'channel.wecomCorp': '企业微信',
  'channel.wecomMember': '企微成员',
  'consultation.assistantDuty': '医助值班',
  'consultation.cannedReply': '快捷回复',
  'consultation.conversation': '会话',
  'consultation.groupNote': '内部备注',
  'consultation.guidanceDesk': '导诊台',
  'consultation.inquiry': '问诊',
  'consultation.medicalGroup': '医患群',
  'consultation.message': '消息',
  'consultation.participantTicket': '参与链接',
  'consultation.riskWord': '风险词',
  'consultation.videoRoom': '视频房间',
  'consultation.visitRecord': '就诊小结',
  'corpus.disease': '病种',
  'corpus.scene': '随访场景',
  'corpus.scenePackage': '随访场景包',
  'corpus.packageVersion': '随访场景版本',
  'corpus.followRun': '随访实例',
  'corpus.followSend': '随访消息',
  'corpus.followTask': '随访任务',
  'corpus.sendSwitch': '随访停发',
  'corpus.engineSetting': '随访引擎参数',
  'corpus.autoMessage': '自动消息',
  'corpus.campaign': '群发任务',
  'corpus.material': '随访素材',
  'corpus.materialFolder': '随访素材目录',
  'corpus.questionnaire': '随访问卷',
  'corpus.questionnaireAnswer': '随访答卷',
  'ledger.account': '账簿账户',
  'ledger.finding': '账簿差异',
  'ledger.proof': '平衡检查',
  'card.type': '卡种',
  'card.batch': '发卡批次',
  'card.card': '卡',
  'card.change': '卡变更申请',
  'card.grant': '储值发放单',
  'card.hold': '卡预占',
  'card.reversal': '核销冲正',
  'card.settlementBatch': '储值结算批次',
  'card.settlementBill': '储值结算单',
  'card.fundPrepay': '出资方预付',
  'enrolment.apply': '入组申请',
  'enrolment.specialUser': '特殊用户标记',
  'enrolment.otherMaterial': '其他材料',
  'enrolment.contract': '签约合同',
  'enrolment.amendment': '合同变更',
  'enrolment.termination': '合同终止申请',
  'enrolment.contractPay': '签约支付',
  'enrolment.contractRefund': '签约退款',
  'order.manualOrder': '手工订单',
  'order.order': '订单',
  'order.afterSale': '售后单',
  'order.exception': '异常工单',
  'order.fulfilment': '履约单',
  'order.rule': '拦截与分配规则',
  'order.shield': '隐藏加购设置',
  'order.shipment': '包裹',
  'order.supplier': '供应商',
  'order.supplierGoods': '供应商商品',
  'order.supplierPause': '供应商停接时段',
  'invoice.payment': '收款单',
  'invoice.refund': '退款单',
  'invoice.refundBatch': '退款批次',
  'settlement.account': '医生收款账户',
  'settlement.adjust': '收入调整单',
  'settlement.bill': '医生结算单',
  'settlement.income': '医生收入',
  'settlement.payer': '付款主体',
  'settlement.payoutBatch': '付款批次',
  'settlement.payoutItem': '医生付款',
  'settlement.perfChange': '绩效关系变更单',
  'settlement.perfPeriod': '绩效月',
  'settlement.period': '医生账期',
  'settlement.program': '激励项目',
  'settlement.programChange': '激励项目变更',
  'settlement.ruleVersion': '结算规则',
  'settlement.run': '批算记录',
  'settlement.taxMonth': '个税申报',
  'card.finding': '卡异常数据',
  'content.tagGroup': '标签组',
  'content.mark': '标签',
  'content.markRule': '打标规则',
  'content.pageLayout': '页面楼层草稿',
  'content.pageRelease': '页面版本',
  'doctor.assistant': '医助',
  'doctor.assistantTransfer': '医助转移',
  'doctor.attributionChange': '归属变更',
  'doctor.card': '医生名片',
  'doctor.cardTask': '名片任务',
  'doctor.cert': '医生证件',
  'doctor.consultOrder': '咨询订单',
  'doctor.consultRefund': '咨询退款',
  'doctor.doctor': '医生',
  'doctor.openingApply': '服务开通申请',
  'doctor.qualApply': '资质申请',
  'doctor.recommendation': '医生推荐',
  'doctor.serviceCategory': '服务分类',
  'doctor.serviceConfig': '服务配置',
  'doctor.serviceItem': '服务项目',
  'doctor.serviceOpening': '医生服务',
  'files.exportTask': '导出任务',
  'files.fileObject': '文件',
  'files.importTask': '导入任务',
  'institution.chain': '连锁',
  'institution.department': '科室',
  'institution.drugstore': '药店',
  'institution.hospital': '医院',
  'institution.hospitalApply': '医院申请',
  'institution.hospitalMerge': '医院合并',
  'institution.licence': '证照',
  'institution.storeChange': '药店变更',
  'insurance.claimRule': '理赔规则',
  'insurance.controlModule': '控费模块',
  'insurance.controlRuleVersion': '控费规则',
  'insurance.entitlementDef': '权益定义',
  'insurance.formulary': '药品目录',
  'insurance.formularyLine': '目录药品',
  'insurance.formularyVersion': '药品目录版本',
  'insurance.insurer': '保司',
  'insurance.product': '保险产品',
  'insurance.productLink': '产品关联',
  'insurance.productVersion': '产品版本',
  'insurance.reasonText': '原因话术',
  'insurance.ruleReplay': '历史回放',
  'insurance.statistics': '保险数据统计',
  'insurance.testCase': '测试用例',
  'policy.abnormalCheck': '异常检查项',
  'policy.abnormalOwner': '异常责任人',
  'policy.batch': '清单批次',
  'policy.endorsement': '批单',
  'policy.finding': '异常数据',
  'policy.insuredItem': '被保人',
  'policy.policy': '保单',
  'policy.premiumOrder': '保费订单',
  'policy.premiumReceipt': '保费到账记录',
  'policy.queryView': '查询视图',
  'policy.template': '清单模板',
  'patient.contactPerson': '联系人',
  'patient.account': '患者账号',
  'patient.consentText': '协议文本',
  'patient.inspection': '检查报告',
  'patient.medicineSuggested': '用药建议',
  'patient.merge': '档案合并',
  'patient.patient': '患者',
  'patient.privacyRequest': '隐私请求',
  'patient.realNameSwitch': '实名开关',
  'pharma.adverseReport': '不良反应报告',
  'pharma.agent': '医药代表',
  'pharma.agentHandover': '代表交接',
  'pharma.category': '药品分类',
  'pharma.company': '药企',
  'pharma.medicine': '药品',
  'pharma.medicineApply': '药品申请',
  'pharma.productLine': '产品线',
  'pharma.sku': '商品',
};

/** Page on which a target can be looked at. */
const targetPages: Readonly<Record<string, (row: LogRow) => { path: string; search: Readonly<Record<string, string>> } | null>> = {
  staffUser: (row) => (row.targetNo ? { path: '/userManagement', search: { opNo: row.targetNo } } : null),
  role: () => ({ path: '/roleManagement', search: {} }),
  menu: () => ({ path: '/menuManagement', search: {} }),
  notice: () => ({ path: '/menuManagement', search: { tab: 'notices' } }),
  workCalendar: () => ({ path: '/menuManagement', search: { tab: 'calendar' } }),
  apiClient: () => ({ path: '/userManagement', search: { tab: 'clients' } }),
  securityPolicy: () => ({ path: '/userManagement', search: { tab: 'policy' } }),
  logVerifyRun: () => ({ path: '/operationLog', search: { tab: 'chain' } }),
};

export const pageOf = (row: LogRow) => (row.targetType ? (targetPages[row.targetType]?.(row) ?? null) : null);

export const targetText = (row: LogRow): string => {
  if (!row.targetType) return NOTHING;
  const name = targetNames[row.targetType] ?? row.targetType;
  const which = row.targetNo ?? row.targetId ?? '';
  return row.targetCount > 1 ? `${name} ${which} 等${row.targetCount}项` : `${name} ${which}`.trim();
};

/** Who acted: a person, a system caller or a job. */
export const actorText = (row: LogRow): string =>
  row.displayName
    ? `${row.displayName}${row.opNo ? `（${row.opNo}）` : ''}`
    : row.apiClientName
      ? `调用方：${row.apiClientName}`
      : row.jobName
        ? '系统任务'
        : '未登录';

export const showValue = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '（空）';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) return value.length ? value.map(showValue).join('、') : '（空）';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const changeText = (change: Change): string => `${change.label}：${showValue(change.before)} → ${showValue(change.after)}`;

/** The first two changed fields, and how many more there are. */
export function changesText(changes: readonly Change[]): string {
  if (changes.length === 0) return NOTHING;
  const first = changes.slice(0, 2).map(changeText).join('；');
  return changes.length > 2 ? `${first} +${changes.length - 2}` : first;
}

export const isSuccess = (row: Pick<LogRow, 'resultCode'>): boolean => row.resultCode === SUCCESS;
