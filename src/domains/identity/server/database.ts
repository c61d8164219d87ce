import type { Kysely } from 'kysely';
import type { Db, Tx } from '../../../kernel/server/context.ts';
import type { KernelTables } from '../../../kernel/server/database/tables.ts';
import type { IdentityTables } from './tables.ts';

export { json } from '../../../kernel/server/database/json.ts';

/** The generated interface as a plain object type, which Kysely asks for. */
type Tables = Pick<IdentityTables, keyof IdentityTables>;

/** Handle on identity's own tables, in the transaction where it is given one. */
export const own = (db: Db | Tx): Kysely<KernelTables & Tables> => (db as Db).$extendTables<Tables>();
