import { dayOf, plusDays, showInstant, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { operatorLabel } from '#kernel/contract/rules/sentence.ts';
import { roleLabels } from '../dictionaries.ts';
import { blockReasons, type ExplainedCondition } from './evaluateUnit.ts';
import { glimpseAt, launchAt } from './known.ts';
import type { Played, PlayedPatient, PlayedTouch, PlayedUnit } from './play.ts';
import { CYCLE_KEY } from './planRun.ts';
import { reasonDictionary, stopReason } from './states.ts';
import type { PackageSnapshot } from './snapshot.ts';

export type Change = 'ADDED' | 'DROPPED' | 'MOVED' | 'CHANGED' | 'UNKNOWN';

/** One touch that a changed scene adds, drops, moves or fills otherwise for one person, and why. */
export interface TouchChange {
  change: Change;
  conversationId: string;
  doctorId: string | null;
  itemKey: string;
  occurrence: number;
  /** Which touch, in words. */
  label: string;
  beforeAt: Instant | null;
  afterAt: Instant | null;
  why: string;
}

export interface Compared {
  changes: TouchChange[];
  /** Touches that both send alike. */
  same: number;
}

const minute = (at: Instant) => showInstant(at).slice(5, 16);
const isDone = (one: PlayedTouch | undefined): one is PlayedTouch =>
  one !== undefined && (one.outcome === 'SENT' || (one.outcome === 'SKIPPED' && one.reason === 'TASK'));

/** Words for the code of a reason. */
export const reasonText = (code: string): string => {
  if (code === 'FINISHED') return '随访已结束';
  const stop = stopReason.codes.find((one) => one === code);
  if (stop) return stopReason.label(stop);
  const reason = reasonDictionary.codes.find((one) => one === code);
  return reason ? reasonDictionary.label(reason) : code;
};

export const labelOf = ({ touch }: PlayedTouch, snapshot: PackageSnapshot): string => {
  if (touch.itemKey === CYCLE_KEY) return `周期 第${touch.occurrence}天`;
  const item = snapshot.schedule.find(({ itemKey }) => itemKey === touch.itemKey);
  return item ? `第${item.dayOffset}天 ${item.sendTime}` : '日程';
};

const rowText = ({ set, role, variableName, operatorValue, conditionValue, value }: ExplainedCondition): string =>
  `${set === 'main' ? '主场景 ' : ''}${roleLabels[role]}.${variableName} ${operatorLabel[operatorValue]} ${conditionValue}（${value === null ? '无数据' : `当时${value}`}）`;

/** Why somebody was not in a scene at a moment. */
function whyOut(played: Played, snapshot: PackageSnapshot, unit: PlayedUnit, at: Instant): string {
  const judged = unit.glimpses.findLast((one) => one.judged && one.at <= at);
  const launch = launchAt(snapshot, judged === undefined ? null : glimpseAt(unit.glimpses, judged.at), judged?.at ?? at);
  if (launch === 'UNKNOWN') return '条件当时无法判断';
  if (!launch.holds) {
    const failing = launch.explain.filter(({ checked, verdict }) => checked === 1 && verdict !== 'HELD');
    return failing.length === 0 ? '没有生效的启动条件' : `不满足启动条件：${failing.map(rowText).join('；')}`;
  }
  const blocked = played.blocked.findLast((one) => one.conversationId === unit.conversationId && one.at <= at);
  return blocked ? blockReasons[blocked.reason] : '随访已结束或尚未进入';
}

interface Side {
  played: Played;
  snapshot: PackageSnapshot;
}

/** Why one side does not send what the other does. */
function whyNot(side: Side, one: PlayedTouch | undefined, other: PlayedTouch, unit: PlayedUnit): string {
  if (one !== undefined) {
    if (one.outcome === 'UNKNOWN') return one.reason;
    return one.outcome === 'HELD' ? `期内未发出${one.heldFor ? `：${reasonText(one.heldFor)}` : ''}` : reasonText(one.reason);
  }
  const { snapshot, played } = side;
  const { itemKey } = other.touch;
  const hasItem = itemKey === CYCLE_KEY ? snapshot.cycle !== null : snapshot.schedule.some((item) => item.itemKey === itemKey);
  if (!hasItem) return itemKey === CYCLE_KEY ? '没有周期' : '没有该日程';
  const entered =
    !other.runKey.startsWith('#') ||
    played.entered.some(({ conversationId, runKey }) => conversationId === unit.conversationId && runKey === other.runKey);
  return entered ? '不在计划内（时间已过、已改期到期外或周期不含该日）' : whyOut(played, snapshot, unit, other.enteredAt);
}

/** Why both send it, but at different times. */
function whyMoved(before: PlayedTouch, after: PlayedTouch): string {
  if (before.enteredAt !== after.enteredAt) return `进入时间 ${minute(before.enteredAt)} → ${minute(after.enteredAt)}`;
  if (before.touch.dueAt !== after.touch.dueAt) return `计划时间 ${minute(before.touch.dueAt)} → ${minute(after.touch.dueAt)}`;
  const held = after.heldFor || before.heldFor;
  return held ? `${after.heldFor ? '新版' : '原版'}暂缓：${reasonText(held)}` : '顺序不同';
}

/**
 * Sets two plays of the same days against one another, touch by touch. Pure.
 * @param before null: nothing was in force, so that everything is new
 */
export function comparePlays(patient: PlayedPatient, before: Side | null, after: Side): Compared {
  const compared: Compared = { changes: [], same: 0 };
  const keyOf = ({ conversationId, runKey, touch }: PlayedTouch) => `${conversationId}|${runKey}|${touch.itemKey}|${touch.occurrence}`;
  const old = new Map((before?.played.touches ?? []).map((one) => [keyOf(one), one]));
  const fresh = new Map(after.played.touches.map((one) => [keyOf(one), one]));
  for (const key of new Set([...old.keys(), ...fresh.keys()])) {
    const [was, is] = [old.get(key), fresh.get(key)];
    const one = (is ?? was)!;
    const unit = patient.units.find(({ conversationId }) => conversationId === one.conversationId)!;
    const add = (change: Change, why: string) =>
      compared.changes.push({
        change,
        conversationId: one.conversationId,
        doctorId: one.doctorId,
        itemKey: one.touch.itemKey,
        occurrence: one.touch.occurrence,
        label: labelOf(one, is ? after.snapshot : before!.snapshot),
        beforeAt: isDone(was) ? was.at : null,
        afterAt: isDone(is) ? is.at : null,
        why,
      });
    if (is?.outcome === 'UNKNOWN' || was?.outcome === 'UNKNOWN') {
      // Unknown in both alike is no change, but nobody can say so of what he does not know.
      const doubt = is?.outcome === 'UNKNOWN' ? is : was!;
      add('UNKNOWN', doubt.reason);
    } else if (isDone(was) && isDone(is)) {
      if (was.at !== is.at) add('MOVED', whyMoved(was, is));
      else if (was.touch.materialIds.join() !== is.touch.materialIds.join()) add('CHANGED', '发送内容不同');
      else compared.same += 1;
    } else if (isDone(is)) {
      add('ADDED', before === null ? '首次发布' : `原版不发：${whyNot(before, was, is, unit)}`);
    } else if (isDone(was)) {
      add('DROPPED', `新版不发：${whyNot(after, is, was, unit)}`);
    }
  }
  // A day of which nothing is known hides entries, with all that would follow them.
  const doubts = new Map(
    [...after.played.unknown, ...(before?.played.unknown ?? [])].map((one) => [`${one.conversationId}|${one.day}`, one]),
  );
  for (const { conversationId, day, what } of doubts.values()) {
    const unit = patient.units.find((one) => one.conversationId === conversationId)!;
    compared.changes.push({
      change: 'UNKNOWN',
      conversationId,
      doctorId: unit.doctorId,
      itemKey: '',
      occurrence: 0,
      label: `${day} 是否进入`,
      beforeAt: null,
      afterAt: null,
      why: what,
    });
  }
  compared.changes.sort((a, b) => ((a.beforeAt ?? a.afterAt ?? '') < (b.beforeAt ?? b.afterAt ?? '') ? -1 : 1));
  return compared;
}

/** Days of a play of which nothing at all was kept of somebody. */
export function daysWithoutRecord(patient: PlayedPatient, from: Instant, to: Instant): string[] {
  const days: string[] = [];
  for (let day = dayOf(from); startOfDay(day) < to; day = plusDays(day, 1))
    if (!patient.units.some(({ glimpses }) => glimpses.some((one) => one.judged && dayOf(one.at) === day))) days.push(day);
  return days;
}
