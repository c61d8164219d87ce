import { refuse } from '#kernel/contract/errors.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { command } from '#kernel/server/handler.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { generateInstalments } from '../../contract/calls/premium.ts';
import { policyErrors } from '../../contract/errors.ts';
import { premiumPermissions as may } from '../../contract/permissions.ts';
import { endorsementMachine } from '../../contract/states.ts';
import { policyRecords, type PolicyRecord } from '../access.ts';
import { json, own } from '../database.ts';
import { hasBatch } from '../batches/records.ts';
import { carryOut, lockedPolicy } from '../endorsements/carryOut.ts';
import { instalmentsUntil } from './instalmentOrders.ts';

export const generate = command(generateInstalments, async ({ policyId, until }, ctx) => {
  await policyRecords.get(ctx.tx, ctx.staff, policyId);
  const policy = await lockedPolicy(ctx.tx, policyId);
  const orderNos = await instalmentsUntil(ctx, policy, until);
  if (orderNos.length === 0) {
    const last = await own(ctx.tx)
      .selectFrom('policyPremiumOrder')
      .select('premiumOrderNo')
      .where('policyId', '=', policyId)
      .where('kind', 'in', ['INSTALMENT', 'NEW'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    throw refuse(policyErrors.PERIOD_TAKEN, { no: last?.premiumOrderNo ?? '（趸交或尚无首期订单）' });
  }
  ctx.target({ type: 'policy.policy', id: policy.id, no: policy.policyNo });
  return { orderNos };
});

/** The system suspends a policy whose payer let the grace pass; cover ends with the last day of grace. */
export async function suspendOverdue(acting: Acting, secrets: Secrets, policy: PolicyRecord, on: Day): Promise<void> {
  const row = await own(acting.tx)
    .insertInto('policyEndorsement')
    .values({
      endorsementNo: await nextNumber(acting.tx, 'PD', acting.today),
      policyId: policy.id,
      kind: 'SUSPEND',
      effectiveOn: on,
      reason: '保费超过宽限期未缴',
      before: json({ coverageEnd: policy.coverageEnd }),
      after: json({ differences: [{ label: '保单状态', before: '有效', after: `中止，自${on}起无保障` }] }),
      state: 'DRAFT',
      makerName: '系统',
      ...createdColumns(acting),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await moveState(acting, endorsementMachine, {
    targetType: 'policy.endorsement',
    targetId: row.id,
    targetNo: row.endorsementNo,
    action: 'apply',
    from: 'DRAFT',
    opinion: row.reason,
  });
  const prepared = { persons: [], person: null, policyFacts: { state: 'SUSPENDED' as const }, differences: [], uses: [], firstDay: on };
  await carryOut(acting, secrets, policy, row, prepared, null);
}

/** Days before the end of the grace on which who collects is reminded. */
const REMINDERS = [7, 1] as const;

/** What a morning does to one policy that is paid in parts. */
async function checkPolicy(acting: Acting, { secrets, ports }: Pick<Kernel, 'secrets' | 'ports'>, id: string): Promise<void> {
  const { now, today } = acting;
  const policy = await lockedPolicy(acting.tx, id);
  await instalmentsUntil(acting, policy, plusDays(today, 30));
  const open = await own(acting.tx)
    .selectFrom('policyPremiumOrder')
    .select(['id', 'premiumOrderNo', 'dueOn', 'remindedDays'])
    .where('policyId', '=', id)
    .where('kind', 'in', ['INSTALMENT', 'RENEWAL'])
    .where('direction', '=', 'COLLECT')
    .where('state', 'in', ['APPROVED', 'PART_SETTLED'])
    .orderBy('dueOn')
    .execute();
  const [oldest] = open;
  if (!oldest) return;
  const graceEnd = plusDays(oldest.dueOn, policy.graceDays);
  // A list that is taking effect would find its policy changed: the next morning it has.
  if (today > graceEnd && policy.state === 'IN_FORCE' && !(await hasBatch(acting.tx, [policy.id])))
    await suspendOverdue(acting, secrets, policy, plusDays(graceEnd, 1));
  const reminder = REMINDERS.find((days) => today >= plusDays(graceEnd, -days) && today <= graceEnd && !oldest.remindedDays.includes(days));
  if (reminder === undefined) return;
  await ports.notices.addAlert(
    acting.tx,
    {
      businessKey: `policy.grace:${oldest.id}:${reminder}`,
      title: `保单${policy.policyNo}的保费订单${oldest.premiumOrderNo}将于${graceEnd}结束宽限期`,
      permission: may['premium.make'].code,
    },
    now,
  );
  await own(acting.tx)
    .updateTable('policyPremiumOrder')
    .set({
      remindedDays: [...oldest.remindedDays, ...REMINDERS.filter((days) => days >= reminder && !oldest.remindedDays.includes(days))],
    })
    .where('id', '=', oldest.id)
    .execute();
}

/** Every morning: instalments of the next month, reminders before the grace ends, suspension behind it. */
export const graceJob = ({ secrets, ports }: Kernel) =>
  job({
    name: 'policy.watchGrace',
    label: '期缴保费生成与宽限期检查',
    cron: '30 0 * * *',
    expireSeconds: 3600,
    async run(_data, ctx) {
      const { db, now, signal, traceId, transaction } = ctx;
      const failures = isolateFailures(ctx);
      const found = await own(db)
        .selectFrom('policyPolicy')
        .select(['id', 'policyNo'])
        .where('payMode', '<>', 'LUMP')
        .where('state', 'in', ['PENDING', 'IN_FORCE', 'SUSPENDED'])
        .orderBy('id')
        .execute();
      for (const { id, policyNo } of found) {
        if (signal.aborted) break;
        await failures.run(policyNo, () =>
          transaction((writing) => checkPolicy(asSystem(writing, { now, traceId }), { secrets, ports }, id)),
        );
      }
      failures.throwIfAny();
    },
  });
