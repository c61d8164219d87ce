import { declarePermissions } from '../../../kernel/contract/permission.ts';

export const corpusPermissions = declarePermissions('corpus', {
  'corpus.view': {
    label: '查看语料库',
    roles: 'CORPUS_OPS|ASSISTANT|ASSISTANT_LEAD|MEDICAL_AUDIT|AUDITOR',
    routes: ['corpus', 'welcomeMessage'],
  },
  'disease.edit': { label: '维护病种', roles: 'CORPUS_OPS', routes: ['corpus'] },
  'scene.edit': { label: '维护场景、条件、日程与周期', roles: 'CORPUS_OPS', routes: ['corpus'] },
  'material.edit': { label: '维护素材与问卷', roles: 'CORPUS_OPS', routes: ['corpus'] },
  'material.audit': { label: '审核素材与问卷', roles: 'MEDICAL_AUDIT', risk: 'HIGH', routes: ['corpus'] },
  'corpus.export': { label: '导出语料与随访列表', roles: 'CORPUS_OPS|AUDITOR', routes: ['corpus'] },
  'run.view': {
    label: '查看随访实例与试运行',
    roles: 'CORPUS_OPS|ASSISTANT|ASSISTANT_LEAD|MEDICAL_AUDIT|AUDITOR',
    routes: ['corpus'],
  },
  'scene.audit': { label: '审核发布、回滚、下线场景', risk: 'HIGH', roles: 'MEDICAL_AUDIT', routes: ['corpus'] },
  'run.operate': { label: '加入、暂停、终止随访', roles: 'CORPUS_OPS|ASSISTANT|ASSISTANT_LEAD', routes: ['corpus'] },
  'send.retry': { label: '重试随访消息', roles: 'CORPUS_OPS', routes: ['corpus'] },
  'engine.stop': { label: '停发随访消息', risk: 'HIGH', roles: 'CORPUS_OPS|MEDICAL_AUDIT', routes: ['corpus'] },
  'engine.resume': { label: '恢复随访发送', risk: 'HIGH', roles: 'MEDICAL_AUDIT', routes: ['corpus'] },
  'engine.setting': { label: '修改随访引擎参数', risk: 'HIGH', roles: 'MEDICAL_AUDIT', routes: ['corpus'] },
  'welcome.edit': { label: '维护欢迎语与服务通知', roles: 'CORPUS_OPS', routes: ['welcomeMessage'] },
  'welcome.audit': { label: '审核欢迎语与服务通知', roles: 'MEDICAL_AUDIT', routes: ['welcomeMessage'] },
  'campaign.edit': { label: '编辑群发任务', roles: 'CORPUS_OPS', routes: ['taskManagement'] },
  'campaign.audit': { label: '审核群发任务', risk: 'HIGH', roles: 'MEDICAL_AUDIT', routes: ['taskManagement'] },
  'stat.view': { label: '查看随访统计', roles: 'CORPUS_OPS|ASSISTANT_LEAD|MEDICAL_AUDIT|AUDITOR', routes: ['corpus'] },
  'task.view': { label: '查看随访任务', roles: 'CORPUS_OPS|ASSISTANT|ASSISTANT_LEAD|MEDICAL_AUDIT|AUDITOR', routes: ['taskManagement'] },
  'task.handle': { label: '领取、处理随访任务', roles: 'CORPUS_OPS|ASSISTANT|ASSISTANT_LEAD', routes: ['taskManagement'] },
  'task.assign': { label: '分派随访任务', roles: 'CORPUS_OPS|ASSISTANT_LEAD', routes: ['taskManagement'] },
});
