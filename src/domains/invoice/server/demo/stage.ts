import { sql } from 'kysely';
import { dayOf, days, plusMs, type Instant } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Staff, Tx, Writing } from '#kernel/server/context.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';

/** Accounts of the demonstration: who makes refunds, passes them, and executes them. */
const NAMES = ['fin_a', 'fin_r', 'cashier'] as const;
type StaffName = (typeof NAMES)[number];

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
  staff: Readonly<Record<StaffName, Staff>>;
  /** Somebody acts so many days ago, or the system; what it would tell others is history. */
  ago(daysAgo: number, by?: StaffName): Acting;
  /** The system acts at that moment, at the latest now. */
  at(moment: Instant): Acting;
}

export async function setStage({ kernel, now }: Pick<DemoContext, 'kernel' | 'now'>, writing: Writing): Promise<Stage> {
  const { rows } = await sql<{ userId: string; userName: string; displayName: string; opNo: string }>`
    select id::text as user_id, user_name, display_name, op_no
      from identity_staff_user
      where user_name = any(${[...NAMES]})`.execute(writing.tx);
  const find = (name: StaffName): Staff => {
    const facts = rows.find(({ userName }) => userName === name);
    if (!facts) throw new Error(`the demonstration has no account ${name}`);
    return { ...noStaff, ...facts };
  };
  const staff = { fin_a: find('fin_a'), fin_r: find('fin_r'), cashier: find('cashier') };
  const history = { ...writing, publish: nothing, publishMany: nothing, enqueue: nothing };
  const at = (moment: Instant) => asSystem(history, { now: moment < now ? moment : now, traceId: 'demo' });
  return {
    kernel,
    tx: writing.tx,
    now,
    staff,
    at,
    ago: (daysAgo, by) => {
      const acting = at(plusMs(now, -days(daysAgo)));
      return by ? { ...acting, today: dayOf(acting.now), staffOrNull: staff[by] } : acting;
    },
  };
}
