import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Actor, Fen, Ledger, LotPick, PostCommand } from '#domains/ledger/server/index.ts';
import { cardErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { bonusOf, principalOf } from '../chart.ts';
import { dueOf, oweForGrant } from './due.ts';
import { bonusSourceOf, sourceOf, type GrantLine } from './issue.ts';

/**
 * Takes back what of a line is neither spent nor held, or the part of it that was asked for, from the line's own lots to where it came
 * from. The postings are the caller's to send, those of all lines at once.
 * @param wanted fen; absent: all that is left
 * @returns what was taken; 0 where nothing is left and nothing particular was asked for
 * @throws Refusal SCM17024 when more is asked for than is left
 */
export async function revokeLine(
  ledger: Ledger,
  ctx: Pick<CommandContext, 'tx' | 'now'> & { actor: Actor },
  { line, grantNo }: { line: GrantLine; grantNo: string },
  wanted: Fen | undefined,
): Promise<{ taken: Fen; postings: PostCommand[] }> {
  const { tx, now } = ctx;
  if (line.cardId === null) throw refuseField('lineId', '该明细尚未发放成功');
  await own(tx).selectFrom('cardCard').select('id').where('id', '=', line.cardId).forUpdate().executeTakeFirstOrThrow();
  const type = await own(tx).selectFrom('cardType').selectAll().where('id', '=', line.cardTypeId).executeTakeFirstOrThrow();
  const lots = (await ledger.lotsOf(tx, 'CARD', { type: 'cardAccount', id: line.cardId })).filter(
    ({ refType, refId }) => refType === 'cardGrantLine' && refId.startsWith(`${line.id}:`),
  );
  const left = lots.reduce((sum, lot) => sum + lot.remaining - lot.held, 0n);
  const granted = BigInt(line.amount) + BigInt(line.bonus) - BigInt(line.revokedAmount);
  if (wanted !== undefined && wanted > left) throw refuse(cardErrors.USED, { a: yuan(granted - left), b: yuan(left) });
  let rest = wanted ?? left;
  if (rest === 0n) return { taken: 0n, postings: [] };
  const taken = rest;
  const picks: Record<'p' | 'b', (LotPick & { amount: Fen })[]> = { p: [], b: [] };
  for (const lot of lots) {
    const part = rest < lot.remaining - lot.held ? rest : lot.remaining - lot.held;
    if (part <= 0n) continue;
    picks[lot.accountType === 'CARD_BONUS' ? 'b' : 'p'].push({ refType: lot.refType, refId: lot.refId, amount: part });
    rest -= part;
  }
  const before = BigInt(line.revokedAmount);
  const part = (kind: 'p' | 'b') => picks[kind].reduce((sum, one) => sum + one.amount, 0n);
  const postings = (['p', 'b'] as const).flatMap((kind): PostCommand[] => {
    const amount = part(kind);
    if (amount === 0n) return [];
    return [
      {
        businessKey: `card:rvk:${line.id}:${kind}:${before}`,
        book: 'CARD',
        type: 'CARD_TAKE_BACK',
        debit: [{ account: kind === 'p' ? principalOf(line.cardId!) : bonusOf(line.cardId!), amount, lots: picks[kind] }],
        credit: [{ account: kind === 'p' ? sourceOf(type) : bonusSourceOf(type), amount }],
        ref: { type: 'cardGrant', id: line.grantId, no: grantNo },
        actor: ctx.actor,
      },
    ];
  });
  const revoked = before + taken;
  await own(tx)
    .updateTable('cardGrantLine')
    .set({ revokedAmount: String(revoked), state: taken === granted ? 'REVOKED' : 'PART_REVOKED' })
    .where('id', '=', line.id)
    .execute();
  await oweForGrant(tx, {
    cardTypeId: type.id,
    key: `rvk:${line.id}:${before}`,
    sourceNo: `${grantNo}-${line.rowNo}-撤回`,
    amount: -dueOf(type, { principal: part('p'), bonus: part('b') }),
    at: now,
  });
  return { taken, postings };
}
