import { declarePermissions } from '#kernel/contract/permission.ts';

const routes = ['downloadList'];

/** Rights of files; equal to docs/design/permissions.csv. Uploads and imports are judged by their purpose's and importer's own. */
export const filePermissions = declarePermissions('files', {
  'object.manage': { label: '查看全部文件', roles: 'AUDITOR|SYS_ADMIN', routes },
  'object.remove': { label: '删除文件', risk: 'HIGH', roles: 'SYS_ADMIN', routes },
  'task.viewAll': { label: '查看全部导入导出任务', roles: 'AUDITOR|SYS_ADMIN', routes },
  'task.manage': { label: '取消他人任务并查看存储用量', roles: 'SYS_ADMIN', routes },
  'export.plain': { label: '导出敏感信息明文', risk: 'HIGH', roles: 'ENROL_LEAD|CLAIM_LEAD|PRODUCT_AUDIT|FINANCE_LEAD', routes },
});
