import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const hospital = ['hospitalManagementMaintenance'];
const list = ['hospitalList', 'hospitalManagementMaintenance'];
const apply = ['hospitalManagementAudit'];
const store = ['drugstoreManagement'];

/** Rights of institution; label, risk and default roles equal docs/design/permissions.csv. */
export const institutionPermissions = declarePermissions('institution', {
  'hospital.view': {
    label: '查看医院',
    roles:
      'ASSISTANT|DOCTOR_OPS|CHANNEL_OPS|OPS_AUDIT|MEDICAL_AUDIT|ENROL_AUDITOR|ENROL_RECHECK|ENROL_LEAD|CLAIM_FIRST|CLAIM_SECOND|CLAIM_LEAD|PRODUCT_OPS|FULFIL_OPS|SERVICE|AUDITOR',
    routes: list,
  },
  'hospital.edit': { label: '维护医院与科室', roles: 'DOCTOR_OPS', routes: hospital },
  'hospital.state': { label: '停用、启用医院', roles: 'DOCTOR_OPS', routes: hospital },
  'hospital.delete': { label: '删除医院', risk: 'HIGH', roles: 'DOCTOR_OPS', routes: hospital },
  'hospital.merge': { label: '申请合并医院', roles: 'DOCTOR_OPS', routes: hospital },
  'hospital.mergeAudit': {
    label: '复核合并医院',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    routes: hospital,
    decides: { document: '医院合并', of: ['hospital.merge'] },
  },
  'hospital.supervise': {
    label: '确认信用代码不同的合并、撤销合并',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    routes: hospital,
    decides: { document: '医院合并', of: ['hospital.merge'] },
  },
  'hospital.import': { label: '导入医院与科室', roles: 'DOCTOR_OPS', routes: hospital },
  'hospital.export': { label: '导出医院', roles: 'DOCTOR_OPS|AUDITOR', routes: list },
  'apply.view': { label: '查看医院申请', roles: 'DOCTOR_OPS|OPS_AUDIT|AUDITOR', routes: apply },
  'apply.enter': {
    label: '提交、撤回医院申请',
    roles: 'DOCTOR_OPS|CHANNEL_OPS|SERVICE',
    routes: ['hospitalList', 'hospitalManagementAudit'],
  },
  'apply.audit': { label: '审核医院申请', roles: 'OPS_AUDIT', routes: apply, decides: { document: '医院申请', of: ['apply.enter'] } },
  'apply.export': { label: '导出医院申请', roles: 'DOCTOR_OPS|OPS_AUDIT|AUDITOR', routes: apply },
  'store.view': {
    label: '查看药店',
    roles: 'DOCTOR_OPS|OPS_AUDIT|CLAIM_FIRST|CLAIM_SECOND|FULFIL_OPS|FULFIL_LEAD|CARD_OPS|FINANCE|FINANCE_AUDIT|SERVICE|AUDITOR',
    routes: store,
  },
  'store.edit': { label: '维护药店、连锁与证照', roles: 'DOCTOR_OPS|FULFIL_OPS', routes: store },
  'store.audit': {
    label: '审核药店与变更',
    risk: 'HIGH',
    roles: 'OPS_AUDIT',
    routes: store,
    decides: { document: '药店与变更', of: ['store.edit', 'store.import'] },
  },
  'store.state': { label: '停用、恢复、关店', roles: 'DOCTOR_OPS|FULFIL_OPS', routes: store },
  'store.import': { label: '导入药店与商品价格', roles: 'DOCTOR_OPS|FULFIL_OPS', routes: store },
  'store.export': { label: '导出药店与证照', roles: 'DOCTOR_OPS|FULFIL_OPS|AUDITOR', routes: store },
  'sensitive.reveal': {
    label: '查看机构联系人与收款账户明文',
    risk: 'HIGH',
    roles: 'DOCTOR_OPS|OPS_AUDIT',
    routes: ['drugstoreManagement', 'hospitalManagementAudit'],
  },
});

/** What machine callers may be given of institution. */
export const institutionMachinePermissions = declareMachinePermissions('institution', {
  search: { label: '系统调用：查询医院', risk: 'NORMAL' },
  apply: { label: '系统调用：提交医院申请' },
});
