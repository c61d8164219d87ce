import { sql } from 'kysely';
import { dayOf, hours, plusMs } from '#kernel/contract/time.ts';
import { command } from '#kernel/server/handler.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { JobContext } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { books } from '../../contract/books.ts';
import { runLedgerProof } from '../../contract/calls/proofs.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { requireBook } from '../access.ts';
import { ledgerOf, pageLink } from '../books.ts';
import { abandonProofs, beginProof, runProof, type Proof } from './prove.ts';

/** A proof that has not ended by then has lost its process. */
const LOST_MS = hours(2);

/** 待办 for who mends: one a book and day, however often it is proven. */
const notifyFailure = (kernel: Kernel, ctx: Pick<JobContext, 'now' | 'transaction'>, proof: Proof) =>
  ctx.transaction(({ tx }) =>
    kernel.ports.notices.addTodo(
      tx,
      {
        businessKey: `ledger.proof:${proof.book}:${dayOf(ctx.now)}`,
        title: `${books.label(proof.book)}平衡检查发现${proof.findings}项差异`,
        body: '请在账簿的平衡检查中处理；处理完成前不能结账',
        permission: may['proof.manage'].code,
        ...pageLink(kernel, proof.book),
      },
      ctx.now,
    ),
  );

/** Ends a proof that was begun, over one moment of the book. */
async function finish(kernel: Kernel, ctx: JobContext, proofId: string): Promise<void> {
  const proof = await ctx.transaction(async ({ tx }) => {
    await sql`set transaction isolation level repeatable read`.execute(tx);
    const { rows } = await sql`select from ledger_proof where id = ${proofId} and status = 'RUNNING'`.execute(tx);
    return rows.length === 0 ? null : runProof({ tx, now: ctx.now }, proofId);
  });
  if (proof?.status === 'FAILED') await notifyFailure(kernel, ctx, proof);
}

export const proofJob = (kernel: Kernel) =>
  job<{ proofId: string }>({
    name: 'ledger.runProof',
    label: '账簿平衡检查',
    expireSeconds: 3600,
    subject: ({ proofId }) => proofId,
    run: ({ proofId }, ctx) => finish(kernel, ctx, proofId),
  });

export const nightlyProofs = (kernel: Kernel) =>
  job({
    name: 'ledger.proveBooks',
    label: '账簿每日平衡检查',
    cron: '0 2 * * *',
    expireSeconds: 7200,
    async run(_data, ctx) {
      await ctx.transaction(({ tx }) => abandonProofs({ tx, now: ctx.now }, plusMs(ctx.now, -LOST_MS)));
      const failures = isolateFailures(ctx);
      for (const book of ledgerOf(kernel).chart.books) {
        if (ctx.signal.aborted) break;
        const { rows } = await sql`select from ledger_proof where book = ${book} and status = 'RUNNING'`.execute(ctx.db);
        if (rows.length > 0) continue;
        await failures.run(books.label(book), async () => {
          const proofId = await ctx.transaction(({ tx }) => beginProof({ tx, now: ctx.now }, book, 'NIGHTLY'));
          await finish(kernel, ctx, proofId);
        });
      }
      failures.throwIfAny();
    },
  });

export const runByHand = (kernel: Kernel) =>
  command(runLedgerProof, async ({ book }, ctx) => {
    requireBook(ctx, book);
    await abandonProofs(ctx, plusMs(ctx.now, -LOST_MS));
    const proofId = await beginProof(ctx, book, 'MANUAL');
    await ctx.enqueue(proofJob(kernel), { proofId });
    ctx.target({ type: 'ledger.proof', id: proofId });
    return { proofId };
  });
