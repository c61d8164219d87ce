import { sql } from 'kysely';
import { platformErrors } from '../../../../kernel/contract/errors.ts';
import { daysBetween, plusDays, startOfDay, type Day } from '../../../../kernel/contract/time.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import { command, query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { queryCertExpireList, remindCert, type CertExpireRow } from '../../contract/certCalls.ts';
import { certMachine, type CertState } from '../../contract/states.ts';
import { seesDoctor, type Viewer } from '../access.ts';
import { like, own, ownTx, type DoctorDb } from '../database.ts';
import { CERT_TARGET, tellCert } from './expireJob.ts';

type Filter = Omit<CheckedInputOf<typeof queryCertExpireList>, 'pageNo' | 'pageSize'>;

/** Certificates in force that end within the days asked for, and ended ones that nothing replaced. */
function expiring(db: DoctorDb, filter: Filter, viewer: Viewer, today: Day) {
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
const filled = (rows: ReturnType<typeof expiring>) =>
  rows.select([
    'c.id as certId', 'c.doctorId', 'd.doctorNo', 'd.name', 'd.titleCode', 'd.hospitalName', 'd.departmentName', 'd.qualState', 'c.certType', 'c.certNoMasked as certNo', sql<Day>`c.valid_to`.as('validTo'), 'c.state', 'c.remindedDays',
    'c.remindedByHandOn as remindedOn',
    sql<string | null>`(select q.id::text from doctor_qual_apply q where q.doctor_id = d.id and q.state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'))`.as('openApplyId'),
  ]);
type Raw = Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>;

const present = ({ remindedDays, ...row }: Raw, today: Day): CertExpireRow => ({
  ...row, daysLeft: daysBetween(today, row.validTo), lastReminded: remindedDays.at(-1) ?? null,
  // CHECK constraints of the tables hold the codes to the dictionaries.
  titleCode: row.titleCode as CertExpireRow['titleCode'], qualState: row.qualState as CertExpireRow['qualState'], certType: row.certType as CertExpireRow['certType'], state: row.state as CertExpireRow['state'],
});

/** How long until a certificate may be reminded of again, in the wording of SCM90011. */
const tooFrequent = (now: string, today: Day) => platformErrors.TOO_FREQUENT.text.replace('{n}', String(Math.ceil((Date.parse(startOfDay(plusDays(today, 1))) - Date.parse(now)) / 1000)));

export const certHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryCertExpireList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const rows = expiring(own(ctx.db), filter, ctx.staff, ctx.today);
    const page = await filled(rows).orderBy('c.validTo').orderBy('c.id').limit(pageSize).offset(offsetOf({ pageNo, pageSize })).execute();
    return { rows: page.map((row) => present(row, ctx.today)), total: await totalUpTo(own(ctx.db), rows) };
  }),
  command(remindCert, async ({ certIds }, ctx) => {
    const ids = [...new Set(certIds)];
    const rows = await filled(expiring(ownTx(ctx.tx), { days: 3650 }, ctx.staff, ctx.today)).where('c.id', 'in', ids).execute();
    const results = [];
    for (const id of ids) {
      const raw = rows.find(({ certId }) => certId === id);
      if (!raw) {
        results.push({ id, name: '', ok: false, message: '证件不存在或无需提醒' });
        continue;
      }
      const marked = await ownTx(ctx.tx)
        .updateTable('doctorCert')
        .set({ remindedByHandOn: ctx.today, updatedAt: ctx.now })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('remindedByHandOn', 'is', null), eb('remindedByHandOn', '<>', ctx.today)]))
        .returning('id')
        .executeTakeFirst();
      if (marked) {
        const row = present(raw, ctx.today);
        await moveState(ctx, certMachine, { targetType: CERT_TARGET, targetId: id, action: 'remind', from: raw.state as CertState });
        await tellCert(ctx, kernel, { ...row, id }, `doctor.cert.hand:${id}:${ctx.today}`);
      }
      results.push({ id, name: raw.name, ok: marked !== undefined, message: marked ? '已发送' : tooFrequent(ctx.now, ctx.today) });
    }
    return results;
  }),
];
