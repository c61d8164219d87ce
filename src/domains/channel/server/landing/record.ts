import { sql } from 'kysely';
import { dayOf, plusMs, type Instant } from '#kernel/contract/time.ts';
import { countUse } from '#kernel/server/command/rateLimit.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { LandingCode, Verdict } from './code.ts';
import type { Visit } from './visit.ts';

/** A repeat within this time is the same look at the same code. */
const REPEAT_MS = 10_000;
const MOST_PER_MINUTE = 60;

export type Result = Verdict | 'LIMIT' | 'UNKNOWN' | 'BOT' | 'THROTTLED';

export interface Recorded {
  scanId: string;
  result: Result;
  /** What a live code shows. */
  live: LiveChoice | null;
}

export interface LiveChoice {
  liveMemberId: string | null;
  memberName: string | null;
  qrUrl: string | null;
  offHoursText: string;
}

/** Chooses the member that a live code shows, under a row lock; counts it as shown. */
export type ChooseLive = (tx: Tx, codeId: string, visitorId: string, now: Instant) => Promise<LiveChoice>;

interface Scan {
  code: LandingCode | null;
  token: string;
  visit: Visit;
  verdict: Verdict | 'UNKNOWN';
}

/**
 * Writes a scan. Counting and the limit of scans happen under the lock of the code's row, so that parallel visits can
 * neither pass the limit nor count twice.
 */
export async function recordScan(
  kernel: Kernel,
  { code, token, visit, verdict }: Scan,
  now: Instant,
  chooseLive: ChooseLive,
): Promise<Recorded> {
  // Whoever tries out codes is a crowd, too.
  const crowded =
    (verdict === 'OK' || verdict === 'UNKNOWN') &&
    !visit.isBot &&
    (await countUse(kernel.db, `q:${visit.ipHash}`, { max: MOST_PER_MINUTE, seconds: 60 }, now)) > 0;
  return kernel.transactions.run('scan', async ({ tx }) => {
    let result: Result = visit.isBot ? 'BOT' : crowded ? 'THROTTLED' : verdict;
    let counted = false;
    let isNew = false;
    if (code && result === 'OK') {
      const taken = await sql`
        update channel_qr_code
          set ok_count = ok_count + 1, last_scan_at = ${now}
          where id = ${code.id} and (scan_limit is null or ok_count < scan_limit)`.execute(tx);
      if (taken.numAffectedRows === 0n) result = 'LIMIT';
      else {
        const { rows } = await sql<{
          last: Instant | null;
        }>`select max(at) as last from channel_qr_scan where visitor_id = ${visit.visitorId} and code_id = ${code.id} and counted`.execute(
          tx,
        );
        const last = rows[0]!.last;
        isNew = last === null;
        counted = last === null || plusMs(last, REPEAT_MS) <= now;
      }
    }
    const live =
      code?.kind === 'LIVE' && (result === 'OK' || result === 'THROTTLED') ? await chooseLive(tx, code.id, visit.visitorId, now) : null;
    const { rows } = await sql<{ id: string }>`
      insert into channel_qr_scan (
        code_id, token, channel_id, agent_id, scene_code_id, doctor_id, live_member_id, at, visitor_id, ip_hash, client, os, is_new,
        counted, result
      )
        values (
          ${code?.id ?? null}, ${token}, ${code?.channelId ?? null}, ${code?.agentId ?? null}, ${code?.sceneCodeId ?? null},
          ${code?.doctorId ?? null}, ${live?.liveMemberId ?? null}, ${now}, ${visit.isBot ? null : visit.visitorId}, ${visit.ipHash},
          ${visit.client}, ${visit.os}, ${isNew}, ${counted}, ${result}
        )
        returning id`.execute(tx);
    if (counted) await sql`insert into channel_dirty_day (day) values (${dayOf(now)}) on conflict do nothing`.execute(tx);
    return { scanId: rows[0]!.id, result, live };
  });
}
