import { exportSource, type ExportColumn, type ExportSource } from '../../../../kernel/server/exporting/source.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import type { ExportReading } from '../../../../kernel/server/exporting/source.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { acceptStates, certTypes, sourceTypes, titles } from '../../contract/dictionaries.ts';
import { exportDoctorList, type DoctorRow } from '../../contract/doctorCalls.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { accountMachine, qualMachine } from '../../contract/states.ts';
import { countOf, own } from '../database.ts';
import { doctorChunks, matching, type Asking } from './list.ts';

interface ExportRow extends DoctorRow {
  fullMobile: string;
}

const columns: ExportColumn<ExportRow>[] = [
  { key: 'doctorNo', label: '医生编号', width: 20, value: (row) => row.doctorNo },
  { key: 'name', label: '姓名', value: (row) => row.name },
  { key: 'titleCode', label: '职称', dictionary: titles, value: (row) => row.titleCode },
  { key: 'mobile', label: '手机号', width: 16, sensitive: 'mobile', value: (row) => row.fullMobile },
  { key: 'hospitalName', label: '医院', width: 30, value: (row) => row.hospitalName },
  { key: 'departmentName', label: '科室', width: 16, value: (row) => row.departmentName },
  { key: 'region', label: '地区', width: 24, value: (row) => row.region },
  { key: 'diseases', label: '病种', width: 30, value: (row) => row.diseases.map(({ name }) => name).join('、') },
  { key: 'qualState', label: '认证状态', dictionary: qualMachine.dictionary, value: (row) => row.qualState },
  { key: 'accountState', label: '账号状态', dictionary: accountMachine.dictionary, value: (row) => row.accountState },
  { key: 'acceptState', label: '接诊', dictionary: acceptStates, value: (row) => row.acceptState },
  { key: 'openingCount', label: '已开通服务', kind: 'int', value: (row) => row.openingCount },
  { key: 'assistantName', label: '主医助', value: (row) => row.assistantName },
  { key: 'channelName', label: '渠道', width: 24, value: (row) => row.channelName },
  { key: 'agentName', label: '代表', value: (row) => row.agentName },
  {
    key: 'certWarning',
    label: '证件预警',
    width: 30,
    value: (row) => (row.certWarning === null ? '' : `${certTypes.label(row.certWarning.certType)} ${row.certWarning.validTo}`),
  },
  { key: 'sourceType', label: '来源', dictionary: sourceTypes, value: (row) => row.sourceType },
  { key: 'createdAt', label: '注册时间', kind: 'instant', width: 20, value: (row) => row.createdAt },
];

const asking = ({ staff, now }: ExportReading): Asking => ({
  staff,
  today: dayOf(now),
  has: (permission) => staff.permissions.has(typeof permission === 'string' ? permission : permission.code),
});

/** Mobiles leave in full only in a plain export, which needs its own right and reason; the cell masks them otherwise. */
export const doctorExport = ({ secrets }: Pick<Kernel, 'secrets'>): ExportSource =>
  exportSource({
    call: exportDoctorList,
    title: '医生',
    routeKey: 'doctorManagement',
    permission: doctorPermissions['doctor.export'].code,
    columns,
    count: ({ db, filter, staff, now }) => countOf(matching(own(db), secrets, filter, staff, dayOf(now))),
    async *chunks(reading) {
      for await (const rows of doctorChunks(reading.db, secrets, reading.filter, asking(reading))) {
        const stored = await own(reading.db)
          .selectFrom('doctorDoctor')
          .select(['id', 'mobileCipher'])
          .where(
            'id',
            'in',
            rows.map(({ doctorId }) => doctorId),
          )
          .execute();
        const ciphers = new Map(stored.map(({ id, mobileCipher }) => [id, mobileCipher]));
        yield rows.map((row): ExportRow => ({ ...row, fullMobile: secrets.decrypt(ciphers.get(row.doctorId)!) }));
      }
    },
  });
