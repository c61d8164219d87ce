import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const doctors = ['doctorManagement'];
const assistants = ['helpDoctorManage'];
const items = ['doctorService'];
const openings = ['doctorManagementService'];
const config = ['serviceConfig'];
const cards = ['doctorCard'];
const orders = ['payConsultation'];
const attributions = ['doctorPatientChannelManagement'];

/** Rights of doctor; label, risk and default roles equal docs/design/permissions.csv. */
export const doctorPermissions = declarePermissions('doctor', {
  'doctor.view': {
    label: '查看医生',
    roles: 'ASSISTANT|ASSISTANT_LEAD|DOCTOR_OPS|CHANNEL_OPS|OPS_AUDIT|MEDICAL_AUDIT|FINANCE|FINANCE_AUDIT|SERVICE|AUDITOR',
    routes: doctors,
  },
  'doctor.freeze': { label: '冻结、解冻医生', risk: 'HIGH', roles: 'DOCTOR_OPS', routes: doctors },
  'doctor.cancel': { label: '注销医生', risk: 'HIGH', roles: 'DOCTOR_OPS', routes: doctors },
  'doctor.import': { label: '导入医生', roles: 'DOCTOR_OPS', routes: doctors },
  'doctor.export': { label: '导出医生', roles: 'DOCTOR_OPS|AUDITOR', routes: doctors },
  'qual.view': { label: '查看资质审核单', roles: 'DOCTOR_OPS|OPS_AUDIT|MEDICAL_AUDIT|AUDITOR', routes: doctors },
  'qual.enter': { label: '录入医生与资质、停诊代办', roles: 'DOCTOR_OPS', routes: doctors },
  'qual.audit': {
    label: '资质初审',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    routes: doctors,
    decides: { document: '医生资质', of: ['qual.enter', 'doctor.import'] },
  },
  'qual.recheck': {
    label: '资质医务复核',
    risk: 'HIGH',
    roles: 'MEDICAL_AUDIT',
    routes: doctors,
    decides: { document: '医生资质', of: ['qual.enter', 'doctor.import', 'qual.audit'] },
  },
  'qual.export': { label: '导出资质审核单', roles: 'DOCTOR_OPS|OPS_AUDIT|AUDITOR', routes: doctors },
  'assistant.view': { label: '查看医助', roles: 'ASSISTANT|ASSISTANT_LEAD|DOCTOR_OPS|OPS_AUDIT|AUDITOR', routes: assistants },
  'assistant.edit': { label: '维护医助', roles: 'ASSISTANT_LEAD|DOCTOR_OPS', routes: assistants },
  'assistant.bind': { label: '绑定、转移医助', roles: 'ASSISTANT_LEAD|DOCTOR_OPS', routes: [...assistants, ...doctors] },
  'assistant.export': { label: '导出医助', roles: 'ASSISTANT_LEAD|DOCTOR_OPS|AUDITOR', routes: assistants },
  'item.view': { label: '查看服务项目', roles: 'DOCTOR_OPS|CHANNEL_OPS|OPS_AUDIT|FINANCE|AUDITOR', routes: items },
  'item.edit': { label: '维护服务项目', roles: 'DOCTOR_OPS', routes: items },
  'opening.view': { label: '查看服务开通', roles: 'ASSISTANT|ASSISTANT_LEAD|DOCTOR_OPS|OPS_AUDIT|AUDITOR', routes: openings },
  'opening.edit': { label: '开通、调价、暂停服务', roles: 'DOCTOR_OPS', routes: [...openings, ...doctors] },
  'opening.audit': {
    label: '审核服务开通与调价',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    routes: openings,
    decides: { document: '服务开通与调价', of: ['opening.edit'], money: true },
  },
  'opening.export': { label: '导出服务开通', roles: 'DOCTOR_OPS|AUDITOR', routes: openings },
  'config.view': { label: '查看服务配置', roles: 'DOCTOR_OPS|OPS_AUDIT|AUDITOR', routes: config },
  'config.edit': { label: '编辑服务配置', roles: 'DOCTOR_OPS', routes: config },
  'config.publish': {
    label: '发布服务配置',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    routes: config,
    decides: { document: '服务配置', of: ['config.edit'] },
  },
  'recommend.view': { label: '查看医生推荐', roles: 'CORPUS_OPS|DOCTOR_OPS|OPS_AUDIT|AUDITOR', routes: doctors },
  'recommend.edit': { label: '维护医生推荐', roles: 'DOCTOR_OPS', routes: doctors },
  'card.view': { label: '查看医生名片', roles: 'ASSISTANT|ASSISTANT_LEAD|DOCTOR_OPS|CHANNEL_OPS|AUDITOR', routes: cards },
  'card.edit': { label: '生成、停用医生名片', roles: 'DOCTOR_OPS', routes: [...cards, ...doctors] },
  'consult.view': {
    label: '查看付费咨询订单',
    roles: 'ASSISTANT_LEAD|DOCTOR_OPS|OPS_AUDIT|FINANCE|FINANCE_AUDIT|SERVICE|AUDITOR',
    routes: orders,
  },
  'consult.edit': { label: '取消未付咨询订单、查询支付结果', roles: 'DOCTOR_OPS|SERVICE', routes: orders },
  'consult.refund': { label: '申请咨询退款', risk: 'HIGH', roles: 'DOCTOR_OPS|SERVICE', routes: orders, withoutSuperAdmin: true },
  'consult.refundAudit': {
    label: '复核咨询退款',
    risk: 'HIGH',
    roles: 'FINANCE_AUDIT',
    routes: orders,
    withoutSuperAdmin: true,
    decides: { document: '咨询退款', of: ['consult.refund'], money: true },
  },
  'consult.export': { label: '导出付费咨询订单', roles: 'DOCTOR_OPS|FINANCE|AUDITOR', routes: orders },
  'attribution.view': { label: '查看医患渠道归属', roles: 'DOCTOR_OPS|CHANNEL_OPS|OPS_AUDIT|AUDITOR', routes: attributions },
  'attribution.edit': { label: '申请归属变更', roles: 'DOCTOR_OPS|CHANNEL_OPS', routes: attributions },
  'attribution.audit': {
    label: '审批归属变更',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    routes: attributions,
    decides: { document: '归属变更', of: ['attribution.edit'] },
  },
  'attribution.export': { label: '导出渠道归属', roles: 'DOCTOR_OPS|CHANNEL_OPS|AUDITOR', routes: attributions },
  'sensitive.reveal': {
    label: '查看医生敏感信息明文',
    risk: 'HIGH',
    roles: 'DOCTOR_OPS|OPS_AUDIT|MEDICAL_AUDIT',
    routes: [...doctors, ...assistants, ...orders],
  },
});

/** What machine callers may be given of doctor. */
export const doctorMachinePermissions = declareMachinePermissions('doctor', {
  order: { label: '系统调用：创建付费咨询订单' },
  advance: { label: '系统调用：推进付费咨询订单' },
  pay: { label: '系统调用：通知付费咨询支付' },
  register: { label: '系统调用：医生注册与提交资质' },
});
