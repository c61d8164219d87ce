import { sql } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Tx } from '#kernel/server/context.ts';
import { pinVersion } from '#domains/insurance/server/index.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';

/**
 * Policies on which something hangs already, each with what stands against removing it.
 * @param besides the list that goes with them
 */
export async function policiesInUse(
  tx: Tx,
  ids: readonly string[],
  besides: string | null = null,
): Promise<{ id: string; message: string }[]> {
  const { rows } = await sql<{ id: string; listed: string | null; renewed: string | null; used: boolean }>`
    select p.id::text as id,
        (
          select b.batch_no
            from policy_insured_batch b
            where (p.id = any(b.chosen_policy_ids) or b.policy_ids && array[p.id])
              and b.state not in ('DISCARDED', 'UNDONE')
              and b.id is distinct from ${besides}::bigint
            limit 1
        ) as listed,
        (select coalesce(r.policy_no, '') from policy_policy r where r.renewal_of_policy_id = p.id limit 1) as renewed,
        exists (select from policy_endorsement e where e.policy_id = p.id)
        or exists (select from policy_premium_order o where o.policy_id = p.id)
        or exists (select from policy_insured_batch b where b.renews_policy_id = p.id) as used
      from policy_policy p
      where p.id = any(${[...ids]}::bigint[])
      order by p.id`.execute(tx);
  return rows.flatMap(({ id, listed, renewed, used }) => {
    if (listed !== null) return [{ id, message: `保单有清单批次${listed}，请先作废该批次` }];
    if (renewed !== null) return [{ id, message: `保单已由保单${renewed}续保，不能删除` }];
    return used ? [{ id, message: '保单已有批单或保费，不能删除，请走注销或退保' }] : [];
  });
}

/** Removes a policy that nothing ever hung on; its product's version is free of it. */
export async function erasePolicy(
  { tx, now }: Pick<Acting, 'tx' | 'now'>,
  { id, productVersionId, coverageStart }: Pick<PolicyRecord, 'id' | 'productVersionId' | 'coverageStart'>,
): Promise<void> {
  // rows of lists that were given up still say whose they were
  await sql`
    update policy_insured_batch_row r set policy_id = null from policy_insured_batch b
    where b.id = r.batch_id and b.policy_ids && array[${id}::bigint] and r.policy_id = ${id}`.execute(tx);
  await own(tx).deleteFrom('policyPolicy').where('id', '=', id).execute();
  await pinVersion(tx, { productVersionId, refType: 'policy.policy', refId: id, endsOn: coverageStart, now });
}
