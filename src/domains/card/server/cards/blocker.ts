import { sql, type SqlBool } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { registerBlocker } from '#domains/patient/server/index.ts';
import { own } from '../database.ts';

/** Money or uses that are neither spent nor gone, also while an order holds them. */
const HAS_VALUE = sql<SqlBool>`(c.principal_avail + c.bonus_avail + c.held_amount > 0
  or exists (select from card_times_balance t where t.card_id = c.id and t.left_times > 0))`;

async function openCards(db: Db, patientIds: readonly string[]): Promise<{ count: number; link: string }> {
  const { n } = await own(db)
    .selectFrom('cardCard as c')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('c.patientId', 'in', [...patientIds])
    .where('c.state', 'in', ['ISSUED', 'ACTIVE', 'FROZEN'])
    .where(HAS_VALUE)
    .executeTakeFirstOrThrow();
  return { count: Number(n), link: '/cardInformation' };
}

/** What must be settled before a person is cancelled or loses the proof of identity. */
export const registerOpenCards = (): void => registerBlocker('卡券余额', openCards);
