import { dayOf, showInstant, type Instant } from '#kernel/contract/time.ts';
import type { Span } from '../../../contract/calls/liveCodes.ts';
import { sql } from 'kysely';
import type { ChooseLive } from '../../landing/record.ts';

export interface LiveCandidate {
  id: string;
  memberId: string;
  status: number;
  canContact: boolean;
  wayState: string;
  weight: number;
  dailyLimit: number;
  spans: readonly Span[];
  isBackup: boolean;
  lastShownAt: Instant | null;
  shown: number;
  added: number;
}

/** Status of a member who is no longer in the company. */
const LEFT = 5;

type Strategy = 'ROUND' | 'LEAST' | 'WEIGHT' | 'SAME';

/** Whether a moment lies in one of the spans, in Asia/Shanghai; no spans at all: always. */
export function isInSpans(spans: readonly Span[], now: Instant): boolean {
  if (spans.length === 0) return true;
  const weekday = ((new Date(`${dayOf(now)}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
  const time = showInstant(now).slice(11, 16);
  return spans.some((span) => span.weekday === weekday && span.from <= time && time < span.to);
}

/** A member that WeChat Work can show at all. */
const isUsable = (one: LiveCandidate): boolean => one.status === 1 && one.canContact && one.wayState === 'READY';

/** A member that may be shown now. */
export const isAvailable = (one: LiveCandidate, now: Instant): boolean =>
  isUsable(one) && isInSpans(one.spans, now) && (one.dailyLimit === 0 || one.added < one.dailyLimit);

const byId = (a: LiveCandidate, b: LiveCandidate) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1);
const oldest = (a: LiveCandidate, b: LiveCandidate) => (a.lastShownAt ?? '').localeCompare(b.lastShownAt ?? '') || byId(a, b);
const orders: Record<Exclude<Strategy, 'SAME'>, (a: LiveCandidate, b: LiveCandidate) => number> = {
  ROUND: oldest,
  LEAST: (a, b) => a.added - b.added || a.shown - b.shown || byId(a, b),
  // shown/weight compared without division
  WEIGHT: (a, b) => a.shown * b.weight - b.shown * a.weight || byId(a, b),
};

/**
 * The member that a live code shows (R8): of the available ones by the strategy, else a backup whatever its limit and
 * hours, else nobody.
 * @param earlier member to whom this visitor already belongs; strategy SAME shows it, available or not, unless the member has left
 */
export function chooseMember(
  all: readonly LiveCandidate[],
  strategy: Strategy,
  now: Instant,
  earlier: string | null = null,
): LiveCandidate | null {
  if (strategy === 'SAME' && earlier !== null) {
    const same = all.find((one) => one.memberId === earlier && one.wayState === 'READY' && one.status !== LEFT);
    if (same) return same;
  }
  const order = orders[strategy === 'SAME' ? 'ROUND' : strategy];
  const available = all.filter((one) => !one.isBackup && isAvailable(one, now)).sort(order);
  return available[0] ?? all.filter((one) => one.isBackup && isUsable(one)).sort(oldest)[0] ?? null;
}

/** Chooses and counts under the lock of the live code's row, so that parallel scans are shared out fairly. */
export const chooseLive: ChooseLive = async (tx, codeId, visitorId, now) => {
  const { rows: codes } = await sql<{
    id: string;
    strategy: Strategy;
    offHoursText: string;
  }>`select id, strategy, off_hours_text from channel_live_code where code_id = ${codeId} and state = 'ACTIVE' for update`.execute(tx);
  const code = codes[0];
  if (!code) return { liveMemberId: null, memberName: null, qrUrl: null, offHoursText: '' };
  const { rows } = await sql<LiveCandidate & { name: string; qrUrl: string | null }>`
    select m.id, m.member_id, w.name, w.status, w.can_contact, m.way_state, m.weight, m.daily_limit, m.spans, m.is_backup, m.last_shown_at,
        coalesce(d.shown, 0) as shown, coalesce(d.added, 0) as added, m.qr_url
      from channel_live_code_member m
      join channel_wecom_member w on w.id = m.member_id
      left join channel_live_member_day d on d.live_code_member_id = m.id and d.day = ${dayOf(now)}::date
      where m.live_code_id = ${code.id} and not m.removed
      order by m.id`.execute(tx);
  const { rows: earlier } =
    code.strategy === 'SAME'
      ? await sql<{ memberId: string }>`
        select member_id
          from channel_wecom_contact
          where visitor_id = ${visitorId} and status = 'ACTIVE'
          order by added_at desc limit 1`.execute(tx)
      : { rows: [] };
  const chosen = chooseMember(rows, code.strategy, now, earlier[0]?.memberId ?? null);
  if (!chosen) return { liveMemberId: null, memberName: null, qrUrl: null, offHoursText: code.offHoursText };
  await sql`update channel_live_code_member set last_shown_at = ${now} where id = ${chosen.id}`.execute(tx);
  await sql`
    insert into channel_live_member_day (live_code_member_id, day, shown)
      values (${chosen.id}, ${dayOf(now)}, 1)
      on conflict (live_code_member_id, day) do update
      set shown = channel_live_member_day.shown + 1`.execute(tx);
  const row = rows.find(({ id }) => id === chosen.id)!;
  return { liveMemberId: chosen.id, memberName: row.name, qrUrl: row.qrUrl, offHoursText: code.offHoursText };
};
