import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { dayOf, days, minutes, plusDays, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import { touchKind, type TouchKind } from '../dictionaries.ts';
import { avoiding } from '../plan.ts';
import { runMachine, type SendReason } from './states.ts';
import { inWindow, nextOpening } from './window.ts';

export const holdReasons = ['KILL', 'PAUSED', 'ACTIVE', 'QUIET', 'CAP'] as const satisfies readonly SendReason[];
export type HoldReason = (typeof holdReasons)[number];
export type SkipReason = Exclude<SendReason, 'KILL' | 'PAUSED' | 'ACTIVE'>;

/** Reasons for which the run itself ends. */
export type GateStop = 'DECEASED' | 'CANCELLED' | 'CONSENT' | 'STOP_CONDITION';

/** What a touch passes before it goes out, in this order (R4): known by its code, wherever it stands. */
export const gateDictionary = dictionary('corpusGate', {
  SWITCH: '停发',
  RUN: '随访状态',
  CONSENT: '患者与授权',
  CHANNEL: '会话',
  STOP: '停止条件',
  CONDITION: '启动与附加条件',
  EXPIRY: '有效期',
  MATERIAL: '素材',
  WINDOW: '发送时段',
  ACTIVITY: '会话活动',
  CAP: '触达频次',
});
export type GateCode = (typeof gateDictionary.codes)[number];

/** One gate's verdict at the last try, kept with the touch for the operator. */
export const gateStep = z.strictObject({ gate: gateDictionary.schema, ok: z.boolean(), note: z.string() });
export type GateStep = z.output<typeof gateStep>;

const flag = z.boolean();
const instantOrNull = z.nullable(z.string());
const material = z.strictObject({
  enabled: flag,
  /** A prescription medicine's card for a patient without a valid prescription. */
  rxMissing: flag,
  /** Last time that this patient got it by another touch; one of the same cycle counts on the same day only. */
  lastSentAt: instantOrNull,
});
export type GateMaterial = z.output<typeof material>;

/**
 * All that the moment of sending is judged by, and what is kept of it: facts are read before, so that the same input gives the same answer,
 * then and when it is decided again.
 */
export const gateInput = z.strictObject({
  now: z.string(),
  touch: z.strictObject({ touchKind: touchKind.schema, dueAt: z.string(), expiresAt: z.string() }),
  /** Switches that cover the touch, by their scope. */
  switches: z.array(z.string()),
  run: z.strictObject({ state: runMachine.dictionary.schema, pausedUntil: instantOrNull }),
  patient: z.strictObject({ alive: flag, cancelled: flag }),
  consent: z.strictObject({ followUp: flag, marketing: flag }),
  hasChannel: flag,
  /** Whether the stop conditions hold now. */
  stop: flag,
  /** Whether the launch conditions hold still; null where the package does not ask. */
  launch: z.nullable(flag),
  /** Whether the item's own conditions hold; null where it has none. */
  itemConditions: z.nullable(flag),
  materials: z.array(material),
  /** Nothing is sent: somebody is asked to do something. Whatever is about messages alone lets it pass. */
  taskOnly: z.optional(flag),
  sameMaterialGapDays: z.int(),
  /** Days of the coming weeks on which nothing is sent. */
  restDays: z.array(z.string()),
  lastHumanAt: instantOrNull,
  activeGuardMin: z.int(),
  /** What an automatic message need not ask: it answers the patient's own act, or tells of a service of his. */
  exempt: z.optional(
    z.strictObject({ consent: z.optional(flag), hours: z.optional(flag), activity: z.optional(flag), cap: z.optional(flag) }),
  ),
  sent: z.strictObject({ today: z.int(), in7Days: z.int() }),
  caps: z.strictObject({ perDay: z.int(), in7Days: z.int() }),
});
export type GateInput = z.output<typeof gateInput>;

/** Days ahead in which the next usable one is looked for. */
const AHEAD = 30;

type Usable = (day: Day) => Day;
/** The last days asked of each calendar: all touches of a batch ask for the same. */
const asked = new WeakMap<Usable, { from: Day; restDays: Day[] }>();

/** The days without sending that a decision is made from. */
export function restDaysAhead(usableDay: Usable, from: Day): Day[] {
  const known = asked.get(usableDay);
  if (known?.from === from) return known.restDays;
  const restDays = Array.from({ length: AHEAD }, (_, n) => plusDays(from, n)).filter((day) => usableDay(day) !== day);
  asked.set(usableDay, { from, restDays });
  return restDays;
}

export type GateVerdict =
  | { do: 'SEND' }
  | { do: 'HOLD'; reason: HoldReason; nextTryAt: Instant }
  | { do: 'SKIP'; reason: SkipReason }
  | { do: 'STOP_RUN'; reason: GateStop }
  | { do: 'CANCEL' };

/** Minutes after which a touch that met a live conversation is tried again. */
const ACTIVE_AGAIN = 10;
/** Whatever the gap of days, nobody gets the same twice within these minutes: what was held goes together with what is due. */
const TOGETHER = 10;
/** A switch or a pause has no end that is known: looked at again after this many minutes. */
const KILL_AGAIN = 5;

type Step = (input: GateInput & { usableDay: Usable }) => { note: string; verdict: GateVerdict | null };

const pass = (note: string) => ({ note, verdict: null });
const hold = (note: string, reason: HoldReason, nextTryAt: Instant) => ({ note, verdict: { do: 'HOLD', reason, nextTryAt } as const });
const skip = (note: string, reason: SkipReason) => ({ note, verdict: { do: 'SKIP', reason } as const });
const stopRun = (note: string, reason: GateStop) => ({ note, verdict: { do: 'STOP_RUN', reason } as const });

/** The first refusal decides. */
const gates: Readonly<Record<GateCode, Step>> = {
  SWITCH: ({ switches, now }) =>
    switches.length > 0 ? hold(`停发：${switches.join('、')}`, 'KILL', plusMs(now, minutes(KILL_AGAIN))) : pass('未停发'),
  RUN: ({ run, now }) => {
    if (run.state === 'PAUSED') return hold('随访已暂停', 'PAUSED', run.pausedUntil ?? plusMs(now, minutes(KILL_AGAIN)));
    return run.state === 'RUNNING' ? pass('进行中') : { note: '随访已结束', verdict: { do: 'CANCEL' } };
  },
  CONSENT: ({ patient, consent, touch, exempt }) => {
    if (!patient.alive) return stopRun('患者已身故', 'DECEASED');
    if (patient.cancelled) return stopRun('患者已注销', 'CANCELLED');
    if (exempt?.consent) return pass('服务消息，无需随访授权');
    if (!consent.followUp) return stopRun('患者未授权随访触达', 'CONSENT');
    return touch.touchKind === 'PROMO' && !consent.marketing ? skip('患者未授权营销', 'NO_CONSENT') : pass('已授权');
  },
  CHANNEL: ({ hasChannel, taskOnly }) => (hasChannel || taskOnly ? pass('有可用会话') : skip('无可用会话', 'NO_CHANNEL')),
  STOP: ({ stop }) => (stop ? stopRun('满足停止条件', 'STOP_CONDITION') : pass('不满足停止条件')),
  CONDITION: ({ launch, itemConditions }) => {
    if (launch === false) return skip('启动条件不再满足', 'CONDITION_LOST');
    return itemConditions === false ? skip('日程条件不满足', 'ITEM_CONDITION') : pass('条件满足');
  },
  EXPIRY: ({ now, touch }) => (now > touch.expiresAt ? skip('已过有效期', 'EXPIRED') : pass('在有效期内')),
  MATERIAL: ({ materials, taskOnly, now, sameMaterialGapDays }) => {
    if (taskOnly) return pass('仅生成任务');
    if (materials.length === 0 || materials.some(({ enabled }) => !enabled)) return skip('素材未启用', 'MATERIAL_OFF');
    if (materials.some(({ rxMissing }) => rxMissing)) return skip('无有效处方', 'RX_REQUIRED');
    const since = plusMs(now, -Math.max(days(sameMaterialGapDays), minutes(TOGETHER)));
    return materials.some(({ lastSentAt }) => lastSentAt !== null && lastSentAt > since)
      ? skip('近期已发过相同素材', 'REPEAT')
      : pass('素材可用');
  },
  WINDOW: ({ now, usableDay, exempt }) =>
    exempt?.hours
      ? pass('即时消息')
      : inWindow(now) && usableDay(dayOf(now)) === dayOf(now)
        ? pass('在发送时段内')
        : hold('非发送时段', 'QUIET', nextOpening(now, usableDay)),
  ACTIVITY: ({ lastHumanAt, activeGuardMin, taskOnly, now, exempt }) =>
    !taskOnly && !exempt?.activity && lastHumanAt !== null && activeGuardMin > 0 && lastHumanAt > plusMs(now, -minutes(activeGuardMin))
      ? hold('会话进行中', 'ACTIVE', plusMs(now, minutes(ACTIVE_AGAIN)))
      : pass('无人正在会话'),
  CAP: ({ sent, caps, taskOnly, now, usableDay, exempt }) =>
    !taskOnly && !exempt?.cap && (sent.today >= caps.perDay || sent.in7Days >= caps.in7Days)
      ? hold(`今日已发${sent.today}条，近7天${sent.in7Days}条`, 'CAP', nextOpening(now, usableDay))
      : pass(`今日已发${sent.today}条，近7天${sent.in7Days}条`),
};

const skipOf = (reason: HoldReason): SkipReason => (reason === 'CAP' || reason === 'QUIET' ? reason : 'EXPIRED');

/**
 * Decides about one touch at the moment of sending. A hold whose next try would come too late is a skip for the same reason. Pure.
 * @returns the verdict and every gate that was asked, with what it saw
 */
export function gate(input: GateInput): { verdict: GateVerdict; trace: GateStep[] } {
  const trace: GateStep[] = [];
  const asking = { ...input, usableDay: avoiding(new Set(input.restDays)) };
  for (const code of gateDictionary.codes) {
    const { note, verdict } = gates[code](asking);
    trace.push({ gate: code, ok: verdict === null, note });
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
