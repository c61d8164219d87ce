import { dayOf, minutes, plusMs, type Day, type Instant } from '../../../../kernel/contract/time.ts';
import type { TouchKind } from '../dictionaries.ts';
import type { SendReason } from './states.ts';
import { inWindow, nextOpening } from './window.ts';

export const holdReasons = ['KILL', 'PAUSED', 'ACTIVE', 'QUIET', 'CAP'] as const satisfies readonly SendReason[];
export type HoldReason = (typeof holdReasons)[number];
export type SkipReason = Exclude<SendReason, 'KILL' | 'PAUSED' | 'ACTIVE'>;

/** Reasons for which the run itself ends. */
export type GateStop = 'DECEASED' | 'CANCELLED' | 'CONSENT' | 'STOP_CONDITION';

/** One gate's verdict at the last try, kept with the touch for the operator. */
export interface GateStep {
  gate: `G${number}`;
  ok: boolean;
  note: string;
}

export interface GateMaterial {
  enabled: boolean;
  /** A prescription medicine's card for a patient without a valid prescription. */
  rxMissing: boolean;
  /** Last time that this patient got it by another touch than those of this cycle. */
  lastSentAt: Instant | null;
}

/** All that the moment of sending is judged by; facts are read before, so that the same input gives the same answer. */
export interface GateInput {
  now: Instant;
  touch: { touchKind: TouchKind; dueAt: Instant; expiresAt: Instant };
  /** Switches that cover the touch, by their scope. */
  switches: readonly string[];
  run: { state: 'RUNNING' | 'PAUSED' | 'FINISHED' | 'STOPPED'; pausedUntil: Instant | null };
  patient: { alive: boolean; cancelled: boolean };
  consent: { followUp: boolean; marketing: boolean };
  hasChannel: boolean;
  /** Whether the stop conditions hold now. */
  stop: boolean;
  /** Whether the launch conditions hold still; null where the package does not ask. */
  launch: boolean | null;
  /** Whether the item's own conditions hold; null where it has none. */
  itemConditions: boolean | null;
  materials: readonly GateMaterial[];
  /** Nothing is sent: somebody is asked to do something. Whatever is about messages alone lets it pass. */
  taskOnly?: boolean;
  sameMaterialGapDays: number;
  /** The day itself where it may be used for sending, else the next one that may. */
  usableDay(day: Day): Day;
  lastHumanAt: Instant | null;
  activeGuardMin: number;
  /** What an automatic message need not ask: it answers the patient's own act, or tells of a service of his. */
  exempt?: { consent?: boolean; hours?: boolean; activity?: boolean; cap?: boolean };
  sent: { today: number; in7Days: number };
  caps: { perDay: number; in7Days: number };
}

export type GateVerdict =
  | { do: 'SEND' }
  | { do: 'HOLD'; reason: HoldReason; nextTryAt: Instant }
  | { do: 'SKIP'; reason: SkipReason }
  | { do: 'STOP_RUN'; reason: GateStop }
  | { do: 'CANCEL' };

/** Minutes after which a touch that met a live conversation is tried again. */
const ACTIVE_AGAIN = 10;
/** A switch or a pause has no end that is known: looked at again after this many minutes. */
const KILL_AGAIN = 5;

type Step = (input: GateInput) => { note: string; verdict: GateVerdict | null };

const pass = (note: string) => ({ note, verdict: null });
const hold = (note: string, reason: HoldReason, nextTryAt: Instant) => ({ note, verdict: { do: 'HOLD', reason, nextTryAt } as const });
const skip = (note: string, reason: SkipReason) => ({ note, verdict: { do: 'SKIP', reason } as const });
const stopRun = (note: string, reason: GateStop) => ({ note, verdict: { do: 'STOP_RUN', reason } as const });

/** G1 to G11 in their order; the first refusal decides (R4). */
const gates: readonly Step[] = [
  ({ switches, now }) =>
    switches.length > 0 ? hold(`停发：${switches.join('、')}`, 'KILL', plusMs(now, minutes(KILL_AGAIN))) : pass('未停发'),
  ({ run, now }) => {
    if (run.state === 'PAUSED') return hold('随访已暂停', 'PAUSED', run.pausedUntil ?? plusMs(now, minutes(KILL_AGAIN)));
    return run.state === 'RUNNING' ? pass('进行中') : { note: '随访已结束', verdict: { do: 'CANCEL' } };
  },
  ({ patient, consent, touch, exempt }) => {
    if (!patient.alive) return stopRun('患者已身故', 'DECEASED');
    if (patient.cancelled) return stopRun('患者已注销', 'CANCELLED');
    if (exempt?.consent) return pass('服务消息，无需随访授权');
    if (!consent.followUp) return stopRun('患者未授权随访触达', 'CONSENT');
    return touch.touchKind === 'PROMO' && !consent.marketing ? skip('患者未授权营销', 'NO_CONSENT') : pass('已授权');
  },
  ({ hasChannel, taskOnly }) => (hasChannel || taskOnly ? pass('有可用会话') : skip('无可用会话', 'NO_CHANNEL')),
  ({ stop }) => (stop ? stopRun('满足停止条件', 'STOP_CONDITION') : pass('不满足停止条件')),
  ({ launch, itemConditions }) => {
    if (launch === false) return skip('启动条件不再满足', 'CONDITION_LOST');
    return itemConditions === false ? skip('日程条件不满足', 'ITEM_CONDITION') : pass('条件满足');
  },
  ({ now, touch }) => (now > touch.expiresAt ? skip('已过有效期', 'EXPIRED') : pass('在有效期内')),
  ({ materials, taskOnly, now, sameMaterialGapDays }) => {
    if (taskOnly) return pass('仅生成任务');
    if (materials.length === 0 || materials.some(({ enabled }) => !enabled)) return skip('素材未启用', 'MATERIAL_OFF');
    if (materials.some(({ rxMissing }) => rxMissing)) return skip('无有效处方', 'RX_REQUIRED');
    const since = plusMs(now, -sameMaterialGapDays * 86_400_000);
    return materials.some(({ lastSentAt }) => lastSentAt !== null && lastSentAt > since)
      ? skip('近期已发过相同素材', 'REPEAT')
      : pass('素材可用');
  },
  ({ now, usableDay, exempt }) =>
    exempt?.hours
      ? pass('即时消息')
      : inWindow(now) && usableDay(dayOf(now)) === dayOf(now)
        ? pass('在发送时段内')
        : hold('非发送时段', 'QUIET', nextOpening(now, usableDay)),
  ({ lastHumanAt, activeGuardMin, taskOnly, now, exempt }) =>
    !taskOnly && !exempt?.activity && lastHumanAt !== null && activeGuardMin > 0 && lastHumanAt > plusMs(now, -minutes(activeGuardMin))
      ? hold('会话进行中', 'ACTIVE', plusMs(now, minutes(ACTIVE_AGAIN)))
      : pass('无人正在会话'),
  ({ sent, caps, taskOnly, now, usableDay, exempt }) =>
    !taskOnly && !exempt?.cap && (sent.today >= caps.perDay || sent.in7Days >= caps.in7Days)
      ? hold(`今日已发${sent.today}条，近7天${sent.in7Days}条`, 'CAP', nextOpening(now, usableDay))
      : pass(`今日已发${sent.today}条，近7天${sent.in7Days}条`),
];

const skipOf = (reason: HoldReason): SkipReason => (reason === 'CAP' || reason === 'QUIET' ? reason : 'EXPIRED');

/**
 * Decides about one touch at the moment of sending. A hold whose next try would come too late is a skip for the same reason. Pure.
 * @returns the verdict and every gate that was asked, with what it saw
 */
export function gate(input: GateInput): { verdict: GateVerdict; trace: GateStep[] } {
  const trace: GateStep[] = [];
  for (const [index, ask] of gates.entries()) {
    const { note, verdict } = ask(input);
    trace.push({ gate: `G${index + 1}`, ok: verdict === null, note });
    if (verdict === null) continue;
    const late = verdict.do === 'HOLD' && verdict.nextTryAt > input.touch.expiresAt;
    return { verdict: late ? { do: 'SKIP', reason: skipOf(verdict.reason) } : verdict, trace };
  }
  return { verdict: input.taskOnly ? { do: 'SKIP', reason: 'TASK' } : { do: 'SEND' }, trace };
}

/** Waiting touches of one patient go in this order (R6). @param urgency place of the kind among `touchKind.codes` */
export const byUrgency =
  (urgency: (kind: TouchKind) => number) =>
  (a: { touchKind: TouchKind; priority: number; dueAt: Instant }, b: { touchKind: TouchKind; priority: number; dueAt: Instant }): number =>
    urgency(a.touchKind) - urgency(b.touchKind) || b.priority - a.priority || (a.dueAt < b.dueAt ? -1 : a.dueAt > b.dueAt ? 1 : 0);
