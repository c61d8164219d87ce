import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { settlementPermissions as may } from '../contract/permissions.ts';
import { INCOME_ADJUST, PAYOUT_PROOF, PERF_PROOF, PROGRAM_AGREEMENT } from '../contract/purposes.ts';

/** Says who may upload the files of this domain and who may read them. */
export function declareFiles(): void {
  definePurpose({
    code: INCOME_ADJUST,
    label: '人工调整依据',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * 1024 * 1024,
    count: 3,
    sensitive: false,
    uploadPermissions: [may['income.adjust'].code],
  });
  definePurpose({
    code: PAYOUT_PROOF,
    label: '银行凭证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * 1024 * 1024,
    count: 3,
    sensitive: false,
    uploadPermissions: [may['payout.result'].code],
  });
  registerOwner('settlement.payoutItem', {
    canRead: async ({ staff }) => staff.permissions.has(may['payout.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['payout.view'].code),
  });
  definePurpose({
    code: PROGRAM_AGREEMENT,
    label: '激励项目合作协议',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * 1024 * 1024,
    count: 5,
    sensitive: false,
    uploadPermissions: [may['program.edit'].code],
  });
  registerOwner('settlement.program', {
    canRead: async ({ staff }) => staff.permissions.has(may['program.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['program.view'].code),
  });
  registerOwner('settlement.adjust', {
    canRead: async ({ staff }) => staff.permissions.has(may['income.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['income.view'].code),
  });
  definePurpose({
    code: PERF_PROOF,
    label: '绩效关系变更依据',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * 1024 * 1024,
    count: 5,
    sensitive: false,
    uploadPermissions: [may['perf.edit'].code],
  });
  registerOwner('settlement.perfChange', {
    canRead: async ({ staff }) => staff.permissions.has(may['perf.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['perf.view'].code),
  });
}
