import { sql } from 'kysely';
import { cardExpiryNeared } from '#events/card.ts';
import { contractExpired, contractResumed, contractSuspended, contractTerminated } from '#events/enrolment.ts';
import { accountFrozen, accountUnfrozen } from '#events/ledger.ts';
import { dayOf, plusDays, startOfDay } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Consumer, ConsumerContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import type { FreezeReason } from '../../contract/cardDictionaries.ts';
import { own } from '../database.ts';
import { bonusOf, principalOf } from '../chart.ts';
import { on } from '../use/events.ts';
import { freezeOne, unfreezeOne } from './freeze.ts';

const cardsOf = (ctx: ConsumerContext, contractId: string) =>
  own(ctx.tx).selectFrom('cardCard').selectAll().where('contractId', '=', contractId).orderBy('id').forUpdate().execute();

async function freezeContract(
  kernel: Kernel,
  ctx: ConsumerContext,
  contractId: string,
  reason: FreezeReason,
  opinion: string,
): Promise<void> {
  const acting = asSystem(ctx, ctx);
  for (const card of await cardsOf(ctx, contractId)) {
    if (card.state === 'ISSUED' || card.state === 'ACTIVE')
      await freezeOne(acting, ledgerOf(kernel), card, { reason, action: 'freezeByEvent', opinion, by: SYSTEM });
    // A contract that was suspended and ends now is not resumed any more.
    else if (card.state === 'FROZEN' && card.frozenReason === 'CONTRACT_SUSPENDED')
      await own(ctx.tx)
        .updateTable('cardCard')
        .set((eb) => ({ frozenReason: reason, version: eb('version', '+', 1) }))
        .where('id', '=', card.id)
        .execute();
  }
}

/** Somebody froze or freed an account in the books: its card follows, as the books say now. */
async function copyLedgerFreeze(kernel: Kernel, ctx: ConsumerContext, cardId: string): Promise<void> {
  const ledger = ledgerOf(kernel);
  const card = await own(ctx.tx).selectFrom('cardCard').selectAll().where('id', '=', cardId).forUpdate().executeTakeFirst();
  if (!card) return;
  const refs = [principalOf(cardId), bonusOf(cardId)];
  const found = await ledger.balancesIfAny(ctx.tx, refs, ctx.now);
  let isFrozen = false;
  for (const [at, ref] of refs.entries()) {
    if (found[at] === undefined) continue;
    const { status } = await ledger.openAccount(ctx, ref, { ownerName: card.holderName ?? '' });
    isFrozen ||= status === 'FROZEN';
  }
  const acting = asSystem(ctx, ctx);
  if (isFrozen && (card.state === 'ISSUED' || card.state === 'ACTIVE'))
    await freezeOne(acting, ledger, card, { reason: 'LEDGER', action: 'freezeByEvent', opinion: '账户已冻结', by: SYSTEM });
  else if (!isFrozen && card.state === 'FROZEN' && card.frozenReason === 'LEDGER')
    await unfreezeOne(acting, ledger, card, { byEvent: true, opinion: '账户已解冻', by: SYSTEM });
}

export const cardConsumers = (kernel: Kernel): Consumer[] => [
  on(contractSuspended, ({ contractId, contractNo }, ctx) =>
    freezeContract(kernel, ctx, contractId, 'CONTRACT_SUSPENDED', `合同${contractNo}中止`),
  ),
  on(contractResumed, async ({ contractId, contractNo }, ctx) => {
    for (const card of await cardsOf(ctx, contractId))
      if (card.state === 'FROZEN' && card.frozenReason === 'CONTRACT_SUSPENDED')
        await unfreezeOne(asSystem(ctx, ctx), ledgerOf(kernel), card, { byEvent: true, opinion: `合同${contractNo}恢复`, by: SYSTEM });
  }),
  on(contractTerminated, ({ contractId, contractNo }, ctx) =>
    freezeContract(kernel, ctx, contractId, 'CONTRACT_ENDED', `合同${contractNo}终止`),
  ),
  on(contractExpired, ({ contractId, contractNo }, ctx) =>
    freezeContract(kernel, ctx, contractId, 'CONTRACT_ENDED', `合同${contractNo}到期`),
  ),
  on(accountFrozen, async ({ ownerType, ownerId }, ctx) => {
    if (ownerType === 'cardAccount') await copyLedgerFreeze(kernel, ctx, ownerId);
  }),
  on(accountUnfrozen, async ({ ownerType, ownerId }, ctx) => {
    if (ownerType === 'cardAccount') await copyLedgerFreeze(kernel, ctx, ownerId);
  }),
];

const STEPS = [30, 7, 1] as const;
const CHUNK = 200;

/** Cards of which the end is near are told once at each step; a day on which the job did not run is made up for. */
export const expiryNotices = (): JobDeclaration => ({
  name: 'card.expiryNeared',
  label: '卡到期提醒',
  cron: '0 9 * * *',
  async run(_data, ctx) {
    for (const [at, days] of STEPS.entries()) {
      const until = startOfDay(plusDays(dayOf(ctx.now), days + 1));
      const past = STEPS[at + 1] === undefined ? ctx.now : startOfDay(plusDays(dayOf(ctx.now), STEPS[at + 1]! + 1));
      for (;;) {
        if (ctx.signal.aborted) return;
        const notified = await ctx.transaction(async (writing) => {
          const { rows } = await sql<{ id: string; patientId: string; amount: number; expireAt: string }>`
            select c.id, c.patient_id, (c.principal_avail + c.bonus_avail)::bigint as amount, c.expire_at
              from card_card c
              where c.state in ('ACTIVE', 'FROZEN')
                and c.patient_id is not null
                and c.expire_at <= ${until}::timestamptz
                and c.expire_at > ${past}::timestamptz
                and not exists (select from card_expiry_notice n where n.card_id = c.id and n.expire_at = c.expire_at and n.days = ${days})
              order by c.expire_at, c.id limit ${CHUNK}`.execute(writing.tx);
          if (rows.length === 0) return 0;
          await own(writing.tx)
            .insertInto('cardExpiryNotice')
            .values(rows.map(({ id, expireAt }) => ({ cardId: id, expireAt, days, toldAt: ctx.now })))
            .execute();
          await writing.publishMany(
            cardExpiryNeared,
            rows.map(({ id, patientId, amount, expireAt }) => ({
              aggregateId: id,
              payload: { cardId: id, patientId, amount: Number(amount), expireAt },
            })),
          );
          return rows.length;
        });
        if (notified < CHUNK) break;
      }
    }
  },
});
