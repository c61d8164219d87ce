import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { mask } from '../../../../kernel/contract/masking.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { AttributionRow, FunnelStep, queryDoctorChannelList } from '../../contract/attributionCalls.ts';
import { labels, personsByMobile } from '../../../patient/server/index.ts';
import type { Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { mobileHashOf } from '../doctors/person.ts';
import { patientMobileHash } from '../orders/create.ts';
import { seesAttribution } from './access.ts';
import type { SubjectType } from './attribute.ts';
import { nameOf } from './names.ts';

export type AttributionFilter = Omit<CheckedInputOf<typeof queryDoctorChannelList>, 'pageNo' | 'pageSize'>;

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

/** Live attributions of a filter, without columns and order. Patients' numbers are known to their own domain. */
export async function attributionQuery(
  kernel: Pick<Kernel, 'secrets'>,
  db: Db,
  viewer: Viewer,
  subjectType: SubjectType,
  filter: AttributionFilter,
) {
  const persons = subjectType === 'PATIENT' && filter.mobile ? await personsByMobile(kernel, db, filter.mobile) : [];
  let query = own(db)
    .selectFrom('doctorAttribution as t')
    .where('t.subjectType', '=', subjectType)
    .where('t.endedAt', 'is', null)
    .where(seesAttribution(viewer));
  if (filter.name) query = query.where('t.subjectName', 'like', like(filter.name));
  if (filter.mobile) {
    const { mobile } = filter;
    query = query.where(
      subjectType === 'DOCTOR'
        ? sql<SqlBool>`t.subject_id in (select id from doctor_doctor where mobile_hash = ${mobileHashOf(kernel.secrets, mobile)})`
        : sql<SqlBool>`(t.subject_id = any(${persons}::bigint[]) or t.subject_id in (select patient_id from doctor_consult_order where patient_mobile_hash = ${patientMobileHash(kernel, mobile)}))`,
    );
  }
  if (filter.channelId) query = query.where('t.channelId', '=', filter.channelId);
  if (filter.organic) query = query.where('t.channelId', 'is', null);
  if (filter.sceneCodeId) query = query.where('t.sceneCodeId', '=', filter.sceneCodeId);
  if (filter.sceneCodeNo)
    query = query.where(
      't.sceneCodeId',
      'in',
      own(db)
        .selectFrom('doctorRefCopy')
        .select('refId')
        .where('kind', '=', 'SCENE_CODE')
        .where('name', 'like', like(filter.sceneCodeNo.toUpperCase())),
    );
  if (filter.agentId) query = query.where('t.agentId', '=', filter.agentId);
  if (filter.doctorId) query = query.where(subjectType === 'DOCTOR' ? 't.subjectId' : 't.viaDoctorId', '=', filter.doctorId);
  if (filter.method?.length) query = query.where('t.method', 'in', filter.method);
  if (filter.from) query = query.where('t.startedAt', '>=', filter.from);
  if (filter.to) query = query.where('t.startedAt', '<=', filter.to);
  if (filter.step) query = query.where(stepReached(subjectType, filter.step));
  // Not the builder itself: it would be run by whoever awaits it.
  return { query };
}
type Found = Awaited<ReturnType<typeof attributionQuery>>['query'];

/** What lists show of a subject: patients' names are masked, doctors' are public. */
export const shownName = (subjectType: string, name: string): string => (subjectType === 'PATIENT' ? mask('name', name) : name);

export async function presentAttributions(
  db: Db,
  subjectType: SubjectType,
  query: Found,
  page: { limit: number; offset: number },
  after?: string,
): Promise<AttributionRow[]> {
  let chosen = query
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
  if (after !== undefined) chosen = chosen.where('t.id', '<', after);
  const rows = await chosen.orderBy('t.id', 'desc').limit(page.limit).offset(page.offset).execute();
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
    subjectType,
    verified: Boolean(row.verified),
  }));
}
