import { days, instantOf, minutes } from '#kernel/contract/time.ts';
import { userIdOf } from '../../contract/im/ids.ts';
import type { WorkState } from '../../contract/states.ts';
import { addDutySeconds, FIRST_RESPONSE_SEC, NEXT_RESPONSE_SEC, platformHours, type DutyHours } from '../rules/dutyTime.ts';
import { wait, type Waiting } from '../rules/hearing.ts';
import type { Consult } from './consults.ts';
import { isPersonal, says, type Line, type Talk } from './line.ts';
import { STORIES, type DemoAssistant, type DemoOrder, type Stage } from './stage.ts';

/** A group of the demonstration. */
export interface DemoGroup extends Talk {
  groupId: string;
  kind: 'DOCTOR' | 'DESK';
  name: string;
  doctorId: string | null;
  doctorOperatorId: string | null;
  deskId: string | null;
  operatorId: string;
  patientId: string;
  patientName: string;
  consults: Consult[];
  current: Consult | null;
  workState: WorkState;
  owner: DemoAssistant | null;
  last: DemoAssistant;
  helpers: DemoAssistant[];
  sendPolicy: 'IN_SERVICE' | 'ALWAYS';
  source: 'ORDER' | 'DESK' | 'CODE';
  createdAt: number;
  queuedAt: number;
  /** When an assistant took it, where that was not at once. */
  takenAt: number | null;
  routedTo: string | null;
  bot: boolean;
  tags: string[];
  priority: number;
  hours: DutyHours;
}

const LIVE = ['1', '2', '3'];
const QUEUED = 6;
const SNOOZED = 8;
const WAITING = 8;
const BOTS = 18;
const BOT_DOCTORS = 6;

const present = ({ state }: DemoAssistant) => state !== 'OFF';

/** The assistant of a doctor's patients: the primary when he is there, else a backup, else whoever is on, always the same for one pair. */
export function assistantChooser({ assistants, binds }: Stage): (order: Pick<DemoOrder, 'doctorId' | 'patientId'>) => DemoAssistant {
  const known = new Map(assistants.map((one) => [one.assistantId, one]));
  const on = assistants.filter(({ state }) => state === 'ON');
  return ({ doctorId, patientId }) => {
    const bound = (binds.get(doctorId) ?? []).flatMap(({ assistantId }) => known.get(assistantId) ?? []);
    return bound.find(present) ?? on[Number(BigInt(patientId) % BigInt(on.length))]!;
  };
}

const nameOf = (patient: string, other: string) => `${patient}-${other}`.slice(0, 60);

/** One group for each patient and doctor, with what was bought in it. */
export function doctorGroups(consults: readonly Consult[], groupIds: readonly string[], convIds: readonly string[]): DemoGroup[] {
  const pairs = [
    ...Map.groupBy(
      consults.filter(({ paid }) => paid !== null),
      ({ order }) => `${order.patientId}:${order.doctorId}`,
    ).values(),
  ];
  const groups = pairs.map((list, index): DemoGroup => {
    const { order, assistant, paid } = list[0]!;
    const current = list.find(({ status }) => LIVE.includes(status)) ?? null;
    return {
      groupId: groupIds[index]!,
      convId: convIds[index]!,
      kind: 'DOCTOR',
      name: nameOf(order.patientName, `${order.doctorName}医生`),
      doctorId: order.doctorId,
      doctorOperatorId: order.doctorOperatorId,
      deskId: null,
      operatorId: order.operatorId,
      patientId: order.patientId,
      patientName: order.patientName,
      consults: list,
      current,
      workState: current ? 'SERVING' : 'DONE',
      owner: current ? assistant : null,
      last: assistant,
      helpers: [],
      sendPolicy: 'IN_SERVICE',
      source: order.patientId === STORIES.liu ? 'DESK' : 'ORDER',
      createdAt: paid!,
      queuedAt: list.at(-1)!.paid!,
      takenAt: null,
      routedTo: null,
      bot: false,
      tags: [],
      priority: 0,
      hours: platformHours,
      lines: [],
    };
  });
  const storyPatients: readonly string[] = Object.values(STORIES);
  const free = groups.filter(({ current, patientId }) => current !== null && !storyPatients.includes(patientId));
  // Those bought the longest ago that nobody took: they are past their time.
  for (const group of free
    .filter(({ current }) => current?.status === '1')
    .toSorted((a, b) => a.current!.paid! - b.current!.paid!)
    .slice(0, QUEUED)) {
    group.workState = 'QUEUED';
    group.owner = null;
    group.current!.unserved = true;
  }
  for (const group of free
    .filter(({ current }) => current?.status === '2' && current.order.itemSnapshot.serviceType === 'FOLLOW_UP')
    .slice(0, SNOOZED))
    group.workState = 'SNOOZED';
  const serving = free.filter(({ workState, current }) => workState === 'SERVING' && current!.order.itemSnapshot.serviceType === 'TEXT');
  markBots(serving);
  return groups;
}

/** Six doctors, and eighteen of their patients, whom the program plays. */
function markBots(serving: readonly DemoGroup[]): void {
  const eligible = serving.filter(({ current }) => current!.status === '2' || current!.status === '1');
  const doctors = [...Map.groupBy(eligible, ({ doctorId }) => doctorId)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, BOT_DOCTORS);
  for (const group of doctors.flatMap(([, list]) => list).slice(0, BOTS)) group.bot = true;
}

/** The last words of some patients wait for an answer; most of them wait for the first assistant. */
export function letWait(groups: readonly DemoGroup[], first: DemoAssistant, now: number): void {
  const able = groups.filter(
    ({ workState, current, bot, consults }) =>
      workState === 'SERVING' &&
      !bot &&
      current?.status === '2' &&
      current.firstReply !== null &&
      current.reopened === null &&
      consults.length > 0,
  );
  const mine = able.filter(({ owner }) => owner === first).slice(0, WAITING - 2);
  const chosen = [...mine, ...able.filter((group) => !mine.includes(group))].slice(0, WAITING);
  chosen.forEach((group, index) => {
    const { rounds } = group.current!.course;
    group.lines.push(
      says(now - minutes(0.7) - index * 16_000, userIdOf('PATIENT', group.operatorId), rounds[(index * 3) % rounds.length]![0]),
    );
  });
}

/** How long the patient waits now, as the rules count it; what was marked as done waits no more. */
export function waitingOf(group: DemoGroup): Waiting {
  let state: Waiting = { waitingSince: null, slaDueAt: null, unanswered: 0 };
  if (group.workState === 'DONE') return state;
  let answered = false;
  for (const { at, sender } of group.lines.filter(isPersonal)) {
    const role = sender.startsWith('P') ? ('PATIENT' as const) : sender.startsWith('D') ? ('DOCTOR' as const) : ('ASSISTANT' as const);
    if (at >= group.queuedAt && role !== 'PATIENT') answered = true;
    state = wait(state, { role, at: instantOf(at) }, group.hours, answered);
  }
  return state;
}

/** When somebody who bought or wrote then had to be answered. */
export const answerDue = (at: number, hours: DutyHours, first = true): number =>
  Date.parse(addDutySeconds(instantOf(at), first ? FIRST_RESPONSE_SEC : NEXT_RESPONSE_SEC, hours));
export const lastLineAt = (lines: readonly Line[]): number => lines.at(-1)?.at ?? 0;
export const snoozedUntil = (index: number, now: number): number => now + days(1) + minutes(index * 45);
