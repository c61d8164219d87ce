import { sql } from 'kysely';
import { dayOf, hours, plusMs } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { DemoContext } from '#kernel/server/kernel.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';

/**
 * What an old proof found: one mended by the adjustment, one in work, one explained. The oldest of the nightly proofs found them; the
 * next one that runs closes what is no longer there.
 */
export async function writeFindings(ctx: DemoContext, tx: Tx): Promise<void> {
  const { rows: proofs } = await sql<{ id: string; finishedAt: string }>`
    select id, finished_at from ledger_proof where book = 'CARD' and kind = 'NIGHTLY' order by id limit 1`.execute(tx);
  const { rows: accounts } = await sql<{
    id: string;
  }>`select id from ledger_account where book = 'CARD' order by lotted desc, floor_fen is null, id limit 2`.execute(tx);
  const [proof] = proofs;
  const [mender] = await checkersFor(tx, { permission: may['proof.manage'].code, today: dayOf(ctx.now), keyword: 'fin_r', limit: 1 });
  if (!proof || accounts.length < 2) return;
  const { rows: adjusted } = await sql<{ id: string; adjustNo: string }>`
    select id, adjust_no from ledger_adjustment where book = 'CARD' and status = 'POSTED' order by id limit 1`.execute(tx);
  const closedAt = plusMs(proof.finishedAt, hours(9));
  const [one, other] = [accounts[0]!.id, accounts[1]!.id];
  await sql`update ledger_proof set status = 'FAILED' where id = ${proof.id}`.execute(tx);
  await sql`
    insert into ledger_finding (
      proof_id, book, finding_code, object_key, account_id, expected_fen, actual_fen, status, owner_user_id, resolution, adjustment_id,
      created_at, closed_at
    )
      select ${proof.id}, 'CARD', u.code, u.key, u.account, u.expected, u.actual, u.status, ${mender?.userId ?? null}::bigint, u.resolution,
          u.adjustment, ${proof.finishedAt}::timestamptz, case when u.status = 'ASSIGNED' then null else ${closedAt}::timestamptz end
        from (
          values (
            'P5', 'account:' || ${one}, ${one}::bigint, 1284300::bigint, 1280650::bigint, 'RESOLVED',
            ${`按调账${adjusted[0]?.adjustNo ?? ''}更正`}, ${adjusted[0]?.id ?? null}::bigint
          ),
            ('P6', 'account:' || ${other}, ${other}::bigint, 52000::bigint, 51900::bigint, 'ASSIGNED', null, null::bigint),
            ('P7', 'account:' || ${other}, ${other}::bigint, 0::bigint, 600::bigint, 'IGNORED', '检查时点有一笔预占正在释放，次日复查一致', null::bigint)
        ) as u (code, key, account, expected, actual, status, resolution, adjustment)`.execute(tx);
}
