import { dayOf, plusDays, type Day, type Instant } from '#kernel/contract/time.ts';
import { gate, restDaysAhead, type GateInput, type GateVerdict } from './gate.ts';
import { glimpseAt, launchAt, rowsAt, type Glimpse } from './known.ts';
import { CYCLE_KEY, type Touch } from './planRun.ts';
import type { PackageSnapshot } from './snapshot.ts';

export { glimpseAt };

/** A touch that was sent, as far as caps and repetitions ask. */
export interface Sent {
  at: Instant;
  materialIds: readonly string[];
  /** Whether it counts for the caps. */
  counts: boolean;
  /** Absent of touches that no play sent. */
  runKey?: string;
  itemKey?: string;
}

/** What holds for everybody while a play lasts. */
export interface PlayRules {
  from: Instant;
  to: Instant;
  usableDay(mode: PackageSnapshot['policy']['calendarMode']): (day: Day) => Day;
  setting: { capPerDay: number; cap7Days: number; sameMaterialGapDays: number };
  /** Labels of the switches that cover somebody at a moment. */
  switches(subject: { sceneId: string; doctorId: string | null; conversationId: string; patientId: string }, at: Instant): string[];
  /** Materials as they stand; one that is missing is not in use. */
  materials: ReadonlyMap<string, { enabled: boolean; rxMedicineId: string | null }>;
  /** `{patientId}:{medicineId}` that may be bought; null: not known for those days. */
  prescribed: ReadonlySet<string> | null;
  /** Packages of the other children of a main scene that lets only one in, among those that are played. */
  exclusive(scenePackageId: string): readonly string[];
}

export interface PlayedTry {
  now: Instant;
  touch: Touch;
  run: { key: string; pausedUntil: Instant | null };
  pack: { sceneId: string; snapshot: PackageSnapshot };
  subject: { patientId: string; doctorId: string | null; conversationId: string };
  glimpse: Glimpse | null;
  /** null: not known. */
  hasChannel: boolean | null;
  sent: readonly Sent[];
  lastHumanAt: Instant | null;
}

const same = (a: GateVerdict, b: GateVerdict) => JSON.stringify(a) === JSON.stringify(b);

/**
 * What the gates say of a touch as far as the past is known: asked once with every doubt in the touch's favour and once with each
 * against it. Where the answers differ, the doubt decides and nobody knows.
 */
export function decideKnown(asked: PlayedTry, rules: PlayRules): { verdict: GateVerdict } | { unknown: string } {
  const { now, touch, run, pack, subject, glimpse, sent } = asked;
  const { snapshot } = pack;
  const doubts: { what: string; against: Partial<GateInput> }[] = [];
  const known = <T>(value: T | 'UNKNOWN', what: string, favour: T, against: Partial<GateInput>): T => {
    if (value !== 'UNKNOWN') return value;
    doubts.push({ what, against });
    return favour;
  };
  const stop = rowsAt(snapshot.stop, glimpse, now);
  const launch = snapshot.policy.recheckLaunch ? launchAt(snapshot, glimpse, now) : null;
  const item = rowsAt(touch.itemConditions, glimpse, now);
  const today = dayOf(now);
  const consent = { followUp: glimpse?.followUp ?? true, marketing: glimpse?.marketing ?? true };
  if (glimpse === null) doubts.push({ what: '当日没有患者事实的记录', against: { consent: { followUp: false, marketing: false } } });
  const created = snapshot.schedule.find(({ itemKey }) => itemKey === touch.itemKey)?.createTask !== undefined;
  const materials = touch.materialIds.map((id) => {
    const material = rules.materials.get(id);
    const rx = material?.rxMedicineId ?? null;
    const last = sent
      .filter(
        (one) =>
          one.materialIds.includes(id) &&
          !(touch.itemKey === CYCLE_KEY && one.itemKey === CYCLE_KEY && one.runKey === run.key && dayOf(one.at) < today),
      )
      .reduce<Instant | null>((latest, { at }) => (at <= now && (latest === null || at > latest) ? at : latest), null);
    return {
      id,
      rx,
      enabled: material?.enabled ?? false,
      rxMissing: rx !== null && rules.prescribed?.has(`${subject.patientId}:${rx}`) === false,
      lastSentAt: last,
    };
  });
  if (rules.prescribed === null && materials.some(({ rx }) => rx !== null))
    doubts.push({ what: '当时的处方没有记录', against: { materials: materials.map((one) => ({ ...one, rxMissing: one.rx !== null })) } });
  const input: GateInput = {
    now,
    touch,
    switches: rules.switches({ sceneId: pack.sceneId, ...subject }, now),
    run:
      run.pausedUntil !== null && run.pausedUntil > now
        ? { state: 'PAUSED', pausedUntil: run.pausedUntil }
        : { state: 'RUNNING', pausedUntil: null },
    patient: { alive: glimpse?.alive ?? true, cancelled: glimpse?.cancelled ?? false },
    consent,
    hasChannel: known(asked.hasChannel ?? 'UNKNOWN', '当日没有会话的记录', true, { hasChannel: false }),
    stop: known(stop === 'UNKNOWN' ? stop : stop.holds, '停止条件的变量当日没有记录', false, { stop: true }),
    launch: known(launch === null ? null : launch === 'UNKNOWN' ? launch : launch.holds, '启动条件的变量当日没有记录', true, {
      launch: false,
    }),
    itemConditions: known(item === 'UNKNOWN' ? item : item.empty ? null : item.holds, '附加条件的变量当日没有记录', true, {
      itemConditions: false,
    }),
    materials,
    taskOnly: touch.materialIds.length === 0 && created,
    sameMaterialGapDays: rules.setting.sameMaterialGapDays,
    restDays: restDaysAhead(rules.usableDay(snapshot.policy.calendarMode), today),
    lastHumanAt: asked.lastHumanAt,
    activeGuardMin: snapshot.policy.activeGuardMin,
    sent: {
      today: sent.filter(({ at, counts }) => counts && dayOf(at) === today).length,
      in7Days: sent.filter(({ at, counts }) => counts && dayOf(at) <= today && dayOf(at) > plusDays(today, -7)).length,
    },
    caps: { perDay: rules.setting.capPerDay, in7Days: rules.setting.cap7Days },
  };
  const { verdict } = gate(input);
  for (const { what, against } of doubts) if (!same(gate({ ...input, ...against }).verdict, verdict)) return { unknown: what };
  return { verdict };
}
