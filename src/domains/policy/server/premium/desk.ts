import { partIn, requireAnother } from '#kernel/server/audit/fourEyes.ts';
import { sql } from 'kysely';
import { refuse, type ErrorDeclaration } from '#kernel/contract/errors.ts';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { holdsLease, releaseLease, takeLease } from '#kernel/server/lease/lease.ts';
import { claimNextPremiumOrder, heartbeatPremiumOrder, releasePremiumOrder, takeoverPremiumOrder } from '../../contract/calls/premium.ts';
import { policyErrors } from '../../contract/errors.ts';
import { premiumMachine } from '../../contract/premiumStates.ts';
import { insurerScope, premiumRecords, type PremiumRecord } from '../access.ts';

/** Minutes that an order is kept for who took it. */
const LEASE_MINUTES = 15;
const resource = (id: string) => ({ type: 'policy.premiumOrder', id });

export const contributorsOf = ({ makerId, createdBy, state, firstCheckerId }: PremiumRecord) => [
  makerId,
  createdBy,
  ...(state === 'PENDING_SECOND' ? [firstCheckerId] : []),
];

/** Before anything else is looked at. @throws Refusal as declared for whoever contributed */
export const requireOther = (ctx: CommandContext, row: PremiumRecord, declared: ErrorDeclaration): Promise<void> =>
  requireAnother(ctx.tx, ctx.staff, { targetType: 'policy.premiumOrder', targetId: row.id, contributors: contributorsOf(row) }, declared);

async function taken(ctx: CommandContext, order: Pick<PremiumRecord, 'id' | 'version'>, takeover = false) {
  const lease = await takeLease(ctx.tx, resource(order.id), ctx.staff, { minutes: LEASE_MINUTES, now: ctx.now, takeover });
  if (lease.userId !== ctx.staff.userId) throw refuse(policyErrors.HELD_BY_OTHER, { user: lease.displayName });
  return { id: order.id, version: order.version, leaseUntil: lease.until };
}

/** @throws Refusal SCM13043 where somebody else has the order, or nobody has it any more */
export async function requireLease(ctx: CommandContext, orderId: string): Promise<void> {
  if (!(await holdsLease(ctx.tx, resource(orderId), ctx.staff.userId, ctx.now))) throw refuse(policyErrors.LEASE_LOST);
}
/** @throws Refusal SCM13041 while somebody checks the order */
export async function requireUnheld(ctx: CommandContext, orderId: string): Promise<void> {
  const { rows } = await sql<{ displayName: string }>`
    select display_name from kernel_lease where resource_type = 'policy.premiumOrder' and resource_id = ${orderId}
      and until > ${ctx.now}::timestamptz for update`.execute(ctx.tx);
  if (rows[0]) throw refuse(policyErrors.HELD_BY_OTHER, { user: rows[0].displayName });
}
export const giveBack = (ctx: CommandContext, orderId: string): Promise<void> => releaseLease(ctx.tx, resource(orderId), ctx.staff.userId);

/** The order that waits longest and that nobody has, or the one that is asked for; his own ones are left to others. */
const claimNext = command(claimNextPremiumOrder, async ({ id }, ctx) => {
  const wanted = id === undefined ? null : await premiumRecords.get(ctx.tx, ctx.staff, id);
  const { rows } = await sql<{ id: string; version: number }>`
    select o.id, o.version
      from policy_premium_order o
      join policy_policy p on p.id = o.policy_id
      where o.state = 'PENDING_AUDIT'
        and o.maker_id is distinct from ${ctx.staff.userId}::bigint
        and ${partIn('policy.premiumOrder', sql`o.id`, ctx.staff.userId)} is null
        and (${wanted?.id ?? null}::bigint is null or o.id = ${wanted?.id ?? null}::bigint)
        and ${scopeFilter(insurerScope('p.insurerId'), ctx.staff)}
        and not exists (
          select from kernel_lease l
            where l.resource_type = 'policy.premiumOrder'
              and l.resource_id = o.id::text
              and l.until > ${ctx.now}::timestamptz
              and l.user_id <> ${ctx.staff.userId}::bigint
        )
      order by exists (
        select from kernel_lease l
          where l.resource_type = 'policy.premiumOrder' and l.resource_id = o.id::text and l.until > ${ctx.now}::timestamptz
      ) desc,
        o.due_on, o.id
      limit 1 for update of o skip locked`.execute(ctx.tx);
  const [row] = rows;
  if (!row && wanted) {
    await requireOther(ctx, wanted, policyErrors.OWN_ORDER);
    await requireUnheld(ctx, wanted.id);
  }
  if (!row) throw refuse(policyErrors.NOTHING_WAITS);
  ctx.target({ type: 'policy.premiumOrder', id: row.id });
  return taken(ctx, row);
});

const heartbeat = command(heartbeatPremiumOrder, async ({ id }, ctx) => {
  const order = await premiumRecords.lock(ctx.tx, ctx.staff, id);
  await requireLease(ctx, id);
  return taken(ctx, order);
});

const release = command(releasePremiumOrder, async ({ id }, ctx) => {
  await premiumRecords.get(ctx.tx, ctx.staff, id);
  await giveBack(ctx, id);
  return {};
});

const takeover = command(takeoverPremiumOrder, async ({ id, opinion }, ctx) => {
  const order = await premiumRecords.lock(ctx.tx, ctx.staff, id);
  await moveState(ctx, premiumMachine, {
    targetType: 'policy.premiumOrder',
    targetId: id,
    targetNo: order.premiumOrderNo,
    action: 'takeover',
    from: order.state,
    opinion,
  });
  return taken(ctx, order, true);
});

export const deskHandlers = [claimNext, heartbeat, release, takeover];
