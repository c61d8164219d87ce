import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { ownTx } from '../database.ts';
import { agentScope, type Viewer } from './agentRows.ts';

interface Person {
  id: string | null;
  companyId: string;
  rank: string;
}

const order = (rank: string) => agentRanks.codes.findIndex((code) => code === rank);

/** Moves within one company's tree go one after another. */
export const lockTree = (tx: Tx, companyId: string) => lockKeys(tx, 'pharma.agentTree', [companyId]);

/**
 * A person's future superior: of the same company, of a higher rank, and not below him.
 * @param chooser who names the superior and must see him; null for one who is it already
 * @throws Refusal SCM90040, SCM05044, SCM05042, SCM05043
 */
export async function requireParent(tx: Tx, person: Person, parentId: string, chooser: Viewer | null) {
  const parent = await ownTx(tx)
    .selectFrom('pharmaAgent')
    .select(['id', 'companyId', 'rank', 'path', 'state', 'name'])
    .where('id', '=', parentId)
    .where(chooser ? agentScope(chooser) : sql<SqlBool>`true`)
    .executeTakeFirst();
  if (!parent || parent.state === 'LEFT') throw refuse(platformErrors.NOT_FOUND);
  if (parent.companyId !== person.companyId)
    throw refuse(pharmaErrors.PARENT_COMPANY, { fields: [{ path: 'parentId', message: pharmaErrors.PARENT_COMPANY.text }] });
  if (person.id !== null && parent.path.includes(person.id))
    throw refuse(pharmaErrors.PARENT_BELOW, { fields: [{ path: 'parentId', message: pharmaErrors.PARENT_BELOW.text }] });
  if (order(parent.rank) >= order(person.rank))
    throw refuse(pharmaErrors.PARENT_RANK, { fields: [{ path: 'parentId', message: pharmaErrors.PARENT_RANK.text }] });
  return parent;
}

/** Nobody below may have a rank as high as the person's new one. @throws Refusal SCM05043 */
export async function requireRankAbove(tx: Tx, personId: string, rank: string): Promise<void> {
  const below = await ownTx(tx)
    .selectFrom('pharmaAgent')
    .select('rank')
    .where('parentId', '=', personId)
    .where('state', '<>', 'LEFT')
    .execute();
  if (below.some((child) => order(child.rank) <= order(rank)))
    throw refuse(pharmaErrors.PARENT_RANK, { fields: [{ path: 'rank', message: '职级须高于全部直接下属' }] });
}

/**
 * Hangs a person and everybody below under another superior; the caller holds the lock of the tree.
 * @returns how many people moved
 */
export async function hangUnder(
  tx: Tx,
  person: { id: string; path: readonly string[] },
  parent: { id: string; path: readonly string[] } | null,
): Promise<number> {
  const path = [...(parent?.path ?? []), person.id];
  await ownTx(tx)
    .updateTable('pharmaAgent')
    .set({ parentId: parent?.id ?? null })
    .where('id', '=', person.id)
    .execute();
  const moved = await sql`
    update pharma_agent set path = ${path}::bigint[] || path[${person.path.length + 1}::int:]
    where path @> array[${person.id}]::bigint[]`.execute(tx);
  return Number(moved.numAffectedRows ?? 0n);
}
