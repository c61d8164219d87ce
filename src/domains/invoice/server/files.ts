import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { invoicePermissions as may } from '../contract/permissions.ts';
import { REFUND_VOUCHER } from '../contract/purposes.ts';
import { refundRecords } from './access.ts';

/** Says who may upload the files of this domain and who may read them. */
export function declareFiles(): void {
  definePurpose({
    code: REFUND_VOUCHER,
    label: '退款转账凭证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * 1024 * 1024,
    count: 1,
    sensitive: false,
    uploadPermissions: [may['refund.execute'].code],
  });
  registerOwner(refundRecords.type, {
    canRead: async ({ staff }) => staff.permissions.has(may['payment.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['payment.view'].code),
  });
}
