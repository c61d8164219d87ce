import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { orderPermissions as may } from '../contract/permissions.ts';
import { SUPPLIER_LICENCE } from '../contract/purposes.ts';
import { supplierRecords } from './access.ts';

/** Says who may upload the files of this domain and who may read them. */
export function declareFiles(): void {
  definePurpose({
    code: SUPPLIER_LICENCE,
    label: '药品经营许可证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * 1024 * 1024,
    count: 5,
    sensitive: false,
    uploadPermissions: [may['supplier.edit'].code],
  });
  registerOwner(supplierRecords.type, {
    canRead: async ({ staff }) => staff.permissions.has(may['supplier.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['supplier.view'].code),
  });
}
