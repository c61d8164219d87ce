import { hours, minutes, plusMs, type Instant } from '../../contract/time.ts';
import type { Tx } from '../context.ts';
import type { Kernel } from '../kernel.ts';

/** So long after an outcome became open it is asked for; behind the last of them every hour. */
const STEPS_MS: readonly number[] = [1, 5, 15, 60].map(minutes);
const FURTHER_MS = hours(1);
/** People are told of an outcome that is open for so long. */
const TOLD_AFTER_MS = hours(24);

/** What a record keeps of a payment, refund or payout whose outcome is open; both null while it is not. */
export interface OpenOutcome {
  unknownSince: Instant | null;
  /** When it is asked for next; `askDueAt <= now` finds those that are due. */
  askDueAt: Instant | null;
}

/** Of an outcome that is known. */
export const known: OpenOutcome = { unknownSince: null, askDueAt: null };

/**
 * Whoever asked has learned nothing.
 * @param since when the outcome became open; null: now
 * @returns the next moment of the schedule (1, 5, 15, 60 minutes, then hourly) behind `now`, however long nobody asked
 */
export function stillOpen(since: Instant | null, now: Instant): OpenOutcome & { unknownSince: Instant; askDueAt: Instant } {
  const unknownSince = since ?? now;
  const openMs = Date.parse(now) - Date.parse(unknownSince);
  const step = STEPS_MS.find((ms) => ms > openMs) ?? (Math.floor(openMs / FURTHER_MS) + 1) * FURTHER_MS;
  return { unknownSince, askDueAt: plusMs(unknownSince, step) };
}

interface LateOutcome {
  /** Of the to-do: one for each payment or refund, closed by `kernel.ports.notices.closeTodo` when its outcome is known. */
  businessKey: string;
  /** The payment or refund as people name it, with its number. */
  name: string;
  link: string;
  /** Whoever has it looks after the outcome. */
  permission: { code: string };
}

/** A to-do once an outcome has been open for a day; however often it is said, there is one. */
export async function addLateTodo(
  { ports }: Pick<Kernel, 'ports'>,
  tx: Tx,
  { unknownSince }: OpenOutcome,
  { businessKey, name, link, permission }: LateOutcome,
  now: Instant,
): Promise<void> {
  if (unknownSince === null || Date.parse(now) - Date.parse(unknownSince) < TOLD_AFTER_MS) return;
  const body = '系统每小时向支付渠道查询一次。请向渠道核实结果，核实前不要重复付款或退款。';
  await ports.notices.addTodo(tx, { businessKey, title: `${name}超过24小时结果未知`, body, link, permission: permission.code }, now);
}
