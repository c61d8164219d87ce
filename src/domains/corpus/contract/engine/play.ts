import { dayOf, daysBetween, hours, plusDays, plusMs, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { touchKind } from '../dictionaries.ts';
import { channelOf, unitsOfScene } from './channel.ts';
import { decideEntry, type BlockReason, type ExplainedCondition } from './evaluateUnit.ts';
import { byUrgency } from './gate.ts';
import { glimpseAt, launchAt, rowsAt, type Glimpse } from './known.ts';
import { planRun, type Touch } from './planRun.ts';
import { decideKnown, type PlayRules, type Sent } from './playGate.ts';
import type { PackageSnapshot } from './snapshot.ts';
import type { StopReason } from './states.ts';

/** One open conversation of somebody, with what was known of it day by day. */
export interface PlayedUnit {
  conversationId: string;
  groupId: string | null;
  doctorId: string | null;
  glimpses: readonly Glimpse[];
}

/** What happened to somebody that no package can change. */
export interface PlayedPatient {
  patientId: string;
  units: readonly PlayedUnit[];
  /** Touches of packages that are not played, and all from before. */
  otherTouches: readonly Sent[];
  humans: readonly { conversationId: string; at: Instant; role: 'PATIENT' | 'DOCTOR' | 'ASSISTANT' }[];
}

/** A run that was under way when the play begins. */
export interface StartedRun {
  key: string;
  enteredAt: Instant;
  /** null: it was moved, and nobody kept when. */
  shiftDays: number | null;
  /** Touches that are over, as `{itemKey}:{occurrence}`. */
  done: ReadonlySet<string>;
  /** Touches whose time had come, and which waited still. */
  waiting: ReadonlySet<string>;
  pausedAt: Instant | null;
  pausedUntil: Instant | null;
}

/** How one conversation stands to a package when the play begins, and what people do to it meanwhile. */
export interface PlayedStart {
  runs: readonly StartedRun[];
  /** null: what was before is not known. */
  armed: boolean | null;
  lastEndedAt: Instant | null;
  /** Entries by hand. */
  manual: readonly { at: Instant; key: string }[];
  /** Pauses by hand. */
  pauses: readonly { at: Instant; until: Instant }[];
  /** Ends of pauses by hand. */
  resumes: readonly { at: Instant }[];
  /** Ends that no condition brought about. */
  ends: readonly { at: Instant; reason: StopReason }[];
  /** When the patient lived in another child of a main scene that lets only one in. */
  siblings: readonly { from: Instant; to: Instant | null }[];
}

export interface PlayedPackage {
  scenePackageId: string;
  sceneId: string;
  snapshot: PackageSnapshot;
  /** By the conversation. */
  starts: ReadonlyMap<string, PlayedStart>;
}

export type Outcome = 'SENT' | 'SKIPPED' | 'CANCELLED' | 'HELD' | 'UNKNOWN';

export interface PlayedTouch {
  scenePackageId: string;
  conversationId: string;
  doctorId: string | null;
  /** The same for the same run in two plays: a run that was under way, or the n-th entry of the play. */
  runKey: string;
  enteredAt: Instant;
  touch: Touch;
  outcome: Outcome;
  /** When it was sent, or given up; of one that waits still, its next try. */
  at: Instant;
  /** Code of the reason, or what is not known. */
  reason: string;
  heldFor: string;
}

export interface Played {
  touches: PlayedTouch[];
  /** Moments at which somebody's conditions held and he was not let in. */
  blocked: { scenePackageId: string; conversationId: string; at: Instant; reason: BlockReason }[];
  /** Days on which nobody can say whether he entered. */
  unknown: { scenePackageId: string; conversationId: string; day: Day; what: string }[];
  entered: { scenePackageId: string; conversationId: string; runKey: string; at: Instant; explain: ExplainedCondition[] }[];
}

interface OpenTouch {
  touch: Touch;
  nextTryAt: Instant;
  heldFor: string;
}

interface LiveRun {
  key: string;
  pack: PlayedPackage;
  unit: PlayedUnit;
  enteredAt: Instant;
  shiftDays: number | null;
  pausedAt: Instant | null;
  pausedUntil: Instant | null;
  open: Map<string, OpenTouch>;
  lastDoneAt: Instant;
}

const NO_START: PlayedStart = { runs: [], armed: true, lastEndedAt: null, manual: [], pauses: [], resumes: [], ends: [], siblings: [] };
const FRESH = { done: new Set<string>(), waiting: new Set<string>() };
const ROLLED = '02:00';
const keyOf = ({ itemKey, occurrence }: Touch) => `${itemKey}:${occurrence}`;
const urgency = (kind: Touch['touchKind']) => touchKind.codes.indexOf(kind);

/**
 * Goes through some days of one person with the engine's own functions: who enters, what is planned, what the gates say. What is not
 * known is said so and never guessed. Pure: replay of the past and simulation of the days to come are this.
 */
export function play(patient: PlayedPatient, packages: readonly PlayedPackage[], rules: PlayRules): Played {
  const { from, to } = rules;
  const result: Played = { touches: [], blocked: [], unknown: [], entered: [] };
  const runs: LiveRun[] = [];
  const sent: (Sent & { runKey: string; itemKey: string })[] = [];
  const entries = new Map<string, number>();
  const states = new Map<string, { armed: boolean | null; lastEndedAt: Instant | null }>();
  const startOf = (pack: PlayedPackage, unit: PlayedUnit) => pack.starts.get(unit.conversationId) ?? NO_START;
  const place = (pack: PlayedPackage, unit: PlayedUnit) => `${pack.scenePackageId}:${unit.conversationId}`;

  const planOf = (run: Pick<LiveRun, 'pack' | 'enteredAt' | 'shiftDays'>): Touch[] =>
    planRun(run.pack.snapshot, {
      enteredAt: run.enteredAt,
      shiftDays: run.shiftDays ?? 0,
      usableDay: rules.usableDay(run.pack.snapshot.policy.calendarMode),
    });

  const begin = (run: Omit<LiveRun, 'open' | 'lastDoneAt'>, { done, waiting }: Pick<StartedRun, 'done' | 'waiting'>, now: Instant) => {
    const open = new Map<string, OpenTouch>();
    for (const touch of planOf(run))
      // What a changed scene adds at a time that was over is not made up for.
      if (!done.has(keyOf(touch)) && touch.expiresAt > now && (touch.dueAt >= now || waiting.has(keyOf(touch))))
        open.set(keyOf(touch), { touch, nextTryAt: touch.dueAt > now ? touch.dueAt : now, heldFor: '' });
    runs.push({ ...run, open, lastDoneAt: run.enteredAt });
  };

  const note = (run: LiveRun, open: OpenTouch, outcome: Outcome, at: Instant, reason: string) => {
    run.open.delete(keyOf(open.touch));
    run.lastDoneAt = at;
    if (open.touch.dueAt >= to) return;
    result.touches.push({
      scenePackageId: run.pack.scenePackageId,
      conversationId: run.unit.conversationId,
      doctorId: run.unit.doctorId,
      runKey: run.key,
      enteredAt: run.enteredAt,
      touch: open.touch,
      outcome,
      at,
      reason,
      heldFor: open.heldFor,
    });
  };

  const end = (run: LiveRun, at: Instant, reason: string) => {
    for (const open of run.open.values()) note(run, open, 'CANCELLED', at, reason);
    runs.splice(runs.indexOf(run), 1);
    states.get(place(run.pack, run.unit))!.lastEndedAt = at;
  };

  /** Runs of their age end in the night, those with nothing left as soon. */
  const rollTo = (now: Instant) => {
    for (const run of runs.slice()) {
      const { endAfterDays } = run.pack.snapshot.policy;
      const overOn = endAfterDays === null ? null : plusDays(dayOf(run.enteredAt), endAfterDays + (run.shiftDays ?? 0));
      if (overOn !== null && startOfDay(overOn, ROLLED) <= now) end(run, startOfDay(overOn, ROLLED), 'FINISHED');
      else if (run.open.size === 0 && run.lastDoneAt < now) end(run, run.lastDoneAt, 'FINISHED');
    }
  };

  const resume = (run: LiveRun, now: Instant) => {
    const moved =
      run.pack.snapshot.policy.resumeMode === 'SHIFT' && run.shiftDays !== null
        ? Math.max(0, daysBetween(dayOf(run.pausedAt!), dayOf(now)))
        : 0;
    run.pausedAt = null;
    run.pausedUntil = null;
    for (const open of run.open.values()) if (open.heldFor === 'PAUSED') open.nextTryAt = open.touch.dueAt > now ? open.touch.dueAt : now;
    if (moved === 0) return;
    run.shiftDays = run.shiftDays! + moved;
    for (const touch of planOf(run)) {
      const open = run.open.get(keyOf(touch));
      if (!open) continue;
      open.touch = touch;
      if (touch.dueAt > open.nextTryAt) open.nextTryAt = touch.dueAt;
    }
  };

  const pause = (run: LiveRun, at: Instant, until: Instant) => {
    run.pausedAt ??= at;
    if (run.pausedUntil === null || until > run.pausedUntil) run.pausedUntil = until;
  };

  // A package lets nobody in twice, whatever version his run is pinned to.
  const liveIn = (pack: PlayedPackage, unit: PlayedUnit) =>
    runs.find((run) => run.pack.scenePackageId === pack.scenePackageId && run.unit === unit);

  const enter = (pack: PlayedPackage, unit: PlayedUnit, at: Instant, explain: ExplainedCondition[]) => {
    const n = (entries.get(place(pack, unit)) ?? 0) + 1;
    entries.set(place(pack, unit), n);
    const key = `#${n}`;
    result.entered.push({ scenePackageId: pack.scenePackageId, conversationId: unit.conversationId, runKey: key, at, explain });
    begin({ key, pack, unit, enteredAt: at, shiftDays: 0, pausedAt: null, pausedUntil: null }, FRESH, at);
  };

  const judge = (pack: PlayedPackage, unit: PlayedUnit, glimpse: Glimpse) => {
    const { snapshot, scenePackageId } = pack;
    const stands = states.get(place(pack, unit))!;
    const live = runs.find((run) => run.pack === pack && run.unit === unit);
    if (live) {
      const stop = rowsAt(snapshot.stop, glimpse, glimpse.at);
      if (stop !== 'UNKNOWN' && stop.holds) end(live, glimpse.at, 'STOP_CONDITION');
    }
    if (snapshot.policy.entryMode === 'MANUAL') return;
    const doubt = (what: string) =>
      result.unknown.push({ scenePackageId, conversationId: unit.conversationId, day: dayOf(glimpse.at), what });
    const launch = launchAt(snapshot, glimpse, glimpse.at);
    if (launch === 'UNKNOWN') return void (live || doubt('条件用到的变量当时没有记录'));
    if (!launch.holds) stands.armed = true;
    const siblings = startOf(pack, unit).siblings;
    const verdict = decideEntry(
      snapshot.policy,
      launch.holds,
      {
        consent: glimpse.followUp,
        armed: stands.armed ?? true,
        live: liveIn(pack, unit) !== undefined,
        lastEndedAt: stands.lastEndedAt,
        sibling:
          siblings.some((one) => one.from <= glimpse.at && (one.to === null || one.to > glimpse.at)) ||
          rules.exclusive(scenePackageId).some((other) => runs.some((run) => run.unit === unit && run.pack.scenePackageId === other)),
      },
      glimpse.at,
    );
    if (verdict.result === 'BLOCKED')
      result.blocked.push({ scenePackageId, conversationId: unit.conversationId, at: glimpse.at, reason: verdict.reason });
    if (verdict.result !== 'ENTER') return;
    if (stands.armed === null) return doubt('此前的条件状态没有记录');
    stands.armed = false;
    enter(pack, unit, glimpse.at, launch.explain);
  };

  /** Open conversations as they were when somebody was last looked at on that day. */
  const openAt = (at: Instant): PlayedUnit[] | null => {
    const last = patient.units
      .flatMap(({ glimpses }) => glimpses.findLast((one) => one.judged && one.at <= at)?.at ?? [])
      .reduce<Instant | null>((latest, one) => (latest === null || one > latest ? one : latest), null);
    if (last === null || dayOf(last) !== dayOf(at)) return null;
    return patient.units.filter(({ glimpses }) => glimpses.some((one) => one.judged && one.at === last));
  };

  const attempt = (run: LiveRun, open: OpenTouch, now: Instant) => {
    if (run.shiftDays === null) return note(run, open, 'UNKNOWN', now, '顺延天数没有记录');
    const units = openAt(now);
    const channel = units && channelOf(open.touch.target, run.unit, units);
    const decided = decideKnown(
      {
        now,
        touch: open.touch,
        run: { key: run.key, pausedUntil: run.pausedUntil },
        pack: run.pack,
        subject: {
          patientId: patient.patientId,
          doctorId: run.unit.doctorId,
          // A try that finds no conversation asks the switches of the run's own.
          conversationId: channel?.conversationId ?? run.unit.conversationId,
        },
        glimpse: glimpseAt(run.unit.glimpses, now),
        hasChannel: units === null ? null : channel !== null,
        sent: [...patient.otherTouches, ...sent],
        lastHumanAt: patient.humans.reduce<Instant | null>(
          (last, one) =>
            one.conversationId === (channel?.conversationId ?? run.unit.conversationId) && one.at <= now && (last === null || one.at > last)
              ? one.at
              : last,
          null,
        ),
      },
      rules,
    );
    if ('unknown' in decided) return note(run, open, 'UNKNOWN', now, decided.unknown);
    const { verdict } = decided;
    if (verdict.do === 'HOLD') {
      open.nextTryAt = verdict.nextTryAt > now ? verdict.nextTryAt : plusMs(now, 1000);
      open.heldFor = verdict.reason;
      return;
    }
    if (verdict.do === 'SEND') {
      sent.push({ at: now, counts: true, materialIds: open.touch.materialIds, runKey: run.key, itemKey: open.touch.itemKey });
      return note(run, open, 'SENT', now, open.heldFor);
    }
    if (verdict.do === 'SKIP') return note(run, open, 'SKIPPED', now, verdict.reason);
    end(run, now, verdict.do === 'STOP_RUN' ? verdict.reason : 'FINISHED');
  };

  for (const pack of packages)
    for (const unit of patient.units) {
      const start = startOf(pack, unit);
      states.set(place(pack, unit), { armed: start.armed, lastEndedAt: start.lastEndedAt });
      for (const { done, waiting, ...run } of start.runs) begin({ ...run, pack, unit }, { done, waiting }, from);
    }

  // What happens of itself, in its order; touches are found between.
  type Happening = { at: Instant; order: number; what(): unknown };
  const happenings: Happening[] = [];
  for (const { at, conversationId, role } of patient.humans) {
    if (at < from || at >= to || role === 'ASSISTANT') continue;
    happenings.push({
      at,
      order: 0,
      what: () => {
        for (const run of runs) {
          const { policy } = run.pack.snapshot;
          const wants = role === 'PATIENT' ? policy.pauseOnPatientReply : policy.pauseOnDoctorReply;
          if (run.unit.conversationId === conversationId && wants && at >= run.enteredAt)
            pause(run, at, plusMs(at, hours(policy.pauseHours)));
        }
      },
    });
  }
  for (const pack of packages)
    for (const unit of patient.units) {
      const start = startOf(pack, unit);
      const inside = <T extends { at: Instant }>(all: readonly T[]) => all.filter(({ at }) => at >= from && at < to);
      const toLive = (what: (run: LiveRun) => unknown) => () => {
        const run = liveIn(pack, unit);
        if (run) what(run);
      };
      for (const { at } of inside(start.manual))
        happenings.push({ at, order: 0, what: () => liveIn(pack, unit) ?? enter(pack, unit, at, []) });
      for (const { at, until } of inside(start.pauses)) happenings.push({ at, order: 0, what: toLive((run) => pause(run, at, until)) });
      for (const { at } of inside(start.resumes))
        happenings.push({ at, order: 0, what: toLive((run) => run.pausedUntil !== null && resume(run, at)) });
      for (const { at, reason } of inside(start.ends)) happenings.push({ at, order: 0, what: toLive((run) => end(run, at, reason)) });
      for (const glimpse of inside(unit.glimpses))
        if (glimpse.judged)
          happenings.push({
            at: glimpse.at,
            order: 1,
            what: () => {
              const open = openAt(glimpse.at) ?? [];
              if (unitsOfScene(pack.snapshot.chatFlag, open).includes(unit)) judge(pack, unit, glimpse);
            },
          });
    }
  happenings.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.order - b.order));

  const nextTouch = (): { run: LiveRun; open: OpenTouch } | null => {
    let best: { run: LiveRun; open: OpenTouch } | null = null;
    for (const run of runs)
      for (const open of run.open.values()) {
        if (best === null || open.nextTryAt < best.open.nextTryAt) best = { run, open };
        else if (open.nextTryAt === best.open.nextTryAt) {
          const comparison = byUrgency(urgency)(
            { ...open.touch, priority: run.pack.snapshot.policy.priority },
            { ...best.open.touch, priority: best.run.pack.snapshot.policy.priority },
          );
          if (comparison < 0) best = { run, open };
        }
      }
    return best;
  };

  const goTo = (until: Instant, included: boolean) => {
    for (;;) {
      const resuming = runs
        .filter(({ pausedUntil }) => pausedUntil !== null)
        .toSorted((a, b) => (a.pausedUntil! < b.pausedUntil! ? -1 : 1))[0];
      const next = nextTouch();
      const at = resuming && (next === null || resuming.pausedUntil! <= next.open.nextTryAt) ? resuming.pausedUntil! : next?.open.nextTryAt;
      if (at === undefined || at > until || (at === until && !included)) return;
      rollTo(at);
      if (resuming && at === resuming.pausedUntil) {
        if (runs.includes(resuming)) resume(resuming, at);
      } else if (next && runs.includes(next.run)) attempt(next.run, next.open, at);
    }
  };
  for (const { at, what } of happenings) {
    goTo(at, false);
    rollTo(at);
    what();
  }
  goTo(to, false);
  for (const run of runs)
    for (const open of run.open.values()) if (open.touch.dueAt < to) note(run, open, 'HELD', open.nextTryAt, open.heldFor);
  return result;
}
