import { sql } from 'kysely';
import { dayOf } from '../../../../kernel/contract/time.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportCertExpireList, type CertExpireRow } from '../../contract/certCalls.ts';
import { certTypes, titles } from '../../contract/dictionaries.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { certMachine, qualMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { expiring, filled, inOrder, present } from './expiring.ts';

const CHUNK = 1_000;
const columns: readonly ExportColumn<CertExpireRow>[] = [
  { key: 'doctorNo', label: '医生编号', width: 20, value: (row) => row.doctorNo },
  { key: 'name', label: '医生', value: (row) => row.name },
  { key: 'titleCode', label: '职称', dictionary: titles, value: (row) => row.titleCode },
  { key: 'qualState', label: '认证状态', dictionary: qualMachine.dictionary, value: (row) => row.qualState },
  { key: 'certType', label: '证件', dictionary: certTypes, value: (row) => row.certType },
  // Numbers of certificates stay in the house: they are masked wherever they are listed.
  { key: 'certNo', label: '证件编号', width: 30, value: (row) => row.certNo },
  { key: 'validTo', label: '有效期止', kind: 'day', value: (row) => row.validTo },
  { key: 'daysLeft', label: '剩余天数', kind: 'int', value: (row) => row.daysLeft },
  { key: 'hospitalName', label: '医院', width: 30, value: (row) => row.hospitalName },
  { key: 'departmentName', label: '科室', width: 16, value: (row) => row.departmentName },
  { key: 'state', label: '状态', dictionary: certMachine.dictionary, value: (row) => row.state },
  { key: 'lastReminded', label: '最近自动提醒（到期前天数）', kind: 'int', width: 28, value: (row) => row.lastReminded },
  { key: 'remindedOn', label: '人工提醒', kind: 'day', value: (row) => row.remindedOn },
];

export const certExport = exportSource({
  call: exportCertExpireList,
  title: '到期证件',
  routeKey: 'doctorManagement',
  permission: may['qual.export'].code,
  columns,
  count: ({ db, staff, filter, now }) => totalUpTo(own(db), expiring(own(db), filter, staff, dayOf(now))),
  async *chunks({ db, staff, filter, now }) {
    const today = dayOf(now);
    for (let last: CertExpireRow | undefined; ;) {
      let rows = expiring(own(db), filter, staff, today);
      if (last) rows = rows.where(sql<boolean>`(c.valid_to, c.id) > (${last.validTo}::date, ${last.certId}::bigint)`);
      const chunk = (await inOrder(filled(rows)).limit(CHUNK).execute()).map((row) => present(row, today));
      if (chunk.length === 0) return;
      yield chunk;
      last = chunk.at(-1);
    }
  },
});
