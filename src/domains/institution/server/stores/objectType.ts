import { sql } from 'kysely';
import { scopeFilter } from '../../../../kernel/server/auth/scope.ts';
import { objectType } from '../../../../kernel/server/objectTypes.ts';
import { storeScope } from '../access.ts';

/** Drugstores that carry marks. */
export const storeObjects = objectType({
  code: 'DRUGSTORE',
  seen: (viewer) => sql`select s.id, s.store_no as no, s.name from institution_drugstore s where ${scopeFilter(storeScope, viewer)}`,
  link: ({ id }) => ({ path: '/drugstoreManagement', search: { storeId: id } }),
});
