import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { daysBetween, plusDays, type Day } from '../../../../kernel/contract/time.ts';
import type { CertExpireRow, queryCertExpireList } from '../../contract/certCalls.ts';
import { seesDoctor, type Viewer } from '../access.ts';
import { like, type DoctorDb } from '../database.ts';

type Filter = Omit<CheckedInputOf<typeof queryCertExpireList>, 'pageNo' | 'pageSize'>;

/** Certificates in force that end within the days asked for, and ended ones that nothing replaced. */
export function expiring(db: DoctorDb, filter: Filter, viewer: Viewer, today: Day) {
  let rows = db
    .selectFrom('doctorCert as c')
    .innerJoin('doctorDoctor as d', 'd.id', 'c.doctorId')
    .where(seesDoctor(viewer))
    .where('d.accountState', '<>', 'CANCELLED')
    .where('c.state', 'in', ['VALID', 'EXPIRED'])
    .where('c.validTo', '<=', plusDays(today, filter.days));
  if (filter.expired !== undefined) rows = filter.expired ? rows.where('c.validTo', '<', today) : rows.where('c.validTo', '>=', today);
  if (filter.certType?.length) rows = rows.where('c.certType', 'in', filter.certType);
  const { name } = filter;
  if (name) rows = rows.where(sql<boolean>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${like(name)}`);
  if (filter.hospitalId) rows = rows.where('d.hospitalId', '=', filter.hospitalId);
  return rows;
}
export const filled = (rows: ReturnType<typeof expiring>) =>
  rows.select([
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
    sql<Day>`c.valid_to`.as('validTo'),
    'c.state',
    'c.remindedDays',
    'c.remindedByHandOn as remindedOn',
    sql<
      string | null
    >`(select q.id::text from doctor_qual_apply q where q.doctor_id = d.id and q.state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'))`.as(
      'openApplyId',
    ),
  ]);
type Raw = Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>;

export const present = ({ remindedDays, ...row }: Raw, today: Day): CertExpireRow => ({
  ...row,
  daysLeft: daysBetween(today, row.validTo),
  lastReminded: remindedDays.at(-1) ?? null,
  // CHECK constraints of the tables hold the codes to the dictionaries.
});

/** The end that comes first stands first. */
export const inOrder = (rows: ReturnType<typeof filled>) => rows.orderBy('c.validTo').orderBy('c.id');
