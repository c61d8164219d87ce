import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';
import type { CardType } from '../tables.ts';
import type { Selectable } from 'kysely';

interface Due {
  cardTypeId: string;
  /** One effect, however often it is sent. */
  key: string;
  sourceNo: string;
  /** Negative: owed no longer. */
  amount: bigint;
  at: Instant;
}

/** What a funder owes for value as soon as it is granted, and no longer where it comes back: becomes lines of its bills. */
export async function oweForGrant(tx: Tx, { amount, ...due }: Due): Promise<void> {
  if (amount === 0n) return;
  await own(tx)
    .insertInto('cardGrantDue')
    .values({ ...due, amount: String(amount) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** Who pays for what is given beside the principal: nobody asks a customer for his own present. */
export const givesBonus = ({ funder }: Pick<Selectable<CardType>, 'funder'>): boolean => funder !== 'PLATFORM' && funder !== 'CUSTOMER';

/** The part of granted value that its funder owes at once. */
export const dueOf = (
  type: Pick<Selectable<CardType>, 'funder' | 'fundingMode'>,
  { principal, bonus }: { principal: bigint; bonus: bigint },
): bigint => (type.fundingMode === 'ON_GRANT' ? principal : 0n) + (givesBonus(type) ? bonus : 0n);
