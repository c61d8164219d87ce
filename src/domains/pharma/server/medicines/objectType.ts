import { sql } from 'kysely';
import { objectType } from '#kernel/server/objectTypes.ts';
import { medicineRules } from './objectFacts.ts';

/** Medicines that carry marks; the catalogue is the same for everybody. */
export const medicineObjects = objectType({
  code: 'MEDICINE',
  seen: () => sql`select m.id, m.medicine_no as no, m.generic_name as name from pharma_medicine m`,
  link: ({ id }) => ({ path: '/medicineManagementTable', search: { medicineId: id } }),
  rules: medicineRules,
  offeredFact: 'medicine.onSale',
});
