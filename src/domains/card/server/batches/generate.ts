import { sql } from 'kysely';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { Kernel, JobDeclaration } from '#kernel/server/kernel.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { batchMachine } from '../../contract/typeDictionaries.ts';
import { hashOfSecret, randomCardNo, secretOf } from '../cards/cardNo.ts';
import { own } from '../database.ts';
import { issueContraOf, unsoldOf } from '../chart.ts';

const CHUNK = 1_000;

/**
 * Makes the cards of a batch, a thousand in a transaction: who begins again after a break finds how many stand and goes on. The last
 * one puts all in stock and books their face value.
 */
export const generateJob = (kernel: Kernel): JobDeclaration<{ batchId: string }> =>
  job<{ batchId: string }>({
    name: 'card.generate',
    label: '制卡',
    retryLimit: 5,
    expireSeconds: 900,
    subject: ({ batchId }) => batchId,
    async run({ batchId }, { now, transaction, traceId }) {
      for (;;) {
        const done = await transaction(async (writing) => {
          const { tx } = writing;
          const batch = await own(tx)
            .selectFrom('cardBatch as b')
            .innerJoin('cardType as t', 't.id', 'b.cardTypeId')
            .select([
              'b.id',
              'b.batchNo',
              'b.quantity',
              'b.status',
              'b.cardTypeId',
              'b.ruleVersion',
              'b.secretSeed',
              'b.totalAmount',
              't.kind',
            ])
            .where('b.id', '=', batchId)
            .forUpdate('b')
            .executeTakeFirst();
          if (batch?.status !== 'GENERATING' || batch.secretSeed === null) return true;
          const { count } = await own(tx)
            .selectFrom('cardCard')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .where('batchId', '=', batchId)
            .executeTakeFirstOrThrow();
          let made = Number(count);
          const until = Math.min(batch.quantity, made + CHUNK);
          // A number that is taken already is drawn again.
          while (made < until) {
            const numbers = [...new Set(Array.from({ length: until - made }, () => randomCardNo(batch.kind, batchId)))];
            const hashes = numbers.map((cardNo) =>
              hashOfSecret(kernel.secrets, cardNo, secretOf(kernel.secrets, batch.secretSeed!, cardNo)),
            );
            const inserted = await sql`
              insert into card_card (card_no, batch_id, card_type_id, kind, rule_version, secret_hash, secret_set_at, state)
              select n.card_no, ${batchId}, ${batch.cardTypeId}, ${batch.kind}, ${batch.ruleVersion}, n.hash, ${now}, 'CREATED'
                from unnest(${numbers}::text[], ${hashes}::text[]) as n (card_no, hash)
              on conflict (card_no) do nothing`.execute(tx);
            made += Number(inserted.numAffectedRows ?? 0n);
          }
          if (made < batch.quantity) {
            await own(tx).updateTable('cardBatch').set({ generatedCount: made }).where('id', '=', batchId).execute();
            return false;
          }
          await sql`update card_card set state = 'IN_STOCK' where batch_id = ${batchId} and state = 'CREATED'`.execute(tx);
          const acting = asSystem(writing, { now, traceId });
          const status = await moveState(acting, batchMachine, {
            targetType: 'card.batch',
            targetId: batchId,
            targetNo: batch.batchNo,
            action: 'generated',
            from: batch.status,
          });
          await own(tx)
            .updateTable('cardBatch')
            .set((eb) => ({ generatedCount: made, status, version: eb('version', '+', 1) }))
            .where('id', '=', batchId)
            .execute();
          const amount = BigInt(batch.totalAmount);
          if (amount > 0n) {
            const ledger = ledgerOf(kernel);
            const use = { ...writing, now, traceId };
            await ledger.openAccount(use, issueContraOf(batchId), { ownerName: batch.batchNo });
            await ledger.openAccount(use, unsoldOf(batchId), { ownerName: batch.batchNo });
            await ledger.post(use, {
              businessKey: `card:batch:${batchId}:gen`,
              book: 'CARD',
              type: 'CARD_GEN',
              debit: [{ account: issueContraOf(batchId), amount }],
              credit: [{ account: unsoldOf(batchId), amount }],
              ref: { type: 'cardBatch', id: batchId, no: batch.batchNo },
              actor: SYSTEM,
            });
          }
          return true;
        });
        if (done) return;
      }
    },
  });
