import { sql } from 'kysely';
import { dayOf, minutes, plusMs, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Staff, Tx, Writing } from '#kernel/server/context.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';

/** Accounts of the demonstration: who enters, reviews first and second, leads, and looks at money. */
const NAMES = ['svc_a', 'enrol_a', 'enrol_r', 'enrol_s', 'fin_r'] as const;
export type StaffName = (typeof NAMES)[number];

/** Minutes between two acts of one day. */
const STEP = 4;
const nothing = (): Promise<void> => Promise.resolve();
const noStaff: Omit<Staff, 'userId' | 'displayName' | 'userName' | 'opNo'> = {
  sessionId: '',
  sessionEndsAt: null,
  restricted: false,
  smsVerifiedAt: null,
  userRoleId: null,
  roleCode: null,
  roleName: null,
  permissions: new Set(),
  scope: { own: false, region: null, insurer: null, channel: null },
};

export interface Stage {
  kernel: Kernel;
  tx: Tx;
  now: Instant;
  today: Day;
  staff: Readonly<Record<StaffName, Staff>>;
  /** Somebody acts on a day, one act after the other, at the latest now; what it would tell others is history. */
  at(day: Day, by: StaffName): Acting & { staff: Staff; has(): boolean };
  /** The system does. */
  byItself(day: Day): Acting;
}

/** @throws where the demonstration has no such account: an empty desk would say so to nobody */
async function readStaff(tx: Tx): Promise<Record<StaffName, Staff>> {
  const { rows } = await sql<{ userId: string; userName: string; displayName: string; opNo: string }>`
    select id::text as user_id, user_name, display_name, op_no
      from identity_staff_user
      where user_name = any(${[...NAMES]})`.execute(tx);
  const find = (name: StaffName): Staff => {
    const facts = rows.find(({ userName }) => userName === name);
    if (!facts) throw new Error(`the demonstration has no account ${name}`);
    return { ...noStaff, ...facts };
  };
  return { svc_a: find('svc_a'), enrol_a: find('enrol_a'), enrol_r: find('enrol_r'), enrol_s: find('enrol_s'), fin_r: find('fin_r') };
}

export async function setStage({ kernel, now }: Pick<DemoContext, 'kernel' | 'now'>, writing: Writing): Promise<Stage> {
  const staff = await readStaff(writing.tx);
  const today = dayOf(now);
  const taken = new Map<Day, number>();
  const momentOf = (wanted: Day) => {
    const day = wanted < today ? wanted : today;
    const before = taken.get(day) ?? 0;
    taken.set(day, before + 1);
    const then = plusMs(startOfDay(day, '09:06'), minutes(before * STEP));
    return then < now ? then : now;
  };
  const history = { ...writing, publish: nothing, publishMany: nothing, enqueue: nothing };
  return {
    kernel,
    tx: writing.tx,
    now,
    today,
    staff,
    at(day, by) {
      const moment = momentOf(day);
      return {
        ...history,
        now: moment,
        today: dayOf(moment),
        traceId: 'demo',
        staffOrNull: staff[by],
        staff: staff[by],
        has: () => true,
        requirePermission: () => {},
      };
    },
    byItself: (day) => asSystem(history, { now: momentOf(day), traceId: 'demo' }),
  };
}
