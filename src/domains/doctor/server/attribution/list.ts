import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import type { Db } from '#kernel/server/context.ts';
import { Shown, type Cell, type ExportColumn, type ExportReading, type ExportSource } from '#kernel/server/exporting/source.ts';
import type { Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { elsewhere, from, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportAttributionList,
  queryDoctorChannelList,
  queryPatientChannelList,
  type AttributionRow,
  type FunnelStep,
} from '../../contract/calls/attribution.ts';
import { labels, personsByMobile } from '#domains/patient/server/index.ts';
import { own } from '../database.ts';
import { mobileHashOf } from '../doctors/entry/person.ts';
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
    : sql<SqlBool>`
      exists (select 1 from doctor_ref_copy c where c.kind = 'PATIENT' and c.ref_id = t.subject_id and c.facts->>'realName' = 'VERIFIED')`;

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
/** Who came by no channel. */
export const ORGANIC = '自然流量';

type Secret = Pick<Kernel, 'secrets'>;

/** Subjects with a mobile. Patients' numbers are known to their own domain. */
async function withMobile(kernel: Secret, db: Db, subjectType: SubjectType, mobile: string): Promise<RawBuilder<SqlBool>> {
  if (subjectType === 'DOCTOR')
    return sql<SqlBool>`t.subject_id in (select id from doctor_doctor where mobile_hash = ${mobileHashOf(kernel.secrets, mobile)})`;
  const persons = await personsByMobile(kernel, db, mobile);
  return sql<SqlBool>`(
    t.subject_id = any(${persons}::bigint[])
    or t.subject_id in (select patient_id from doctor_consult_order where patient_mobile_hash = ${patientMobileHash(kernel, mobile)})
  )`;
}

/** Live attributions, the newest first. */
const attributionList = (kernel: Secret, listCall: typeof queryDoctorChannelList, subjectType: SubjectType) =>
  listOf(listCall)
    .from(async ({ db, staff, filter: { mobile } }) => {
      const seen = own(db)
        .selectFrom('doctorAttribution as t')
        .where('t.subjectType', '=', subjectType)
        .where('t.endedAt', 'is', null)
        .where(seesAttribution(staff));
      return mobile ? seen.where(await withMobile(kernel, db, subjectType, mobile)) : seen;
    })
    .with({
      where: {
        name: (eb, name) => eb('t.subjectName', 'like', containsPattern(name)),
        mobile: elsewhere,
        channelId: 't.channelId',
        organic: (eb, organic) => (organic ? eb('t.channelId', 'is', null) : undefined),
        sceneCodeId: 't.sceneCodeId',
        sceneCodeNo: (eb, sceneCodeNo) =>
          eb(
            't.sceneCodeId',
            'in',
            eb
              .selectFrom('doctorRefCopy')
              .select('refId')
              .where('kind', '=', 'SCENE_CODE')
              .where('name', 'like', containsPattern(sceneCodeNo.toUpperCase())),
          ),
        agentId: 't.agentId',
        doctorId: subjectType === 'DOCTOR' ? 't.subjectId' : 't.viaDoctorId',
        method: 't.method',
        from: from('t.startedAt'),
        to: upTo('t.startedAt'),
        step: (_eb, step) => stepReached(subjectType, step),
      },
      id: 't.id',
      sorts: { startedAt: 't.startedAt' },
      select: (query) =>
        query
          .leftJoin('doctorDoctor as v', 'v.id', 't.viaDoctorId')
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
            >`case when t.subject_type = 'DOCTOR' then (select d.doctor_no from doctor_doctor d where d.id = t.subject_id) end`.as(
              'subjectNo',
            ),
            sql<number>`(
              select count(*)::int
                from doctor_attribution x
                where x.subject_type = t.subject_type and x.subject_id = t.subject_id and x.change_id is not null
            )`.as('changes'),
            nameOf('CHANNEL', 't.channel_id').as('channelName'),
            nameOf('AGENT', 't.agent_id').as('agentName'),
            nameOf('SCENE_CODE', 't.scene_code_id').as('sceneCodeNo'),
            ordersOf(subjectType).as('orders'),
            verifiedOf(subjectType).as('verified'),
            sql<boolean>`
              exists (
                select 1
                  from doctor_attribution_change g
                  where g.subject_type = t.subject_type
                    and g.subject_id = t.subject_id
                    and (g.state = 'PENDING' or (g.state = 'APPROVED' and g.performed_at is null))
              )`.as('pendingChange'),
          ])
          .$castTo<Omit<AttributionRow, 'subjectType'>>(),
      async present(rows, { db }) {
        const known = subjectType === 'PATIENT' ? await numbersOf(db, rows) : null;
        return rows.map((row) => ({
          ...row,
          ...(known && { subjectNo: known.get(row.subjectId) ?? null }),
          subjectType,
          subjectName: shownName(subjectType, row.subjectName),
        }));
      },
    });

async function numbersOf(db: Db, rows: readonly { subjectId: string }[]): Promise<ReadonlyMap<string, string>> {
  const found = await labels(
    db,
    rows.map(({ subjectId }) => subjectId),
  );
  return new Map(found.map(({ patientId, patientNo }) => [patientId, patientNo]));
}

const columns: readonly (ExportColumn<AttributionRow & { fullName: string }> | (keyof AttributionRow & string))[] = [
  'subjectType',
  { key: 'subjectNo', label: '编号', width: 20, value: (row) => row.subjectNo ?? row.subjectId },
  { key: 'subjectName', label: '姓名', sensitive: 'name', value: (row) => exportedName(row.subjectType, row.fullName) },
  'mobileMasked',
  { key: 'channelName', label: '渠道', width: 24, value: (row) => row.channelName ?? ORGANIC },
  'sceneCodeNo',
  'agentName',
  'viaDoctorName',
  'method',
  'scannedAt',
  'startedAt',
  'verified',
  'orders',
  'changes',
];

async function withNames(rows: AttributionRow[], { db }: { db: Db }) {
  const stored = await own(db)
    .selectFrom('doctorAttribution')
    .select(['id', 'subjectName'])
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  const names = new Map(stored.map(({ id, subjectName }) => [id, subjectName]));
  return rows.map((row) => ({ ...row, fullName: names.get(row.id)! }));
}

/** The lists of doctors and of patients, and their one export, which is told whose. */
export function attributionLists(kernel: Secret): { handlers: readonly Handler[]; source: ExportSource } {
  const lists = {
    DOCTOR: attributionList(kernel, queryDoctorChannelList, 'DOCTOR'),
    PATIENT: attributionList(kernel, queryPatientChannelList, 'PATIENT'),
  };
  const sourceOf = (list: (typeof lists)[SubjectType]) =>
    listExport(list, {
      call: exportAttributionList,
      title: '渠道归属',
      routeKey: 'doctorPatientChannelManagement',
      columns,
      widen: withNames,
    });
  const sources = { DOCTOR: sourceOf(lists.DOCTOR), PATIENT: sourceOf(lists.PATIENT) };
  // The pipeline has checked the filter with the schema of the export call.
  const chosen = ({ filter }: ExportReading) => sources[(filter as { subjectType: SubjectType }).subjectType];
  return {
    handlers: [lists.DOCTOR.handler, lists.PATIENT.handler],
    source: {
      ...sources.DOCTOR,
      list: null,
      count: (reading) => chosen(reading).count(reading),
      chunks: (reading, keys, page) => chosen(reading).chunks(reading, keys, page),
    },
  };
}
