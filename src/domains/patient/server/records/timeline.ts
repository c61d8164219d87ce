import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import {
  consentActions,
  consentTypes,
  checkResults,
  diagnosisStates,
  inspectionKinds,
  paragraphs,
  treatmentKinds,
} from '../../contract/dictionaries.ts';
import { inspectionMachine, suggestionMachine } from '../../contract/states.ts';

type Kind = 'DIAGNOSIS' | 'TREATMENT' | 'TEXT' | 'SUGGESTED' | 'ORDER' | 'INSPECTION' | 'CONSENT' | 'REAL_NAME';
interface Entry {
  at: string;
  kind: Kind;
  title: string;
  code: string;
  recordId: string;
}

const MODULES: Partial<Record<Kind, string>> = {
  TEXT: 'modular001',
  SUGGESTED: 'modular002',
  ORDER: 'modular003',
  INSPECTION: 'modular004',
};

const noteOf = ({ kind, code }: Entry): string => {
  const [first = '', second = ''] = code.split('/');
  switch (kind) {
    case 'DIAGNOSIS':
      return diagnosisStates.label(first);
    case 'TREATMENT':
      return treatmentKinds.label(first);
    case 'TEXT':
      return '病情资料';
    case 'SUGGESTED':
      return suggestionMachine.dictionary.label(first);
    case 'ORDER':
      return first;
    case 'INSPECTION':
      return `${inspectionKinds.label(first)} ${inspectionMachine.dictionary.label(second)}`;
    case 'CONSENT':
      return consentActions.label(first);
    case 'REAL_NAME':
      return checkResults.label(first);
  }
};
const titleOf = ({ kind, title }: Entry): string =>
  kind === 'TEXT' ? paragraphs.label(title) : kind === 'CONSENT' ? consentTypes.label(title) : title;

/** The last 20 things of a record over all its sections, in one statement. */
export async function timelineOf(db: Db, groupIds: readonly string[]) {
  const of = sql`any(${[...groupIds]}::bigint[])`;
  const { rows } = await sql<Entry>`
    select at, kind, title, code, record_id from (
      (
        select created_at as at, 'DIAGNOSIS' as kind, name as title, state as code, id as record_id
          from patient_diagnosis
          where patient_id = ${of} and voided_at is null
          order by created_at desc limit 20
      )
      union all (
        select t.created_at, 'TREATMENT', t.regimen, t.kind, t.id
          from patient_treatment t
          join patient_diagnosis d on d.id = t.diagnosis_id
          where d.patient_id = ${of} and t.voided_at is null and d.voided_at is null
          order by t.created_at desc limit 20
      )
      union all (
        select created_at, 'TEXT', paragraph_code, '', id
          from patient_record_text
          where patient_id = ${of} and voided_at is null
          order by created_at desc limit 20
      )
      union all (
        select prescription_time, 'SUGGESTED', medicines->0->>'medicineName', status, id
          from patient_medicine_suggested
          where patient_id = ${of}
          order by prescription_time desc limit 20
      )
      union all (
        select order_time, 'ORDER', order_no, status_name, id
          from patient_record_order
          where patient_id = ${of}
          order by order_time desc limit 20
      )
      union all (
        select inspection_time, 'INSPECTION', item_name, kind || '/' || status, id
          from patient_inspection
          where patient_id = ${of} and voided_at is null
          order by inspection_time desc limit 20
      )
      union all (select at, 'CONSENT', consent_type, act, id from patient_consent where patient_id = ${of} order by at desc limit 20)
      union all (
        select at, 'REAL_NAME', '实名核验', result, id from patient_real_name_check where patient_id = ${of} order by at desc limit 20
      )) x
    order by at desc, kind, record_id desc limit 20`.execute(db);
  return rows.map((row) => ({
    at: row.at,
    kind: row.kind,
    title: titleOf(row),
    note: noteOf(row),
    moduleCode: MODULES[row.kind] ?? null,
    recordId: row.recordId,
  }));
}
