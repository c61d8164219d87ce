import { sql } from 'kysely';
import { objectType } from '../../../../kernel/server/objectTypes.ts';
import { seesDoctor } from '../access.ts';
import { doctorRules } from './objectFacts.ts';

/** Doctors that carry marks. */
export const doctorObjects = objectType({
  code: 'DOCTOR',
  seen: (viewer) => sql`select d.id, d.doctor_no as no, d.name from doctor_doctor d where ${seesDoctor(viewer)}`,
  link: ({ id }) => ({ path: '/doctorManagement', search: { doctorId: id } }),
  rules: doctorRules,
  offeredFact: 'doctor.practiceOk',
});
