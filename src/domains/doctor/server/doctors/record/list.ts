import { containsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import { daysBetween, plusDays, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { from, inRegion, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listOf, type ListAsk } from '#kernel/server/list/listOf.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import type { CertType } from '../../../contract/dictionaries.ts';
import { queryDoctorList, type DoctorRow, exportDoctorList } from '../../../contract/calls/doctors.ts';
import { listedFacts } from '../../../contract/qualFields.ts';
import { accountMachine } from '../../../contract/states.ts';
import { doctorsSeen, seesDoctor } from '../../access.ts';
import { own } from '../../database.ts';
import { desk } from '../../qual/desk.ts';
import { portraitOf } from '../entry/files.ts';
import { mobileHashOf } from '../entry/person.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { listExport } from '#kernel/server/list/listExport.ts';

const WARNED_DAYS = 60;

const warnedUntil = (today: Day) => plusDays(today, WARNED_DAYS);

const doctorColumns = (query: ReturnType<typeof doctorsSeen>, today: Day) =>
  query.select(listedFacts.map((key) => `d.${key}` as const)).select([
    'd.id as doctorId',
    'd.doctorNo',
    'd.operatorId',
    'd.name',
    'd.avatarFileId',
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
    sql<{ id: string; name: string }[]>`
      coalesce((
        select jsonb_agg(jsonb_build_object('id', r.ref_id::text, 'name', r.name) order by r.ref_id)
          from doctor_ref_copy r
          where r.kind = 'DISEASE' and r.ref_id = any(d.disease_ids)
      ), '[]')`.as('diseases'),
    sql<number>`(select count(*)::int from doctor_service_opening o where o.doctor_id = d.id and o.state = 'ON')`.as('openingCount'),
    sql<string | null>`(
      select a.name
        from doctor_assistant_bind b
        join doctor_assistant a on a.id = b.assistant_id
        where b.doctor_id = d.id and b.ended_at is null and b.role = 'PRIMARY'
    )`.as('assistantName'),
    sql<string | null>`(select r.name from doctor_ref_copy r where r.kind = 'CHANNEL' and r.ref_id = d.channel_id)`.as('channelName'),
    sql<string | null>`(select r.name from doctor_ref_copy r where r.kind = 'AGENT' and r.ref_id = d.agent_id)`.as('agentName'),
    sql<{
      certType: CertType;
      validTo: Day;
    } | null>`(
      select jsonb_build_object('certType', c.cert_type, 'validTo', c.valid_to)
        from doctor_cert c
        where c.doctor_id = d.id and c.state in ('VALID', 'EXPIRED') and c.valid_to <= ${warnedUntil(today)}
        order by c.valid_to, c.id limit 1
    )`.as('certWarning'),
    sql<string | null>`(
      select q.id::text from doctor_qual_apply q where q.doctor_id = d.id and q.state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED')
    )`.as('openApplyId'),
  ]);
type Raw = Awaited<ReturnType<ReturnType<typeof doctorColumns>['executeTakeFirstOrThrow']>>;

async function present(kernel: Kernel, rows: readonly Raw[], ask: ListAsk<unknown>): Promise<DoctorRow[]> {
  const regions = await regionsOf(
    ask.db,
    rows.flatMap(({ adcode }) => adcode ?? []),
  );
  return rows.map((row) =>
    Object.assign(row, {
      avatar: portraitOf(kernel, row.avatarFileId, ask.now),
      region: row.adcode === null ? '' : regionText(regions, row.adcode),
      certWarning: row.certWarning === null ? null : { ...row.certWarning, daysLeft: daysBetween(ask.today, row.certWarning.validTo) },
      allowedActions: accountMachine.allowed(row.accountState, ask.has),
    }),
  );
}

/** Doctors, the newest first. */
export const doctorList = (kernel: Kernel) =>
  listOf(queryDoctorList)
    .from(({ db, staff }) => doctorsSeen(own(db), staff))
    .with({
      where: {
        doctorNo: isNumber('d.doctorNo'),
        name: (_eb, name) => sql<boolean>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${containsPattern(name)}`,
        mobile: (eb, mobile) => eb('d.mobileHash', '=', mobileHashOf(kernel.secrets, mobile.trim())),
        hospitalId: 'd.hospitalId',
        departmentId: 'd.departmentId',
        standardDeptCode: (eb, dept) => eb.or([eb('d.standardDeptCode', '=', dept), eb('d.standardDeptCode', 'like', `${dept}.%`)]),
        titleCode: 'd.titleCode',
        qualState: 'd.qualState',
        accountState: 'd.accountState',
        acceptState: 'd.acceptState',
        adcode: inRegion('d.adcode'),
        diseaseId: (_eb, diseaseId) => sql<boolean>`d.disease_ids @> array[${diseaseId}]::bigint[]`,
        channelId: 'd.channelId',
        certExpireWithin: (eb, days, { today }) =>
          eb.exists(
            eb
              .selectFrom('doctorCert as c')
              .select('c.id')
              .whereRef('c.doctorId', '=', 'd.id')
              .where('c.state', '=', 'VALID')
              .where('c.validTo', '<=', plusDays(today, days)),
          ),
        registeredFrom: from('d.createdAt'),
        registeredTo: upTo('d.createdAt'),
        recommended: (_eb, recommended) => {
          const shown = sql<boolean>`exists (select 1 from doctor_recommendation r where r.doctor_id = d.id and r.state = 'ON')`;
          return recommended ? shown : sql<boolean>`not ${shown}`;
        },
      },
      id: 'd.id',
      sorts: { doctorNo: 'd.doctorNo', name: 'd.namePinyin', createdAt: 'd.createdAt' },
      select: (query, { today }) => doctorColumns(query, today),
      present: (rows, ask) => present(kernel, rows, ask),
    });

interface Counts {
  all: number;
  audit: number;
  mine: number;
  recheck: number;
  returned: number;
  certs: number;
  frozen: number;
  recommend: number;
}

/** Numbers on the tabs, in one statement; applications as in their queues. */
export async function doctorCounts(db: Db, viewer: Viewer, { now, today }: { now: Instant; today: Day }): Promise<Counts> {
  const { rows } = await sql<Counts>`
    with seen as materialized (select d.id, d.account_state from doctor_doctor d where ${seesDoctor(viewer)}),
    applies as (
      select q.state, ${desk.waiting(now)} as waits, ${desk.heldBy(viewer, now)} as mine
        from doctor_qual_apply q
        join seen s on s.id = q.doctor_id
        where q.state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED')
    )
    select (select count(*)::int from seen) as all,
      (select count(*)::int from applies where waits) as audit,
      (select count(*)::int from applies where mine) as mine,
      (select count(*)::int from applies where state = 'RECHECK') as recheck,
      (select count(*)::int from applies where state = 'RETURNED') as returned,
      (
        select count(*)::int
          from doctor_cert c
          join seen s on s.id = c.doctor_id
          where s.account_state <> 'CANCELLED' and c.state in ('VALID', 'EXPIRED') and c.valid_to <= ${plusDays(today, WARNED_DAYS)}
      ) as certs,
      (select count(*)::int from seen where account_state = 'FROZEN') as frozen,
      (
        select count(*)::int from doctor_recommendation r join seen s on s.id = r.doctor_id where r.state in ('WAITING', 'ON')
      ) as recommend`.execute(db);
  return rows[0]!;
}

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
