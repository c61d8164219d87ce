import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { mask } from '../../../../kernel/contract/masking.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { exportSource, Shown, type Cell, type ExportColumn, type ExportSource } from '../../../../kernel/server/exporting/source.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { elsewhere, from, upTo } from '../../../../kernel/server/list/conditions.ts';
import { askOf } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import {
  exportAttributionList,
  queryDoctorChannelList,
  queryPatientChannelList,
  type AttributionRow,
  type FunnelStep,
} from '../../contract/attributionCalls.ts';
import { attributionMethods, subjectTypes } from '../../contract/dictionaries.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { labels, personsByMobile } from '../../../patient/server/index.ts';
import type { Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { mobileHashOf } from '../doctors/person.ts';
import { patientMobileHash } from '../orders/create.ts';
import { seesAttribution } from './access.ts';
import type { SubjectType } from './attribute.ts';
import { nameOf } from './names.ts';

const ordersOf = (subjectType: SubjectType): RawBuilder<number> =>
  subjectType === 'DOCTOR'
    ? sql<number>`(select count(*)::int from doctor_consult_order o where o.doctor_id = t.subject_id and o.paid_at is not null)`
    : sql<number>`(select count(*)::int from doctor_consult_order o where o.patient_id = t.subject_id and o.paid_at is not null)`;

/** Doctors are verified by their qualification, patients by the real name that their owner's copy carries. */
export const verifiedOf = (subjectType: SubjectType): RawBuilder<SqlBool> =>
  subjectType === 'DOCTOR'
    ? sql<SqlBool>`exists (select 1 from doctor_doctor d where d.id = t.subject_id and d.qual_state in ('APPROVED', 'EXPIRED'))`
    : sql<SqlBool>`exists (select 1 from doctor_ref_copy c where c.kind = 'PATIENT' and c.ref_id = t.subject_id and c.facts->>'realName' = 'VERIFIED')`;

/** At least this far: who bought has passed the steps before it, even without a real name where none was asked for. */
export function stepReached(subjectType: SubjectType, step: FunnelStep): RawBuilder<SqlBool> {
  if (step === 'VERIFIED') return sql<SqlBool>`(${verifiedOf(subjectType)} or ${ordersOf(subjectType)} >= 1)`;
  if (step === 'FIRST_ORDER') return sql<SqlBool>`${ordersOf(subjectType)} >= 1`;
  if (step === 'REPEAT') return sql<SqlBool>`${ordersOf(subjectType)} >= 2`;
  return sql<SqlBool>`true`;
}

/** What lists show of a subject: patients' names are masked, doctors' are public. */
export const shownName = (subjectType: string, name: string): string => (subjectType === 'PATIENT' ? mask('name', name) : name);
/** The same in the sensitive column of an export. */
export const exportedName = (subjectType: string, name: string): Cell => (subjectType === 'PATIENT' ? name : new Shown(name));

const attributions = (db: Db, viewer: Viewer, subjectType: SubjectType) =>
  own(db)
    .selectFrom('doctorAttribution as t')
    .leftJoin('doctorDoctor as v', 'v.id', 't.viaDoctorId')
    .where('t.subjectType', '=', subjectType)
    .where('t.endedAt', 'is', null)
    .where(seesAttribution(viewer));

const selected = (rows: ReturnType<typeof attributions>, subjectType: SubjectType) =>
  rows
    .select([
      't.id',
      't.subjectId',
      't.subjectName',
      't.mobileMasked',
      't.channelId',
      't.sceneCodeId',
      't.agentId',
      't.viaDoctorId',
      'v.name as viaDoctorName',
      't.method',
      't.scannedAt',
      't.startedAt',
    ])
    .select([
      sql<
        string | null
      >`case when t.subject_type = 'DOCTOR' then (select d.doctor_no from doctor_doctor d where d.id = t.subject_id) end`.as('subjectNo'),
      sql<number>`(select count(*)::int from doctor_attribution x where x.subject_type = t.subject_type and x.subject_id = t.subject_id and x.change_id is not null)`.as(
        'changes',
      ),
      nameOf('CHANNEL', 't.channel_id').as('channelName'),
      nameOf('AGENT', 't.agent_id').as('agentName'),
      nameOf('SCENE_CODE', 't.scene_code_id').as('sceneCodeNo'),
      ordersOf(subjectType).as('orders'),
      verifiedOf(subjectType).as('verified'),
      sql<boolean>`exists (select 1 from doctor_attribution_change g where g.subject_type = t.subject_type and g.subject_id = t.subject_id and (g.state = 'PENDING' or (g.state = 'APPROVED' and g.performed_at is null)))`.as(
        'pendingChange',
      ),
    ]);
type Selected = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>;

async function present(db: Db, rows: readonly Selected[], subjectType: SubjectType): Promise<AttributionRow[]> {
  const known =
    subjectType === 'PATIENT'
      ? new Map(
          (
            await labels(
              db,
              rows.map(({ subjectId }) => subjectId),
            )
          ).map(({ patientId, patientNo }) => [patientId, patientNo]),
        )
      : null;
  return rows.map((row) => ({
    ...row,
    ...(known && { subjectNo: known.get(row.subjectId) ?? null }),
    subjectName: shownName(subjectType, row.subjectName),
    subjectType,
    method: row.method as AttributionRow['method'],
    verified: Boolean(row.verified),
  }));
}

const calls = { DOCTOR: queryDoctorChannelList, PATIENT: queryPatientChannelList } as const;

/** Live attributions of doctors or of patients, newest first. @param kernel finds mobiles by their hashes */
export const attributionList = (kernel: Pick<Kernel, 'secrets'>, subjectType: SubjectType) =>
  listOf(calls[subjectType])
    .from(async ({ db, staff, filter }) => {
      const seen = attributions(db, staff, subjectType);
      const { mobile } = filter;
      if (!mobile) return seen;
      if (subjectType === 'DOCTOR')
        return seen.where(
          sql<SqlBool>`t.subject_id in (select id from doctor_doctor where mobile_hash = ${mobileHashOf(kernel.secrets, mobile)})`,
        );
      // Patients' numbers are known to their own domain.
      const persons = await personsByMobile(kernel, db, mobile);
      return seen.where(
        sql<SqlBool>`(t.subject_id = any(${persons}::bigint[]) or t.subject_id in (select patient_id from doctor_consult_order where patient_mobile_hash = ${patientMobileHash(kernel, mobile)}))`,
      );
    })
    .with({
      where: {
        name: (eb, name) => eb('t.subjectName', 'like', like(name)),
        mobile: elsewhere,
        channelId: 't.channelId',
        sceneCodeId: 't.sceneCodeId',
        sceneCodeNo: (eb, sceneCodeNo) =>
          eb(
            't.sceneCodeId',
            'in',
            eb
              .selectFrom('doctorRefCopy')
              .select('refId')
              .where('kind', '=', 'SCENE_CODE')
              .where('name', 'like', like(sceneCodeNo.toUpperCase())),
          ),
        agentId: 't.agentId',
        doctorId: subjectType === 'DOCTOR' ? 't.subjectId' : 't.viaDoctorId',
        method: 't.method',
        from: from('t.startedAt'),
        to: upTo('t.startedAt'),
        step: (_eb, step) => stepReached(subjectType, step),
        organic: (eb, organic) => (organic ? eb('t.channelId', 'is', null) : undefined),
      },
      id: 't.id',
      select: (query) => selected(query, subjectType),
      present: (rows, { db }) => present(db, rows, subjectType),
    });

const columns: readonly ExportColumn<AttributionRow>[] = [
  { key: 'subjectType', label: '对象类型', dictionary: subjectTypes, value: (row) => row.subjectType },
  { key: 'subjectNo', label: '编号', width: 20, value: (row) => row.subjectNo ?? row.subjectId },
  { key: 'subjectName', label: '姓名', sensitive: 'name', value: (row) => exportedName(row.subjectType, row.subjectName) },
  { key: 'mobileMasked', label: '手机号', width: 14, value: (row) => row.mobileMasked },
  { key: 'channelName', label: '渠道', width: 24, value: (row) => row.channelName ?? '自然流量' },
  { key: 'sceneCodeNo', label: '场景码', width: 20, value: (row) => row.sceneCodeNo },
  { key: 'agentName', label: '代表', value: (row) => row.agentName },
  { key: 'viaDoctorName', label: '经由医生', value: (row) => row.viaDoctorName },
  { key: 'method', label: '归属方式', dictionary: attributionMethods, value: (row) => row.method },
  { key: 'scannedAt', label: '首次扫码', kind: 'instant', value: (row) => row.scannedAt },
  { key: 'startedAt', label: '归属时间', kind: 'instant', value: (row) => row.startedAt },
  { key: 'verified', label: '已认证/实名', kind: 'flag', value: (row) => row.verified },
  { key: 'orders', label: '订单数', kind: 'int', value: (row) => row.orders },
  { key: 'changes', label: '变更次数', kind: 'int', value: (row) => row.changes },
];

/** The rows of either list, with the subjects' names for cells that mask them. */
export function attributionExport(kernel: Kernel): ExportSource {
  const lists = { DOCTOR: attributionList(kernel, 'DOCTOR'), PATIENT: attributionList(kernel, 'PATIENT') };
  return exportSource({
    call: exportAttributionList,
    title: '渠道归属',
    routeKey: 'doctorPatientChannelManagement',
    permission: doctorPermissions['attribution.export'].code,
    columns,
    count: (reading) => lists[reading.filter.subjectType].count(askOf(reading)),
    async *chunks(reading) {
      for await (const rows of lists[reading.filter.subjectType].rows(askOf(reading))) {
        const stored = await own(reading.db)
          .selectFrom('doctorAttribution')
          .select(['id', 'subjectName'])
          .where(
            'id',
            'in',
            rows.map(({ id }) => id),
          )
          .execute();
        const names = new Map(stored.map(({ id, subjectName }) => [id, subjectName]));
        yield rows.map((row): AttributionRow => ({ ...row, subjectName: names.get(row.id) ?? row.subjectName }));
      }
    },
  });
}
