import { sql } from 'kysely';
import { objectType } from '#kernel/server/objectTypes.ts';
import { seesPatient } from './access.ts';
import { patientRules } from './objectFacts.ts';

/** Persons that carry marks: canonical records alone. */
export const patientObjects = objectType({
  code: 'PATIENT',
  seen: (viewer, now) =>
    sql`
      select p.id, p.patient_no as no, p.name
        from patient_patient p
        where p.merged_into_id is null and p.state <> 'CANCELLED' and ${seesPatient(viewer, now)}`,
  link: () => null,
  rules: patientRules,
});
