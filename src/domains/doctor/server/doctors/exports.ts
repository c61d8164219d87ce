import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { exportDoctorList, type DoctorRow } from '../../contract/calls/doctors.ts';
import { own } from '../database.ts';
import type { doctorList } from './list.ts';

/** Mobiles leave in full only in a plain export, which needs its own right and reason; the cell masks them otherwise. */
export const doctorExport = ({ secrets }: Pick<Kernel, 'secrets'>, list: ReturnType<typeof doctorList>) =>
  listExport(list, {
    call: exportDoctorList,
    title: '医生',
    routeKey: 'doctorManagement',
    columns: [
      'doctorNo',
      'name',
      'titleCode',
      {
        key: 'mobile',
        label: '手机号',
        width: 16,
        sensitive: 'mobile',
        value: (row: DoctorRow & { fullMobile: string }) => row.fullMobile,
      },
      'hospitalName',
      'departmentName',
      'region',
      'diseases',
      'qualState',
      'accountState',
      'acceptState',
      'openingCount',
      'assistantName',
      'channelName',
      'agentName',
      'certWarning',
      'sourceType',
      'createdAt',
    ],
    async widen(rows, { db }) {
      const stored = await own(db)
        .selectFrom('doctorDoctor')
        .select(['id', 'mobileCipher'])
        .where(
          'id',
          'in',
          rows.map(({ doctorId }) => doctorId),
        )
        .execute();
      const ciphers = new Map(stored.map(({ id, mobileCipher }) => [id, mobileCipher]));
      return rows.map((row) => ({ ...row, fullMobile: secrets.decrypt(ciphers.get(row.doctorId)!) }));
    },
  });
