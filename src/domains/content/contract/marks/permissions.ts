import { declarePermissions } from '#kernel/contract/permission.ts';

const page = { routes: ['markContent'] } as const;

export const markPermissions = declarePermissions('content', {
  'content.view': {
    label: '查看内容运营页面',
    roles: 'CORPUS_OPS|ASSISTANT|ASSISTANT_LEAD|DOCTOR_OPS|CHANNEL_OPS|MEDICAL_AUDIT|PRODUCT_OPS|SERVICE|AUDITOR',
    routes: ['bannerConfig', ...page.routes],
  },
  'mark.edit': { label: '维护标签组、标签与促销标签', roles: 'CORPUS_OPS', ...page },
  'mark.bind': { label: '打标与去标', roles: 'CORPUS_OPS|ASSISTANT|DOCTOR_OPS|CHANNEL_OPS|PRODUCT_OPS', ...page },
  'mark.sensitive': { label: '查看医疗类标签', risk: 'HIGH', roles: 'ASSISTANT_LEAD|MEDICAL_AUDIT', ...page },
  'content.export': { label: '导出内容运营列表', roles: 'CORPUS_OPS|AUDITOR', ...page },
});
