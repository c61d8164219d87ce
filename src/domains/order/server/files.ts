import { definePurpose, registerOwner, type Reader } from '#domains/files/server/index.ts';
import { orderMachinePermissions, orderPermissions as may } from '../contract/permissions.ts';
import { AFTER_SALE_PROOF, MANUAL_PROOF, ORDER_RX, SUPPLIER_LICENCE, TEMPERATURE_RECORD } from '../contract/purposes.ts';
import { supplierRecords } from './access.ts';
import { afterSaleRecords } from './afterSales/access.ts';
import { manualRecords } from './manual/access.ts';
import { orderRecords } from './orders/access.ts';
import { SHIPMENT_TARGET } from './logistics/access.ts';

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
  definePurpose({
    code: ORDER_RX,
    label: '处方',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * 1024 * 1024,
    count: 9,
    sensitive: true,
    uploadPermissions: [orderMachinePermissions.create.code],
  });
  definePurpose({
    code: AFTER_SALE_PROOF,
    label: '售后凭证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * 1024 * 1024,
    count: 9,
    sensitive: false,
    uploadPermissions: [may['afterSale.make'].code],
  });
  registerOwner(afterSaleRecords.type, {
    canRead: async ({ db, staff }: Reader, id) =>
      staff.permissions.has(may['order.view'].code) &&
      (await afterSaleRecords.seen(db, staff).select('a.id').where('a.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['order.view'].code),
  });
  definePurpose({
    code: TEMPERATURE_RECORD,
    label: '温控记录',
    types: ['jpg', 'png', 'pdf', 'xlsx', 'csv'],
    maxSize: 10 * 1024 * 1024,
    count: 1,
    sensitive: false,
    uploadPermissions: [may['fulfilment.ship'].code],
  });
  registerOwner(SHIPMENT_TARGET, {
    canRead: async ({ staff }) => staff.permissions.has(may['order.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['order.view'].code),
  });
  registerOwner(orderRecords.type, {
    canRead: async ({ db, staff }: Reader, id) =>
      staff.permissions.has(may['order.view'].code) &&
      (await orderRecords.seen(db, staff).select('o.id').where('o.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['rx.audit'].code) || staff.permissions.has(may['order.reveal'].code),
  });
  definePurpose({
    code: MANUAL_PROOF,
    label: '手工订单凭证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * 1024 * 1024,
    count: 9,
    sensitive: true,
    uploadPermissions: [may['manual.edit'].code],
  });
  registerOwner(manualRecords.type, {
    canRead: async ({ db, staff }: Reader, id) =>
      staff.permissions.has(may['manual.view'].code) &&
      (await manualRecords.seen(db, staff).select('m.id').where('m.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) =>
      staff.permissions.has(may['manual.edit'].code) || staff.permissions.has(may['manual.review'].code),
  });
  registerOwner(supplierRecords.type, {
    canRead: async ({ staff }) => staff.permissions.has(may['supplier.view'].code),
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['supplier.view'].code),
  });
}
