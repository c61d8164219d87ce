import { sql } from 'kysely';
import type { StateMachine } from '#kernel/contract/stateMachine.ts';
import { dayOf, plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import { seeded, type Random } from '#kernel/server/demo/bulk.ts';
import { demoTrails } from '#kernel/server/demo/trails.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, type Ledger } from '#domains/ledger/server/index.ts';

interface Person {
  id: string;
  name: string;
}
const NAMES = ['fin_a', 'fin_r', 'fin_s', 'cashier', 'chan_ops', 'ops_audit'] as const;
export type StaffName = (typeof NAMES)[number];

export interface Step<A extends string> {
  action: A;
  at: Instant;
  by: StaffName;
  opinion?: string;
}

/** Whoever and whatever the demonstration is about, and the hand that writes it. */
export interface Stage {
  kernel: Kernel;
  ledger: Ledger;
  writing: Writing;
  tx: Tx;
  random: Random;
  now: Instant;
  today: Day;
  staff: Readonly<Record<StaffName, Person>>;
  /** Somebody acts at that moment, or the system; what it would tell others is history. */
  at(now: Instant, by?: StaffName): Acting;
  trail<S extends string, A extends string>(
    machine: StateMachine<S, A>,
    target: { type: string; id: string },
    steps: readonly Step<NoInfer<A>>[],
  ): void;
  writeTrails(): Promise<void>;
}

const nothing = (): Promise<void> => Promise.resolve();

export async function setStage({ kernel, now }: DemoContext, writing: Writing): Promise<Stage | null> {
  const { tx } = writing;
  const { rows } = await sql<{ id: string; userName: string; displayName: string }>`
    select id, user_name, display_name from identity_staff_user where user_name = any(${[...NAMES]}::text[])`.execute(tx);
  if (rows.length < NAMES.length) return null;
  const who = (name: StaffName): Person => {
    const found = rows.find(({ userName }) => userName === name)!;
    return { id: found.id, name: found.displayName };
  };
  const staff = {
    fin_a: who('fin_a'),
    fin_r: who('fin_r'),
    fin_s: who('fin_s'),
    cashier: who('cashier'),
    chan_ops: who('chan_ops'),
    ops_audit: who('ops_audit'),
  };
  const trails = demoTrails(tx);
  return {
    kernel,
    ledger: ledgerOf(kernel),
    writing,
    tx,
    random: seeded(20_261_130),
    now,
    today: dayOf(now),
    staff,
    at: (at, by) => ({
      ...asSystem({ ...writing, publish: nothing, publishMany: nothing, enqueue: nothing }, { now: at, traceId: 'demo' }),
      ...(by && { actorName: staff[by].name }),
    }),
    trail: (machine, target, steps) =>
      trails.add(
        machine,
        target,
        steps.map(({ by, ...step }) => ({ ...step, by: staff[by] })),
      ),
    writeTrails: () => trails.write(),
  };
}

/** So many days before today, at that time. */
export const daysAgo = ({ today }: Pick<Stage, 'today'>, days: number, time = '10:00'): Instant => startOfDay(plusDays(today, -days), time);
