import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { SendWish } from '../im/hooks.ts';
import { roundsUsedUp } from '../rules/rounds.ts';

interface Row {
  groupId: string;
  sendPolicy: string;
  serverStatus: string | null;
  expireAt: Instant | null;
  roundUsed: number | null;
  roundLimit: number | null;
}
const OVER = '问诊已结束，如需继续咨询请重新购买服务';
const ROUNDS = '本次问诊轮次已用完，请重新购买服务';

/** The truth is the deadline at the moment of writing, however late a job may be. */
function refusalOf({ sendPolicy, serverStatus, expireAt, roundUsed, roundLimit }: Row, now: Instant): string | null {
  if (sendPolicy === 'ALWAYS') return null;
  if (serverStatus === null || !['1', '2', '3'].includes(serverStatus)) return OVER;
  if (expireAt !== null && expireAt < now) return OVER;
  return roundsUsedUp(roundUsed ?? 0, roundLimit ?? 0) ? ROUNDS : null;
}

/** Patients write while their service runs; doctors and assistants whenever they are members. */
export async function sendPolicy(tx: Tx, wishes: readonly SendWish[], now: Instant): Promise<ReadonlyMap<SendWish, string>> {
  const groupIds = [...new Set(wishes.flatMap(({ role, groupId }) => (role === 'PATIENT' && groupId !== null ? [groupId] : [])))];
  if (groupIds.length === 0) return new Map();
  const { rows } = await sql<Row>`
    select g.group_id, g.send_policy, i.server_status, i.expire_at, i.round_used, i.round_limit
      from consultation_medical_group g
      left join consultation_inquiry i on i.id = g.current_inquiry_id
      where g.group_id = any(${groupIds}::text[])`.execute(tx);
  const refusals = new Map(rows.map((row) => [row.groupId, refusalOf(row, now)]));
  return new Map(
    wishes.flatMap((wish): [SendWish, string][] => {
      const refusal = wish.role === 'PATIENT' && wish.groupId !== null ? refusals.get(wish.groupId) : null;
      return refusal ? [[wish, refusal]] : [];
    }),
  );
}
