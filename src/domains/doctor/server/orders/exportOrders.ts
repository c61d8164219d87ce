import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { exportPayConsultationList, type ConsultOrderRow } from '../../contract/calls/consultOrders.ts';
import { own } from '../database.ts';
import type { OrderList } from './list.ts';

interface ExportRow extends ConsultOrderRow {
  fullName: string;
  fullMobile: string | null;
}

/** Names and numbers are deciphered for the cell, which masks them unless plain text was asked for. */
export const orderExport = ({ secrets }: Pick<Kernel, 'secrets'>, list: OrderList) =>
  listExport(list, {
    call: exportPayConsultationList,
    title: '付费咨询',
    routeKey: 'payConsultation',
    columns: [
      'orderNo',
      { key: 'patientName', label: '患者', sensitive: 'name', value: (row: ExportRow) => row.fullName },
      { key: 'patientMobile', label: '患者手机号', width: 14, sensitive: 'mobile', value: (row: ExportRow) => row.fullMobile },
      'doctorNo',
      'doctorName',
      'itemName',
      'itemType',
      'channelName',
      'discountSource',
      'priceFen',
      'discountFen',
      'payFen',
      'refundedFen',
      'state',
      'payChannel',
      'slotAt',
      'assistantName',
      'createdAt',
      'paidAt',
    ],
    async widen(rows, { db }) {
      const stored = await own(db)
        .selectFrom('doctorConsultOrder')
        .select(['id', 'patientNameCipher', 'patientMobileCipher'])
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const ciphers = new Map(stored.map((row) => [row.id, row]));
      return rows.map((row): ExportRow => {
        const cipher = ciphers.get(row.id)!;
        return {
          ...row,
          fullName: secrets.decrypt(cipher.patientNameCipher),
          fullMobile: cipher.patientMobileCipher === null ? null : secrets.decrypt(cipher.patientMobileCipher),
        };
      });
    },
  });
