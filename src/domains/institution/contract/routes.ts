import { declareRoutes } from '#kernel/contract/route.ts';

const place = { trail: ['机构与药品'], menu: '机构与药品', kind: 'list' as const };

/** Made of definitions, in insurance's left menu. */
const config = { trail: ['保险业务', '系统配置'], menu: '保险业务', left: 'insurance' as const, kind: 'lowcode' as const };

/** Pages of institution; equal to docs/design/routes.csv and menus.md. */
export const institutionRoutes = declareRoutes('institution', [
  { ...place, path: '/hospitalManagementAudit', title: '医院审核', permission: 'institution.apply.view' },
  { ...place, path: '/hospitalManagementMaintenance', title: '医院维护', permission: 'institution.hospital.view' },
  { ...place, path: '/hospitalList', title: '医院列表', permission: 'institution.hospital.view' },
  { ...place, path: '/drugstoreManagement', title: '药店管理', permission: 'institution.store.view' },
  { ...config, path: '/tHospital', title: '医院数据', permission: 'institution.hospital.view' },
  { ...config, path: '/tDrugstore', title: '药店数据', permission: 'institution.store.view' },
]);
