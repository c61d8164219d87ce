import { sql } from 'kysely';
import { query } from '#kernel/server/handler.ts';
import { queryPatientDetail, type PatientDetail } from '../../contract/calls/sufferer.ts';
import { patientPermissions as may } from '../../contract/permissions.ts';
import { patientMachine, realNameMachine } from '../../contract/states.ts';
import { openPatient } from '../access.ts';
import { own, type PatientRecord } from '../database.ts';
import { briefOf } from './brief.ts';
import { alertsOf, coverLabelsOf, followUpStopped, medicalOf, mergedFromOf, placeOf } from './facts.ts';

type Counts = PatientDetail['counts'];

/** Buttons of the header: the states' own, as far as somebody is alive or not. */
export const actionsOf = (row: Pick<PatientRecord, 'state' | 'lifeState'>, may: (code: string) => boolean) =>
  patientMachine
    .allowed(row.state, may)
    .filter((action) =>
      action === 'markDeceased' ? row.lifeState === 'ALIVE' : action !== 'correctDeceased' || row.lifeState === 'DECEASED',
    );

const countsOf = (ids: readonly string[]) => {
  const of = sql`patient_id = any(${[...ids]}::bigint[])`;
  return sql<Counts>`select
    (select count(*)::int from patient_diagnosis where ${of} and voided_at is null) as history,
    (select count(*)::int from patient_medicine_suggested where ${of}) as suggestions,
    (select count(*)::int from patient_record_order where ${of}) as orders,
    (select count(*)::int from patient_inspection where ${of} and voided_at is null) as inspections,
    (select count(*)::int from patient_consent_state where ${of} and state = 'VALID') as consents,
    (select count(*)::int from patient_real_name_check where ${of}) as checks,
    (select count(*)::int from patient_inspection where ${of} and voided_at is null and status = '0') as to_upload,
    (select count(*)::int from patient_inspection where ${of} and voided_at is null and status = '1') as to_read`;
};

/** The drawer's header: who it is, what hangs on him, what the caller may do. */
export const detail = query(queryPatientDetail, async ({ patientId, fromPage }, ctx) => {
  const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now, { ctx, part: '档案', fromPage });
  const db = own(ctx.db);
  const medical = ctx.has(may['record.view']);
  const [accounts, contacts, merged, tags, counts, place, stopped] = await Promise.all([
    db
      .selectFrom('patientAccountPerson as l')
      .innerJoin('patientAccount as a', 'a.operatorId', 'l.operatorId')
      .select(['a.operatorId', 'a.nick', 'a.mobileMasked', 'l.relation', 'l.isDefault', 'a.state', 'a.lastLoginAt'])
      .select(
        sql<number>`(select count(*)::int from patient_account_person n where n.operator_id = a.operator_id and n.removed_at is null)`.as(
          'persons',
        ),
      )
      .where('l.patientId', 'in', seen.groupIds)
      .where('l.removedAt', 'is', null)
      .orderBy('a.operatorId')
      .execute(),
    db
      .selectFrom('patientContactPerson')
      .select(['id', 'name', 'relation', 'mobileMasked', 'idNoMasked', 'isGuardian', 'proofFileId', 'version'])
      .where('patientId', 'in', seen.groupIds)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('patientPatient as p')
      .leftJoin('patientMerge as m', (join) => join.onRef('m.fromId', '=', 'p.id').on('m.state', '=', 'MERGED'))
      .select(['p.id as patientId', 'p.patientNo', 'm.mergeNo'])
      .where('p.mergedIntoId', '=', seen.id)
      .orderBy('p.id')
      .execute(),
    medical
      ? db
          .selectFrom('patientDiagnosis')
          .select(['icd10', 'name', 'isPrimary'])
          .where('patientId', 'in', seen.groupIds)
          .where('voidedAt', 'is', null)
          .where('state', '=', 'CONFIRMED')
          .orderBy('isPrimary', 'desc')
          .orderBy('diagnosedAt', 'desc')
          .limit(8)
          .execute()
      : Promise.resolve([]),
    countsOf(seen.groupIds).execute(ctx.db),
    placeOf(ctx.db, seen),
    followUpStopped(ctx.db, seen.groupIds),
  ]);
  return {
    ...briefOf(seen, ctx.today),
    askedId: seen.askedId,
    canonicalId: seen.id,
    mergedFrom: mergedFromOf(seen),
    idType: seen.idType,
    adcode: seen.adcode,
    ...place,
    occupation: seen.occupation,
    medicalInsuranceType: seen.medicalInsuranceType,
    source: seen.source,
    realNameAt: seen.realNameAt,
    deceasedOn: seen.deceasedOn,
    version: seen.version,
    coverLabels: coverLabelsOf(seen.covers),
    accounts: accounts,
    contacts: contacts,
    mergedIds: merged,
    diseaseTags: tags,
    medical: medical ? medicalOf(seen) : null,
    alerts: alertsOf(seen, stopped, medical),
    counts: counts.rows[0]!,
    allowedActions: actionsOf(seen, ctx.has),
    realNameActions: realNameMachine.allowed(seen.realNameState, ctx.has),
    createdAt: seen.createdAt,
    updatedAt: seen.updatedAt,
  };
});
