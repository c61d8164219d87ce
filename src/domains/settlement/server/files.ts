import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { settlementPermissions as may } from '../contract/permissions.ts';
import { INCOME_ADJUST, PAYOUT_PROOF } from '../contract/purposes.ts';

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
  registerOwner('settlement.adjust', {
    canRead: async ({ staff }) => staff.permissions.has(may['income.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['income.view'].code),
  });
}
