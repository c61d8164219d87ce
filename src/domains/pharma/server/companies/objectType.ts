import { sql } from 'kysely';
import { objectType } from '#kernel/server/objectTypes.ts';

/** Pharma companies, whom other domains name as their partners; found by their short names too. */
export const companyObjects = objectType({
  code: 'PHARMA_COMPANY',
  seen: () => sql`select c.id, c.company_no as no, c.name from pharma_company c where c.state = 'ENABLED'`,
  link: ({ id }) => ({ path: '/pharmaceuticalEnterprises', search: { companyId: id } }),
});
