import * as z from 'zod/mini';
import { dayOf, plusDays, type Day } from '../../../../kernel/contract/time.ts';
import { touchKind } from '../dictionaries.ts';
import { avoiding } from '../plan.ts';
import { gate, type GateInput, type GateVerdict } from './gate.ts';
import { runMachine } from './states.ts';

/** Days ahead in which the next usable one is kept with a decision. */
const AHEAD = 30;

/** What one decision about a touch was made from, as it is kept: the calendar as the days that it leaves out. */
export const keptInput = z.strictObject({
  now: z.string(),
  touch: z.strictObject({ touchKind: touchKind.schema, dueAt: z.string(), expiresAt: z.string() }),
  switches: z.array(z.string()),
  run: z.strictObject({ state: runMachine.dictionary.schema, pausedUntil: z.nullable(z.string()) }),
  patient: z.strictObject({ alive: z.boolean(), cancelled: z.boolean() }),
  consent: z.strictObject({ followUp: z.boolean(), marketing: z.boolean() }),
  hasChannel: z.boolean(),
  stop: z.boolean(),
  launch: z.nullable(z.boolean()),
  itemConditions: z.nullable(z.boolean()),
  materials: z.array(z.strictObject({ enabled: z.boolean(), rxMissing: z.boolean(), lastSentAt: z.nullable(z.string()) })),
  taskOnly: z.optional(z.boolean()),
  sameMaterialGapDays: z.int(),
  restDays: z.array(z.string()),
  lastHumanAt: z.nullable(z.string()),
  activeGuardMin: z.int(),
  exempt: z.optional(
    z.strictObject({
      consent: z.optional(z.boolean()),
      hours: z.optional(z.boolean()),
      activity: z.optional(z.boolean()),
      cap: z.optional(z.boolean()),
    }),
  ),
  sent: z.strictObject({ today: z.int(), in7Days: z.int() }),
  caps: z.strictObject({ perDay: z.int(), in7Days: z.int() }),
});
export type KeptInput = z.output<typeof keptInput>;

type Usable = GateInput['usableDay'];
/** The last days asked of each calendar: all touches of a batch ask for the same. */
const asked = new WeakMap<Usable, { from: Day; restDays: readonly Day[] }>();

function restDaysAfter(usableDay: Usable, from: Day): readonly Day[] {
  const known = asked.get(usableDay);
  if (known?.from === from) return known.restDays;
  const days = Array.from({ length: AHEAD }, (_, n) => plusDays(from, n));
  const restDays = days.filter((day) => usableDay(day) !== day);
  asked.set(usableDay, { from, restDays });
  return restDays;
}

/** Makes of a decision's input what is kept. A snapshot: what changes later in the batch does not change it. */
export function keepInput({ usableDay, run, ...input }: GateInput): KeptInput {
  return {
    ...input,
    switches: [...input.switches],
    materials: [...input.materials],
    run: { state: run.state, pausedUntil: run.pausedUntil },
    sent: { ...input.sent },
    restDays: [...restDaysAfter(usableDay, dayOf(input.now))],
  };
}

/** Decides again from what was kept, by the same gates. Pure. */
export const decideAgain = ({ restDays, ...input }: KeptInput): GateVerdict =>
  gate({ ...input, usableDay: avoiding(new Set(restDays)) }).verdict;
