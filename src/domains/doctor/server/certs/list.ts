import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type SelectQueryBuilder } from 'kysely';
import { daysBetween, plusDays, type Day } from '#kernel/contract/time.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportCertExpireList, queryCertExpireList, type CertExpireRow } from '../../contract/calls/certs.ts';
import { seesDoctor } from '../access.ts';
import { own, type DoctorTables } from '../database.ts';

interface Raw extends Omit<CertExpireRow, 'validTo' | 'daysLeft' | 'lastReminded'> {
  validTo: Day;
  remindedDays: number[];
}
type Joined = DoctorTables & { c: DoctorTables['doctorCert']; d: DoctorTables['doctorDoctor'] };

/** CHECK constraints of the tables hold the codes to the dictionaries. */
export const certColumns = (query: SelectQueryBuilder<Joined, 'c' | 'd', object>) =>
  query
    .select([
      'c.id as certId',
      'c.doctorId',
      'd.doctorNo',
      'd.name',
      'd.titleCode',
      'd.hospitalName',
      'd.departmentName',
      'd.qualState',
      'c.certType',
      'c.certNoMasked as certNo',
      'c.validTo',
      'c.state',
      'c.remindedDays',
      'c.remindedByHandOn as remindedOn',
      sql<string | null>`(
        select q.id::text from doctor_qual_apply q where q.doctor_id = d.id and q.state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED')
      )`.as('openApplyId'),
    ])
    .$castTo<Raw>();

export const presentCert = ({ remindedDays, ...row }: Raw, today: Day): CertExpireRow => ({
  ...row,
  daysLeft: daysBetween(today, row.validTo),
  lastReminded: remindedDays.at(-1) ?? null,
});

/**
 * Certificates in force that end within the days asked for, and ended ones that nothing replaced. The end that comes
 * first stands first.
 */
export const certList = listOf(queryCertExpireList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('doctorCert as c')
      .innerJoin('doctorDoctor as d', 'd.id', 'c.doctorId')
      .where(seesDoctor(staff))
      .where('d.accountState', '<>', 'CANCELLED')
      .where('c.state', 'in', ['VALID', 'EXPIRED']),
  )
  .with({
    where: {
      certType: 'c.certType',
      days: (eb, days, { today }) => eb('c.validTo', '<=', plusDays(today, days)),
      expired: (eb, expired, { today }) => eb('c.validTo', expired ? '<' : '>=', today),
      name: (_eb, name) => sql<boolean>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${containsPattern(name)}`,
      hospitalId: 'd.hospitalId',
    },
    id: 'c.id',
    unsorted: 'a queue: what expires first stands first',
    order: [['c.validTo', 'asc']],
    select: certColumns,
    present: (rows, { today }) => rows.map((row) => presentCert(row, today)),
  });

export const certExport = listExport(certList, {
  call: exportCertExpireList,
  title: '到期证件',
  routeKey: 'doctorManagement',
  columns: [
    'doctorNo',
    'name',
    'titleCode',
    'qualState',
    'certType',
    // Numbers of certificates stay in the house: they are masked wherever they are listed.
    'certNo',
    'validTo',
    'daysLeft',
    'hospitalName',
    'departmentName',
    'state',
    'lastReminded',
    'remindedOn',
  ],
});
