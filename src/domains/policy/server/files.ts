import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { listPermissions, policyPermissions as may, premiumPermissions } from '../contract/permissions.ts';
import { POLICY_ENDORSE, POLICY_LIST, POLICY_VOUCHER } from '../contract/purposes.ts';

const MB = 1024 * 1024;

/** Says who may upload the files of this domain and who may read them. */
export function declareFiles(): void {
  definePurpose({
    code: POLICY_ENDORSE,
    label: '批单依据',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * MB,
    count: 10,
    sensitive: true,
    uploadPermissions: [may['endorse.make'].code],
  });
  definePurpose({
    code: POLICY_VOUCHER,
    label: '保费凭证',
    types: ['jpg', 'png', 'pdf', 'xlsx'],
    maxSize: 20 * MB,
    count: 10,
    sensitive: true,
    uploadPermissions: [premiumPermissions['premium.make'].code],
  });
  definePurpose({
    code: POLICY_LIST,
    label: '被保人清单',
    types: ['xlsx', 'csv'],
    maxSize: 100 * MB,
    count: 1,
    sensitive: true,
    uploadPermissions: [listPermissions['batch.import'].code, listPermissions['template.edit'].code],
  });
  registerOwner('policy.batch', {
    canRead: async ({ staff }) => staff.permissions.has(listPermissions['batch.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(listPermissions['batch.import'].code),
  });
  registerOwner('policy.premiumOrder', {
    canRead: async ({ staff }) => staff.permissions.has(premiumPermissions['premium.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(premiumPermissions['premium.view'].code),
  });
  registerOwner('policy.endorsement', {
    canRead: async ({ staff }) => staff.permissions.has(may['policy.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['policy.view'].code),
  });
}
