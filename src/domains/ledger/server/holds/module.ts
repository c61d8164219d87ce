import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf } from '../books.ts';
import { holdExport, holdList } from './list.ts';

const CHUNK = 200;

/** Frees holds whose time is over, so many in one transaction. */
const timeOutJob = (kernel: Kernel) =>
  job({
    name: 'ledger.timeOutHolds',
    label: '预占超时释放',
    everySeconds: 60,
    async run(_data, ctx) {
      const ledger = ledgerOf(kernel);
      const failures = isolateFailures(ctx);
      for (let after = '0'; !ctx.signal.aborted;) {
        const due = await ledger.overdueHolds(ctx.db, ctx.now, { after, limit: CHUNK });
        const last = due.at(-1);
        if (!last) break;
        after = last.id;
        await failures.runTogether(
          due,
          ({ businessKey }) => `预占${businessKey}`,
          (some) =>
            ctx.transaction((writing) =>
              ledger.timeOutHolds(
                { ...writing, now: ctx.now, traceId: ctx.traceId },
                some.length,
                some.map(({ id }) => id),
              ),
            ),
        );
      }
      failures.throwIfAny();
    },
  });

/** Money that is set aside for a document. */
export const holdsModule: FeatureModule = {
  handlers: (kernel) => [holdList(kernel).handler],
  exports: (kernel) => [holdExport(kernel)],
  jobs: (kernel) => [timeOutJob(kernel)],
};
