import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { ConsumerContext } from '#kernel/server/outbox/consumer.ts';
import type { Tx } from '#kernel/server/context.ts';
import { readScan } from '../landing/scanToken.ts';
import { markDirty } from './dirty.ts';

interface Conversion {
  kind: 'REGISTER_DOCTOR' | 'REGISTER_PATIENT' | 'ADD_CONTACT' | 'FIRST_ORDER' | 'ORDER';
  subjectKey: string;
  scanToken?: string | null;
  scanId?: string | null;
  channelId?: string | null;
  codeId?: string | null;
  amountFen?: string;
  match?: 'EXACT' | 'GUESS';
  at: Instant;
}

/** Notes what followed from a scan, once per kind and subject; without scan and channel there is nothing to note. */
export async function convert(ctx: Pick<ConsumerContext, 'tx' | 'kernel' | 'now'>, conversion: Conversion): Promise<void> {
  const proven = conversion.scanToken ? readScan(ctx.kernel.secrets, conversion.scanToken, ctx.now)?.scanId : undefined;
  const scanId = proven ?? conversion.scanId ?? null;
  const scan = scanId === null ? null : await scanRow(ctx.tx, scanId);
  const channelId = conversion.channelId ?? scan?.channelId ?? null;
  if (channelId === null) return;
  const { rows } = await sql<{ channelId: string }>`
    insert into channel_scan_conversion (kind, subject_key, scan_id, code_id, channel_id, amount_fen, match, at)
    select ${conversion.kind}, ${conversion.subjectKey}, ${scan?.id ?? null}, ${conversion.codeId ?? scan?.codeId ?? null}, c.id,
      ${conversion.amountFen ?? '0'}, ${conversion.match ?? 'EXACT'}, ${conversion.at}
    from channel_channel c where c.id = ${channelId} on conflict (kind, subject_key) do nothing returning channel_id`.execute(ctx.tx);
  if (rows.length > 0 && conversion.kind === 'ORDER')
    await sql`
      update channel_channel
        set order_count = order_count + 1, order_fen = order_fen + ${conversion.amountFen ?? '0'}::bigint
        where id = ${channelId}`.execute(ctx.tx);
  await markDirty(ctx.tx, conversion.at);
}

async function scanRow(tx: Tx, id: string) {
  const { rows } = await sql<{
    id: string;
    codeId: string | null;
    channelId: string | null;
  }>`select id, code_id, channel_id from channel_qr_scan where id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** A refund takes away from the day of the payment, never below nothing. */
export async function refund(ctx: Pick<ConsumerContext, 'tx'>, orderId: string, refundFen: string): Promise<void> {
  const { rows } = await sql<{ at: Instant; channelId: string; taken: string }>`
    with before as (
      select id, least(amount_fen, ${refundFen}::bigint) as taken
        from channel_scan_conversion
        where kind = 'ORDER' and subject_key = ${orderId} for update
    ) update channel_scan_conversion v
    set amount_fen = v.amount_fen - b.taken
    from before b
    where v.id = b.id
    returning v.at, v.channel_id, b.taken::text as taken`.execute(ctx.tx);
  for (const { at, channelId, taken } of rows) {
    await sql`update channel_channel set order_fen = order_fen - ${taken}::bigint where id = ${channelId}`.execute(ctx.tx);
    await markDirty(ctx.tx, at);
  }
}
