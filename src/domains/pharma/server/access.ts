import { sql, type Selectable } from 'kysely';
import { platformErrors, refuse } from '../../../kernel/contract/errors.ts';
import type { StateMachine } from '../../../kernel/contract/stateMachine.ts';
import type { CommandContext, Context, Tx } from '../../../kernel/server/context.ts';
import { userBrief } from '../../identity/server/index.ts';
import type { PharmaTables } from './tables.ts';

const lockable = {
  company: 'pharmaCompany',
  line: 'pharmaProductLine',
  medicine: 'pharmaMedicine',
  sku: 'pharmaSku',
  apply: 'pharmaMedicineApply',
  category: 'pharmaCategory',
  agent: 'pharmaAgent',
  handover: 'pharmaAgentHandover',
  adverse: 'pharmaAdverseReport',
  price: 'pharmaSkuPrice',
} as const;

/** One record, locked until the transaction ends. @throws Refusal SCM90040 */
export async function lockRecord<K extends keyof typeof lockable>(
  tx: Tx,
  kind: K,
  id: string,
): Promise<Selectable<PharmaTables[(typeof lockable)[K]]>> {
  const { rows } = await sql<
    Selectable<PharmaTables[(typeof lockable)[K]]>
  >`select * from ${sql.table(lockable[kind])} where id = ${id} for update`.execute(tx);
  if (!rows[0]) throw refuse(platformErrors.NOT_FOUND);
  return rows[0];
}

/** Writers of one series (an approval number, a company's tree) go one after another. */
export async function lockSeries(tx: Tx, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pharma:${key}`}, 0))`.execute(tx);
}

/** Who writes a record and when. */
export const stampOf = (ctx: Pick<CommandContext, 'now' | 'staff'>) => ({ updatedAt: ctx.now, updatedBy: ctx.staff.userId });
export const birthOf = (ctx: Pick<CommandContext, 'now' | 'staff'>) => ({
  createdAt: ctx.now,
  createdBy: ctx.staff.userId,
  ...stampOf(ctx),
});

/** Answer of an act on a record. */
export const actedOn = <State extends string, Action extends string>(
  ctx: Pick<Context, 'has'>,
  machine: StateMachine<State, Action>,
  row: { id: string; state: State; version: number },
) => ({ ...row, allowedActions: machine.allowed(row.state, (permission) => ctx.has(permission)) as string[] });

/** Display names of staff, by id; unknown ids are left out. */
export async function namesOf(db: Parameters<typeof userBrief>[0], ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.filter((id) => id !== null);
  return new Map((await userBrief(db, wanted)).map((user) => [user.userId, user.displayName]));
}
