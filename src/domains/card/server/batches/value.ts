import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import type { BatchDetails } from '../../contract/calls/batches.ts';
import type { BatchState } from '../../contract/typeDictionaries.ts';

type Turned = Awaited<ReturnType<Ledger['ownerTurnover']>>;
/**
 * A card as far as its value goes: what its write-offs say is used, and whether another card stands in its place or it in that of
 * another.
 */
export interface ValuedCard {
  id: string;
  isVoided: boolean;
  isReplacement: boolean;
  spent: string;
}

/**
 * What came to cards and what became of it, in fen. What was used is what write-offs say; where it went back elsewhere than to the card
 * that paid, to the one that came instead or to the funder of a voided card, it counts there.
 */
export function fateOf(cards: readonly ValuedCard[], turned: Turned) {
  const known = new Map(cards.map((card) => [card.id, card]));
  const sums = { granted: 0n, spent: 0n, expired: 0n, takenBack: 0n, moved: 0n };
  for (const { spent } of cards) sums.spent += BigInt(spent);
  for (const { ownerId, transferType, debit, credit } of turned) {
    const card = known.get(ownerId);
    if (!card) continue;
    const out = debit - credit;
    if (transferType === 'CARD_GRANT' || transferType === 'CARD_GRANT_BONUS') sums.granted -= out;
    // What was taken up again after its end did not end.
    else if (transferType === 'CARD_EXPIRE' || transferType === 'CARD_REOPEN') sums.expired += out;
    else if (transferType === 'CARD_TAKE_BACK') sums.takenBack += out;
    else if (transferType === 'CARD_MOVE_LOT') sums.moved += out;
    else if (transferType === 'CARD_SPEND') {
      const elsewhere = out - BigInt(card.spent);
      if (card.isVoided) sums.takenBack += elsewhere;
      else if (card.isReplacement) sums.moved += elsewhere;
    }
  }
  return sums;
}
const facts = sql`
  c.state = 'VOIDED' as is_voided, c.replaced_by_card_id is not null or c.replaces_card_id is not null as is_replacement,
  c.spent_amount as spent`;

interface Batch {
  id: string;
  status: BatchState;
  quantity: number;
  faceAmount: string;
  bonusAmount: string;
  totalAmount: string;
}

/**
 * Where the value of a batch is. What was granted and how it went comes from the books, what is left of it from the cards: that both agree
 * is what the page shows.
 */
export async function valueOf(db: Db | Tx, ledger: Ledger, batch: Batch): Promise<BatchDetails['amounts']> {
  const { rows: cards } = await sql<ValuedCard & { isIssued: boolean; inStock: boolean; available: string; held: string }>`
    select c.id, c.issued_at is not null as is_issued, c.state in ('CREATED', 'IN_STOCK') as in_stock,
        c.principal_avail + c.bonus_avail as available, c.held_amount as held, ${facts}
      from card_card c
      where c.batch_id = ${batch.id}`.execute(db);
  const issued = cards.filter(({ isIssued }) => isIssued);
  const ids = issued.map(({ id }) => id);
  const { granted, spent, expired, takenBack, moved } = fateOf(
    issued,
    ids.length === 0 ? [] : await ledger.ownerTurnover(db, 'CARD', 'cardAccount', ids),
  );
  const face = Number(batch.faceAmount) + Number(batch.bonusAmount);
  const isOver = batch.status === 'CLOSED' || batch.status === 'VOIDED';
  const inStock = isOver ? 0 : batch.quantity - cards.filter(({ isIssued, inStock: there }) => isIssued || !there).length;
  const sum = (of: (card: (typeof cards)[number]) => string) => issued.reduce((total, card) => total + Number(of(card)), 0);
  return {
    total: Number(batch.totalAmount),
    granted: Number(granted),
    unsold: inStock * face,
    available: sum(({ available }) => available),
    held: sum(({ held }) => held),
    spent: Number(spent),
    expired: Number(expired),
    takenBack: Number(takenBack),
    moved: Number(moved),
    voidedStock: (batch.quantity - issued.length - inStock) * face,
  };
}

/** Batches of which the books and the write-offs do not say where all that was granted is. */
export async function lostValue(tx: Tx, ledger: Ledger): Promise<{ batchId: string; batchNo: string; granted: bigint; found: bigint }[]> {
  const { rows: cards } = await sql<ValuedCard & { batchId: string; batchNo: string }>`
    select c.id, c.batch_id, b.batch_no, ${facts} from card_card c join card_batch b on b.id = c.batch_id
     where c.kind = 'STORED_VALUE' and c.issued_at is not null`.execute(tx);
  const turnedOf = Map.groupBy(await ledger.ownerTurnover(tx, 'CARD', 'cardAccount'), ({ ownerId }) => ownerId);
  const heldOf = Map.groupBy(await ledger.ownerTotals(tx, 'CARD', 'cardAccount'), ({ ownerId }) => ownerId);
  return [...Map.groupBy(cards, ({ batchId }) => batchId)].flatMap(([batchId, some]) => {
    const { granted, spent, expired, takenBack, moved } = fateOf(
      some,
      some.flatMap(({ id }) => turnedOf.get(id) ?? []),
    );
    const left = some.flatMap(({ id }) => heldOf.get(id) ?? []).reduce((sum, { posted }) => sum + posted, 0n);
    const found = left + spent + expired + takenBack + moved;
    return found === granted ? [] : [{ batchId, batchNo: some[0]!.batchNo, granted, found }];
  });
}
