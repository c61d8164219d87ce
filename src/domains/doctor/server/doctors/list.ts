import { sql } from 'kysely';
import { daysBetween, plusDays, type Day } from '../../../../kernel/contract/time.ts';
import type { Context, Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { regionsOf } from '../../../identity/server/index.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { from, inRegion, isNumber, upTo } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import { acceptStates, certTypes, sourceTypes, titles, type CertType } from '../../contract/dictionaries.ts';
import { exportDoctorList, queryDoctorList, type DoctorRow } from '../../contract/doctorCalls.ts';
import { accountMachine, qualMachine } from '../../contract/states.ts';
import { doctorsSeen } from '../access.ts';
import { like, own } from '../database.ts';
import { portraitOf } from './files.ts';
import { mobileHashOf } from './person.ts';
import { regionText } from './regionText.ts';

export const WARNED_DAYS = 60;
type Asking = Pick<Context, 'has' | 'today'>;

const warnedUntil = (today: Day) => plusDays(today, WARNED_DAYS);

const filled = (query: ReturnType<typeof doctorsSeen>, today: Day) =>
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
  avatarOf: (fileId: string | null) => DoctorRow['avatar'],
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
      titleCode: row.titleCode as DoctorRow['titleCode'],
      qualState: row.qualState as DoctorRow['qualState'],
      accountState: row.accountState as DoctorRow['accountState'],
      acceptState: row.acceptState as DoctorRow['acceptState'],
      sourceType: row.sourceType as DoctorRow['sourceType'],
      certWarning: row.certWarning === null ? null : { ...row.certWarning, daysLeft: daysBetween(asking.today, row.certWarning.validTo) },
      allowedActions: accountMachine.allowed(row.accountState as DoctorRow['accountState'], (permission) => asking.has(permission)),
    }),
  );
}

/** Newest first. @param kernel signs the addresses of portraits and finds mobiles by their hashes */
export const doctorList = (kernel: Kernel) =>
  listOf(queryDoctorList)
    .from(({ db, staff }) => doctorsSeen(own(db), staff))
    .with({
      where: {
        doctorNo: isNumber('d.doctorNo'),
        name: (_eb, name) => sql<boolean>`(d.name || ' ' || d.name_pinyin || ' ' || d.doctor_no) ilike ${like(name)}`,
        mobile: (eb, mobile) => eb('d.mobileHash', '=', mobileHashOf(kernel.secrets, mobile.trim())),
        hospitalId: 'd.hospitalId',
        departmentId: 'd.departmentId',
        standardDeptCode: (eb, code) => eb.or([eb('d.standardDeptCode', '=', code), eb('d.standardDeptCode', 'like', `${code}.%`)]),
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
      select: (query, { today }) => filled(query, today),
      present: (rows, { db, today, now, has }) => present(db, rows, { today, has }, (fileId) => portraitOf(kernel, fileId, now)),
    });

const columns: ExportColumn<DoctorRow>[] = [
  { key: 'doctorNo', label: '医生编号', width: 20, value: (row) => row.doctorNo },
  { key: 'name', label: '姓名', value: (row) => row.name },
  { key: 'titleCode', label: '职称', dictionary: titles, value: (row) => row.titleCode },
  { key: 'mobile', label: '手机号', width: 16, sensitive: 'mobile', value: (row) => row.mobile },
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

/** Mobiles leave in full only in a plain export, which needs its own right and reason; the cell masks them otherwise. */
export const doctorExport = (kernel: Kernel) =>
  listExport(doctorList(kernel), {
    call: exportDoctorList,
    title: '医生',
    routeKey: 'doctorManagement',
    columns,
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
      const mobiles = new Map(stored.map(({ id, mobileCipher }) => [id, kernel.secrets.decrypt(mobileCipher)]));
      return rows.map((row) => ({ ...row, mobile: mobiles.get(row.doctorId) ?? row.mobile }));
    },
  });
