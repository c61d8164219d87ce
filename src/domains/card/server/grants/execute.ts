import { Refusal } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { SYSTEM } from '#domains/ledger/server/index.ts';
import { grantMachine } from '../../contract/grantStates.ts';
import { own } from '../database.ts';
import { issueLine } from './issue.ts';

const CHUNK = 200;

export const grantJob: JobKind<{ grantId: string }> = {
  name: 'card.grant',
  label: '储值发放',
  retryLimit: 5,
  expireSeconds: 1_800,
  subject: ({ grantId }) => grantId,
};

/** Carries out a passed grant, each line by itself: a line that cannot be granted keeps its reason and stops no other. */
export const executeJob = (kernel: Kernel): JobDeclaration<{ grantId: string }> =>
  job<{ grantId: string }>({
    ...grantJob,
    async run({ grantId }, ctx) {
      const { db, now, transaction, traceId } = ctx;
      const grant = await own(db).selectFrom('cardGrant').selectAll().where('id', '=', grantId).executeTakeFirst();
      if (grant?.status !== 'EXECUTING') return;
      const type = await own(db).selectFrom('cardType').selectAll().where('id', '=', grant.cardTypeId).executeTakeFirstOrThrow();
      // The key of what a contract began names it.
      const contractId = /^contract:(\d+):/.exec(grant.sourceKey ?? '')?.[1] ?? null;
      const today = dayOf(now);
      const failures = isolateFailures(ctx);
      const stuck: string[] = [];
      for (;;) {
        if (ctx.signal.aborted) break;
        const lines = await own(db)
          .selectFrom('cardGrantLine')
          .selectAll()
          .where('grantId', '=', grantId)
          .where('state', '=', 'PENDING')
          .$if(stuck.length > 0, (rows) => rows.where('id', 'not in', stuck))
          .where((eb) => eb.or([eb('effectiveFrom', 'is', null), eb('effectiveFrom', '<=', today)]))
          .orderBy('rowNo')
          .limit(CHUNK)
          .execute();
        if (lines.length === 0) break;
        for (const line of lines) {
          const done = await failures.run(`${grant.grantNo}第${line.rowNo}行`, async () => {
            try {
              await transaction((writing) =>
                issueLine(kernel, writing, { line, type, grantId, contractId, grantNo: grant.grantNo, actor: SYSTEM, now, traceId }),
              );
            } catch (error) {
              if (!(error instanceof Refusal)) throw error;
              const failReason = error.message.slice(0, 200);
              await transaction(({ tx }) =>
                own(tx).updateTable('cardGrantLine').set({ state: 'FAILED', failReason, doneAt: now }).where('id', '=', line.id).execute(),
              );
            }
          });
          if (!done) stuck.push(line.id);
        }
      }
      await transaction(async (writing) => {
        const { tx } = writing;
        const locked = await own(tx).selectFrom('cardGrant').selectAll().where('id', '=', grantId).forUpdate().executeTakeFirstOrThrow();
        if (locked.status !== 'EXECUTING') return;
        const counts = await own(tx)
          .selectFrom('cardGrantLine')
          .select(({ fn, eb }) => [
            fn.count<number>('id').filterWhere('state', '=', 'SUCCESS').as('ok'),
            fn.count<number>('id').filterWhere('state', '=', 'FAILED').as('failed'),
            fn.count<number>('id').filterWhere('state', '=', 'PENDING').as('waiting'),
            eb.lit(1).as('one'),
          ])
          .where('grantId', '=', grantId)
          .executeTakeFirstOrThrow();
        const failed = Number(counts.failed);
        // Of some lines the day has not come yet: the job of that day goes on.
        if (Number(counts.waiting) > 0) {
          await own(tx)
            .updateTable('cardGrant')
            .set({ okCount: Number(counts.ok), failCount: failed })
            .where('id', '=', grantId)
            .execute();
          return;
        }
        const status = await moveState(asSystem(writing, { now, traceId }), grantMachine, {
          targetType: 'card.grant',
          targetId: grantId,
          targetNo: grant.grantNo,
          action: failed > 0 ? 'partDone' : 'done',
          from: locked.status,
        });
        await own(tx)
          .updateTable('cardGrant')
          .set((eb) => ({ status, okCount: Number(counts.ok), failCount: failed, doneAt: now, version: eb('version', '+', 1) }))
          .where('id', '=', grantId)
          .execute();
      });
      failures.throwIfAny();
    },
  });

/** Lines of which the day has come. */
export const dueLinesJob = (kernel: Kernel): JobDeclaration => ({
  name: 'card.grantDue',
  label: '储值按生效日期发放',
  cron: '5 0 * * *',
  async run(_data, { db, now, transaction }) {
    const grants = await own(db)
      .selectFrom('cardGrant as g')
      .select('g.id')
      .where('g.status', '=', 'EXECUTING')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('cardGrantLine as l')
            .select('l.id')
            .whereRef('l.grantId', '=', 'g.id')
            .where('l.state', '=', 'PENDING')
            .where('l.effectiveFrom', '<=', dayOf(now)),
        ),
      )
      .orderBy('g.id')
      .execute();
    for (const { id } of grants) await transaction((writing) => writing.enqueue(executeJob(kernel), { grantId: id }));
  },
});
