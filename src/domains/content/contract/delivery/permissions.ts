import { declareMachinePermissions, declarePermissions } from '#kernel/contract/permission.ts';

const banners = { routes: ['bannerConfig'] } as const;
const adverts = { routes: ['advertiseManage'] } as const;

export const deliveryPermissions = declarePermissions('content', {
  'banner.edit': { label: '编辑Banner', roles: 'CORPUS_OPS', ...banners },
  'banner.audit': { label: '审核Banner', roles: 'MEDICAL_AUDIT', ...banners, decides: { document: 'Banner', of: ['banner.edit'] } },
});
export const advertPermissions = declarePermissions('content', {
  'ad.edit': { label: '编辑广告', roles: 'CORPUS_OPS', ...adverts },
  'ad.audit': { label: '审核广告', risk: 'HIGH', roles: 'MEDICAL_AUDIT', ...adverts, decides: { document: '广告', of: ['ad.edit'] } },
  'stat.view': { label: '查看投放统计', roles: 'CORPUS_OPS|MEDICAL_AUDIT|AUDITOR', routes: ['advertiseManage', 'bannerConfig'] },
});

/** What machine callers may be given of content. */
export const contentMachinePermissions = declareMachinePermissions('content', {
  view: { label: '系统调用：查询用户页面内容', risk: 'NORMAL' },
});
