import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { exportPayConsultationList, type ConsultOrderRow } from '../../contract/consultOrderCalls.ts';
import { discountSources, itemTypes, payChannels } from '../../contract/dictionaries.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { orderQuery, presentOrders } from './list.ts';

interface ExportRow extends ConsultOrderRow {
  fullName: string;
  fullMobile: string | null;
}

const columns: readonly ExportColumn<ExportRow>[] = [
  { key: 'orderNo', label: '订单号', width: 20, value: (row) => row.orderNo },
  { key: 'patientName', label: '患者', sensitive: 'name', value: (row) => row.fullName },
  { key: 'patientMobile', label: '患者手机号', width: 14, sensitive: 'mobile', value: (row) => row.fullMobile },
  { key: 'doctorNo', label: '医生编号', width: 18, value: (row) => row.doctorNo },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'itemName', label: '服务', width: 20, value: (row) => row.itemName },
  { key: 'itemType', label: '服务类型', dictionary: itemTypes, value: (row) => row.itemType },
  { key: 'channelName', label: '渠道', width: 24, value: (row) => row.channelName },
  { key: 'discountSource', label: '优惠来源', dictionary: discountSources, value: (row) => row.discountSource },
  { key: 'priceFen', label: '原价（元）', kind: 'money', value: (row) => row.priceFen },
  { key: 'discountFen', label: '优惠（元）', kind: 'money', value: (row) => row.discountFen },
  { key: 'payFen', label: '实付（元）', kind: 'money', value: (row) => row.payFen },
  { key: 'refundedFen', label: '已退（元）', kind: 'money', value: (row) => row.refundedFen },
  { key: 'state', label: '状态', dictionary: consultOrderMachine.dictionary, value: (row) => row.state },
  { key: 'payChannel', label: '支付渠道', dictionary: payChannels, value: (row) => row.payChannel },
  { key: 'slotAt', label: '预约时间', kind: 'instant', value: (row) => row.slotAt },
  { key: 'assistantName', label: '医助', value: (row) => row.assistantName },
  { key: 'createdAt', label: '下单时间', kind: 'instant', value: (row) => row.createdAt },
  { key: 'paidAt', label: '支付时间', kind: 'instant', value: (row) => row.paidAt },
];

/** Orders in the list's order; names and numbers are deciphered for the cell, which masks them unless plain text was asked for. */
export const orderExport = (kernel: Kernel) =>
  exportSource({
    call: exportPayConsultationList,
    title: '付费咨询',
    routeKey: 'payConsultation',
    permission: doctorPermissions['consult.export'].code,
    columns,
    count: ({ db, staff, filter, now }) => totalUpTo(own(db), orderQuery(kernel, db, staff, filter, now)),
    async *chunks({ db, staff, filter, now }) {
      for await (const rows of chunksDown((before, limit) =>
        presentOrders(db, orderQuery(kernel, db, staff, filter, now).where('o.id', '<', before), { limit, offset: 0 }),
      )) {
        const ciphers = new Map(
          (
            await own(db)
              .selectFrom('doctorConsultOrder')
              .select(['id', 'patientNameCipher', 'patientMobileCipher'])
              .where(
                'id',
                'in',
                rows.map(({ id }) => id),
              )
              .execute()
          ).map((row) => [row.id, row]),
        );
        yield rows.map((row): ExportRow => {
          const cipher = ciphers.get(row.id)!;
          return {
            ...row,
            fullName: kernel.secrets.decrypt(cipher.patientNameCipher),
            fullMobile: cipher.patientMobileCipher === null ? null : kernel.secrets.decrypt(cipher.patientMobileCipher),
          };
        });
      }
    },
  });
