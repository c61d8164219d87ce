import { declarePermissions } from '../../../kernel/contract/permission.ts';

export const corpusPermissions = declarePermissions('corpus', {
  'corpus.view': { label: '查看语料库', roles: 'CORPUS_OPS|ASSISTANT|ASSISTANT_LEAD|MEDICAL_AUDIT|AUDITOR', routes: ['corpus'] },
  'disease.edit': { label: '维护病种', roles: 'CORPUS_OPS', routes: ['corpus'] },
  'scene.edit': { label: '维护场景、条件、日程与周期', roles: 'CORPUS_OPS', routes: ['corpus'] },
  'run.view': {
    label: '查看随访实例与试运行',
    roles: 'CORPUS_OPS|ASSISTANT|ASSISTANT_LEAD|MEDICAL_AUDIT|AUDITOR',
    routes: ['corpus'],
  },
});
