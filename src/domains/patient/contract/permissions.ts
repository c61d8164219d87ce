import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const LOOKERS =
  'ASSISTANT|ASSISTANT_LEAD|DOCTOR_OPS|OPS_AUDIT|MEDICAL_AUDIT|ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|FULFIL_OPS|CARD_OPS|SERVICE|AUDITOR';

/** Rights of patient; label, risk and default roles equal docs/design/permissions.csv. */
export const patientPermissions = declarePermissions('patient', {
  'patient.view': { label: '查看患者', roles: LOOKERS },
  'patient.edit': { label: '维护患者资料', roles: 'ASSISTANT|SERVICE' },
  'patient.reveal': { label: '查看患者敏感信息明文', risk: 'HIGH', roles: 'ASSISTANT|OPS_AUDIT|MEDICAL_AUDIT|SERVICE' },
  'patient.breakGlass': { label: '紧急查看档案', risk: 'HIGH', roles: 'ASSISTANT|ASSISTANT_LEAD|SERVICE' },
  'patient.freeze': { label: '冻结、解冻患者', risk: 'HIGH', roles: 'OPS_AUDIT' },
  'record.view': {
    label: '查看病历资料',
    roles: 'ASSISTANT|ASSISTANT_LEAD|MEDICAL_AUDIT|ENROL_AUDITOR|ENROL_RECHECK|CLAIM_FIRST|CLAIM_SECOND|AUDITOR',
  },
  'record.edit': { label: '维护病历资料', roles: 'ASSISTANT' },
  'record.check': {
    label: '核对解读报告',
    roles: 'ASSISTANT_LEAD|MEDICAL_AUDIT',
    decides: { document: '检查解读报告', of: ['record.edit'] },
  },
  'record.export': { label: '导出病历', risk: 'HIGH', roles: 'MEDICAL_AUDIT' },
  'realName.verify': { label: '发起实名核验', roles: 'ASSISTANT|SERVICE' },
  'realName.audit': {
    label: '人工核验、撤销实名',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    decides: { document: '实名核验', of: ['realName.verify'] },
  },
  'realNameSwitch.view': { label: '查看实名开关', roles: 'DOCTOR_OPS|OPS_AUDIT|AUDITOR', routes: ['patientRealNameSwitch'] },
  'realNameSwitch.edit': { label: '维护实名开关', risk: 'HIGH', roles: 'DOCTOR_OPS', routes: ['patientRealNameSwitch'] },
  'consent.view': { label: '查看授权同意', roles: 'ASSISTANT|ASSISTANT_LEAD|MEDICAL_AUDIT|SERVICE|AUDITOR' },
  'consent.edit': { label: '代登记、撤回授权同意', roles: 'ASSISTANT|SERVICE' },
  'merge.make': { label: '申请合并档案', roles: 'ASSISTANT|SERVICE' },
  'merge.audit': { label: '审批合并档案', risk: 'HIGH', roles: 'OPS_AUDIT', decides: { document: '患者档案合并', of: ['merge.make'] } },
  'privacy.handle': { label: '办理隐私请求', risk: 'HIGH', roles: 'OPS_AUDIT|SERVICE' },
  'access.view': { label: '查看档案查看记录', roles: 'OPS_AUDIT|AUDITOR|SEC_ADMIN' },
});

/** What machine callers may be given of patient. */
export const patientMachinePermissions = declareMachinePermissions('patient', {
  register: { label: '系统调用：建档取档与绑定账号' },
  report: { label: '系统调用：上传检查报告' },
  consent: { label: '系统调用：提交授权同意' },
  realName: { label: '系统调用：提交实名核验' },
});
