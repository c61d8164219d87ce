import { declarePermissions } from '#kernel/contract/permission.ts';

const page = { routes: ['bannerConfig'] } as const;

export const floorPermissions = declarePermissions('content', {
  'page.edit': { label: '编辑页面楼层', roles: 'CORPUS_OPS', ...page },
  'page.audit': { label: '审核与回滚页面楼层', roles: 'MEDICAL_AUDIT', ...page, decides: { document: '页面楼层', of: ['page.edit'] } },
});
