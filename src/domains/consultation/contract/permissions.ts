import { declarePermissions } from '#kernel/contract/permission.ts';

const chat = ['assistantIM'];
const visits = ['visitRecords'];
const both = ['assistantIM', 'visitRecords'];

/** Rights of consultation; label, risk and default roles equal docs/design/permissions.csv. */
export const consultationPermissions = declarePermissions('consultation', {
  'chat.send': { label: '使用医助工作台收发消息', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: chat },
  'chat.watch': { label: '旁听会话', risk: 'HIGH', roles: 'ASSISTANT_LEAD', routes: chat },
  'chat.supervise': { label: '接管、强制转接、工作台设置', risk: 'HIGH', roles: 'ASSISTANT_LEAD', routes: chat },
  'inquiry.accept': { label: '代接诊', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: both },
  'inquiry.status': { label: '结束问诊', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: both },
  'inquiry.close': { label: '取消问诊、退诊', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: both },
  'inquiry.create': { label: '代开问诊', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: both },
  'inquiry.extend': { label: '延长时长、加赠轮次', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: both },
  'inquiry.supervise': { label: '恢复问诊、超限延长', risk: 'HIGH', roles: 'ASSISTANT_LEAD', routes: both },
  'inquiry.reveal': { label: '查看问诊敏感信息明文', risk: 'HIGH', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: both },
  'message.original': { label: '查看撤回与修改前的消息原文', risk: 'HIGH', roles: 'ASSISTANT_LEAD', routes: both },
  'canned.manage': { label: '维护公共快捷回复', roles: 'ASSISTANT_LEAD', routes: chat },
  'desk.manage': { label: '维护导诊台', roles: 'ASSISTANT_LEAD|DOCTOR_OPS', routes: chat },
  'video.call': { label: '发起视频通话', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: chat },
  'visit.view': { label: '查看就诊记录', roles: 'ASSISTANT|ASSISTANT_LEAD|DOCTOR_OPS|MEDICAL_AUDIT|SERVICE|AUDITOR', routes: visits },
  'visit.edit': { label: '完善就诊小结', roles: 'ASSISTANT', routes: visits },
  'visit.archive': {
    label: '归档就诊小结',
    roles: 'ASSISTANT_LEAD',
    routes: visits,
    decides: { document: '就诊小结', of: ['visit.edit'] },
  },
  'visit.qc': {
    label: '就诊质检',
    roles: 'ASSISTANT_LEAD|MEDICAL_AUDIT',
    routes: visits,
    decides: { document: '就诊小结', of: ['visit.edit'] },
  },
  'visit.export': { label: '导出就诊记录', risk: 'HIGH', roles: 'ASSISTANT_LEAD|AUDITOR', routes: visits },
  'ticket.issue': { label: '签发参与链接', risk: 'HIGH', roles: 'ASSISTANT|ASSISTANT_LEAD', routes: chat },
});
