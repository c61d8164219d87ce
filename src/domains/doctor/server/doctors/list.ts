import { sql } from 'kysely';
import type { CheckedInputOf, Page } from '../../../../kernel/contract/call.ts';
import { daysBetween, plusDays, type Day } from '../../../../kernel/contract/time.ts';
import { regionPrefix } from '../../../../kernel/server/auth/scope.ts';
import type { Context, Db } from '../../../../kernel/server/context.ts';
import { newest, onePage, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import { regionsOf } from '../../../identity/server/index.ts';
import type { CertType } from '../../contract/dictionaries.ts';
import type { DoctorRow, queryDoctorList } from '../../contract/doctorCalls.ts';
import { accountMachine } from '../../contract/states.ts';
import { doctorsSeen, type Viewer } from '../access.ts';
import { like, own, type DoctorDb } from '../database.ts';
import { portraitOf } from './files.ts';
import { mobileHashOf } from './person.ts';
import { regionText } from './regionText.ts';

export const WARNED_DAYS = 60;
export type DoctorFilter = Omit<CheckedInputOf<typeof queryDoctorList>, 'pageNo' | 'pageSize'>;
export type Asking = Pick<Context, 'has' | 'today'> & { staff: Viewer };

/** Doctors that fit the filters, within what the user may see. */
export function matching(db: DoctorDb, secrets: Secrets, filter: DoctorFilter, viewer: Viewer, today: Day) {
  let query = doctorsSeen(db, viewer);
  const { name } = filter;
  if (filter.doctorNo) query = query.where('d.doctorNo', '=', filter.doctorNo.trim().toUpperCase());
  if (name) query = query.where(sql<boolean>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${like(name)}`);
  if (filter.mobile) query = query.where('d.mobileHash', '=', mobileHashOf(secrets, filter.mobile.trim()));
  if (filter.hospitalId) query = query.where('d.hospitalId', '=', filter.hospitalId);
  if (filter.departmentId) query = query.where('d.departmentId', '=', filter.departmentId);
  const dept = filter.standardDeptCode;
  if (dept) query = query.where((eb) => eb.or([eb('d.standardDeptCode', '=', dept), eb('d.standardDeptCode', 'like', `${dept}.%`)]));
  if (filter.titleCode?.length) query = query.where('d.titleCode', 'in', filter.titleCode);
  if (filter.qualState?.length) query = query.where('d.qualState', 'in', filter.qualState);
  if (filter.accountState?.length) query = query.where('d.accountState', 'in', filter.accountState);
  if (filter.acceptState) query = query.where('d.acceptState', '=', filter.acceptState);
  if (filter.adcode) query = query.where('d.adcode', 'like', `${regionPrefix(filter.adcode)}%`);
  if (filter.diseaseId) query = query.where(sql<boolean>`d.disease_ids @> array[${filter.diseaseId}]::bigint[]`);
  if (filter.channelId) query = query.where('d.channelId', '=', filter.channelId);
  if (filter.certExpireWithin !== undefined) {
    const until = plusDays(today, filter.certExpireWithin);
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('doctorCert as c')
          .select('c.id')
          .whereRef('c.doctorId', '=', 'd.id')
          .where('c.state', '=', 'VALID')
          .where('c.validTo', '<=', until),
      ),
    );
  }
  if (filter.registeredFrom) query = query.where('d.createdAt', '>=', filter.registeredFrom);
  if (filter.registeredTo) query = query.where('d.createdAt', '<=', filter.registeredTo);
  if (filter.recommended !== undefined) {
    const shown = sql<boolean>`exists (select 1 from doctor_recommendation r where r.doctor_id = d.id and r.state = 'ON')`;
    query = query.where(filter.recommended ? shown : sql<boolean>`not ${shown}`);
  }
  return query;
}

const warnedUntil = (today: Day) => plusDays(today, WARNED_DAYS);

const filled = (query: ReturnType<typeof matching>, today: Day) =>
  query.select([
    'd.id as doctorId',
    'd.doctorNo',
    'd.operatorId',
    'd.name',
    'd.avatarFileId',
    'd.titleCode',
    'd.mobileMasked as mobile',
    'd.hospitalId',
    'd.hospitalName',
    'd.departmentName',
    'd.adcode',
    'd.qualState',
    'd.accountState',
    'd.practiceOk',
    'd.acceptState',
    'd.offUntil',
    'd.channelId',
    'd.sourceType',
    'd.createdAt',
    'd.version',
    sql<boolean>`(d.hospital_apply_id is not null)`.as('hospitalPending'),
    sql<
      { id: string; name: string }[]
    >`coalesce((select jsonb_agg(jsonb_build_object('id', r.ref_id::text, 'name', r.name) order by r.ref_id) from doctor_ref_copy r where r.kind = 'DISEASE' and r.ref_id = any(d.disease_ids)), '[]')`.as(
      'diseases',
    ),
    sql<number>`(select count(*)::int from doctor_service_opening o where o.doctor_id = d.id and o.state = 'ON')`.as('openingCount'),
    sql<
      string | null
    >`(select a.name from doctor_assistant_bind b join doctor_assistant a on a.id = b.assistant_id where b.doctor_id = d.id and b.ended_at is null and b.role = 'PRIMARY')`.as(
      'assistantName',
    ),
    sql<string | null>`(select r.name from doctor_ref_copy r where r.kind = 'CHANNEL' and r.ref_id = d.channel_id)`.as('channelName'),
    sql<string | null>`(select r.name from doctor_ref_copy r where r.kind = 'AGENT' and r.ref_id = d.agent_id)`.as('agentName'),
    sql<{
      certType: CertType;
      validTo: Day;
    } | null>`(select jsonb_build_object('certType', c.cert_type, 'validTo', c.valid_to) from doctor_cert c
      where c.doctor_id = d.id and c.state in ('VALID', 'EXPIRED') and c.valid_to <= ${warnedUntil(today)} order by c.valid_to, c.id limit 1)`.as(
      'certWarning',
    ),
    sql<
      string | null
    >`(select q.id::text from doctor_qual_apply q where q.doctor_id = d.id and q.state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'))`.as(
      'openApplyId',
    ),
  ]);
type Raw = Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>;

async function present(
  db: Db,
  rows: readonly Raw[],
  asking: Asking,
  avatarOf: (fileId: string | null) => DoctorRow['avatar'] = () => null,
): Promise<DoctorRow[]> {
  const regions = await regionsOf(
    db,
    rows.flatMap(({ adcode }) => adcode ?? []),
  );
  return rows.map((row) =>
    Object.assign(row, {
      avatar: avatarOf(row.avatarFileId),
      region: row.adcode === null ? '' : regionText(regions, row.adcode),
      // CHECK constraints of the table hold the codes to the dictionaries.
      titleCode: row.titleCode,
      qualState: row.qualState,
      accountState: row.accountState,
      acceptState: row.acceptState,
      sourceType: row.sourceType,
      certWarning: row.certWarning === null ? null : { ...row.certWarning, daysLeft: daysBetween(asking.today, row.certWarning.validTo) },
      allowedActions: accountMachine.allowed(row.accountState, (permission) => asking.has(permission)),
    }),
  );
}

/** Newest first. */
export async function listDoctors(
  kernel: Kernel,
  db: Db,
  filter: DoctorFilter,
  asking: Asking & Pick<Context, 'now'>,
  paging: { pageNo: number; pageSize: number },
): Promise<Page<DoctorRow>> {
  const query = matching(own(db), kernel.secrets, filter, asking.staff, asking.today);
  const total = await totalUpTo(own(db), query);
  if (total === 0) return { rows: [], total };
  const rows = await filled(query, asking.today)
    .orderBy(newest('d.id', total), 'desc')
    .$call(onePage(paging, filter, asking.staff))
    .execute();
  return { rows: await present(db, rows, asking, (fileId) => portraitOf(kernel, fileId, asking.now)), total };
}

export async function* doctorChunks(db: Db, secrets: Secrets, filter: DoctorFilter, asking: Asking): AsyncGenerator<DoctorRow[]> {
  const query = filled(matching(own(db), secrets, filter, asking.staff, asking.today), asking.today)
    .select('d.id')
    .orderBy('d.id', 'desc');
  for await (const rows of chunksDown((before, limit) => query.where('d.id', '<', before).limit(limit).execute()))
    yield await present(db, rows, asking);
}
