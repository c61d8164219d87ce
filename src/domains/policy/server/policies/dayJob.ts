import { dayOf, plusDays } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { policyMachine } from '../../contract/states.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import { refreshPersons, refreshPolicy } from '../cover/cache.ts';
import { lockedPolicy, stateByDays } from '../endorsements/carryOut.ts';
import { publishPolicyState } from '../endorsements/publish.ts';

/** Policies of one transaction. */
const AT_ONCE = 20;

/** Where the days have taken a policy: it begins, it ends. What rests stays at rest until it ends. */
async function moveOn(acting: Acting, policy: PolicyRecord): Promise<void> {
  const state = stateByDays(policy, acting.today);
  const action = state === 'EXPIRED' ? 'expire' : policy.state === 'PENDING' && state === 'IN_FORCE' ? 'start' : null;
  if (action === null || !policyMachine.canStart(action, policy.state)) return;
  await moveState(acting, policyMachine, {
    targetType: 'policy.policy',
    targetId: policy.id,
    targetNo: policy.policyNo,
    action,
    from: policy.state,
  });
  await own(acting.tx)
    .updateTable('policyPolicy')
    .set((eb) => ({ state, ...updatedColumns(acting), version: eb('version', '+', 1) }))
    .where('id', '=', policy.id)
    .execute();
  if (state === 'EXPIRED') await publishPolicyState(acting, policy, 'EXPIRED', policy.coverageEnd, null);
}

/** Every night: policies begin and end, and lists show whose cover began or ended with the day. */
export const dayJob = job({
  name: 'policy.turnDay',
  label: '保单每日生效与满期',
  cron: '5 0 * * *',
  expireSeconds: 3600,
  async run(_data, ctx) {
    const { db, now, signal, traceId, transaction } = ctx;
    const failures = isolateFailures(ctx);
    const today = dayOf(now);
    let after = '0';
    for (;;) {
      if (signal.aborted) return failures.throwIfAny();
      const found = await own(db)
        .selectFrom('policyPolicy')
        .select(['id', 'policyNo'])
        .where('id', '>', after)
        .where('state', 'in', ['PENDING', 'IN_FORCE', 'SUSPENDED'])
        .where('coverageStart', '<=', plusDays(today, 1))
        .orderBy('id')
        .limit(AT_ONCE)
        .execute();
      const last = found.at(-1);
      if (!last) return failures.throwIfAny();
      after = last.id;
      await failures.runTogether(
        found,
        ({ policyNo }) => policyNo,
        (some) =>
          transaction(async (writing) => {
            const acting = asSystem(writing, { now, traceId });
            for (const { id } of some) {
              const policy = await lockedPolicy(acting.tx, id);
              await moveOn(acting, policy);
              await refreshPersons(acting.tx, { policyId: id }, today);
              await refreshPolicy(acting.tx, id, today);
            }
          }),
      );
    }
  },
});
