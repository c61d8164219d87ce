import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db, Staff, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';
import { agentScope } from './agentRows.ts';

/** A representative within the caller's scope; one outside is answered like a missing one. */
export async function accessAgent(ctx: { staff: Staff } & ({ tx: Tx } | { db: Db }), id: string) {
  const row = await own('tx' in ctx ? ctx.tx : ctx.db)
    .selectFrom('pharmaAgent')
    .select(['id', 'agentNo', 'name', 'companyId', 'state', 'path', 'parentId', 'rank'])
    .where('id', '=', id)
    .where(agentScope(ctx.staff))
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return row;
}
