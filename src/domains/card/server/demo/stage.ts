import { sql } from 'kysely';
import type { StateMachine } from '#kernel/contract/stateMachine.ts';
import { dayOf, plusDays, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import { seeded, type Random } from '#kernel/server/demo/bulk.ts';
import { demoTrails, type DemoStep } from '#kernel/server/demo/trails.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, type Ledger } from '#domains/ledger/server/index.ts';
import type { Spending } from '../use/capture.ts';

export interface Person {
  id: string;
  name: string;
}
interface Holder {
  patientId: string;
  name: string;
  idType: 'ID';
  idNoCipher: string;
  idNoHash: string;
  idNoMasked: string;
  mobileCipher: string;
  mobileHash: string;
  mobileMasked: string;
}
export interface Merchant {
  id: string;
  name: string;
}
type Staff = 'card_a' | 'card_r' | 'fin_a' | 'fin_r' | 'fin_s';

/** Whoever and whatever the demonstration's cards are about, and the hand that writes it. */
export interface Stage {
  kernel: Kernel;
  ledger: Ledger;
  tx: Tx;
  random: Random;
  now: Instant;
  today: Day;
  /** The first day that the open months know. */
  first: Day;
  staff: Readonly<Record<Staff, Person>>;
  holders: readonly Holder[];
  merchants: readonly Merchant[];
  goods: readonly string[];
  /** A posting of that moment; what it would tell others is history. */
  at(now: Instant): Spending;
  writing: Writing;
  number(prefix: string, at: Instant): string;
  trail<S extends string, A extends string>(
    machine: StateMachine<S, A>,
    target: { type: string; id: string },
    steps: readonly DemoStep<NoInfer<A>>[],
  ): void;
  /** Numbers that were given out are known to whoever gives out the next. */
  keepNumbers(): Promise<void>;
  /** Writes the trails that were gathered. */
  writeTrails(): Promise<void>;
}
const MONTHS = 5;
function firstDay(today: Day): Day {
  let month = today.slice(0, 7);
  for (let step = 0; step < MONTHS; step += 1) month = plusDays(`${month}-01`, -1).slice(0, 7);
  return `${month}-01`;
}

const nothing = (): Promise<void> => Promise.resolve();

/** @returns null where the product has not the people and stores that cards need */
export async function setStage({ kernel, now }: DemoContext, writing: Writing): Promise<Stage | null> {
  const { tx } = writing;
  const today = dayOf(now);
  const { rows: people } = await sql<{ id: string; userName: string; displayName: string }>`
    select id, user_name, display_name from identity_staff_user where user_name in ('card_a', 'card_r', 'fin_a', 'fin_r', 'fin_s')`.execute(
    tx,
  );
  const { rows: holders } = await sql<Holder>`
    select id as patient_id, name, 'ID' as id_type, id_no_cipher, id_no_hash, id_no_masked, mobile_cipher, mobile_hash, mobile_masked
      from patient_patient
      where id_type = 'ID' and id_no_cipher is not null and mobile_cipher is not null and state = 'ACTIVE'
      order by id limit 400`.execute(tx);
  const { rows: merchants } = await sql<Merchant>`
    select id, name from institution_drugstore where state = 'OPEN' order by id limit 8`.execute(tx);
  const { rows: goods } = await sql<{ name: string }>`
    select distinct generic_name as name from pharma_medicine order by 1 limit 40`.execute(tx);
  const who = (name: Staff): Person => {
    const found = people.find(({ userName }) => userName === name);
    return { id: found?.id ?? '0', name: found?.displayName ?? name };
  };
  if (holders.length < 60 || merchants.length < 3 || people.length < 5) return null;
  const counters = new Map<string, number>();
  const trails = demoTrails(tx);
  return {
    kernel,
    ledger: ledgerOf(kernel),
    tx,
    random: seeded(20_261_124),
    now,
    today,
    first: firstDay(today),
    staff: { card_a: who('card_a'), card_r: who('card_r'), fin_a: who('fin_a'), fin_r: who('fin_r'), fin_s: who('fin_s') },
    holders,
    merchants,
    goods: goods.map(({ name }) => name),
    writing,
    at: (at) => ({ tx, now: at, traceId: 'demo', publish: nothing, publishMany: nothing, enqueue: nothing }),
    number(prefix, at) {
      const key = `${prefix}${dayOf(at).replaceAll('-', '')}`;
      const next = (counters.get(key) ?? 0) + 1;
      counters.set(key, next);
      return `${key}${String(next).padStart(6, '0')}`;
    },
    trail: trails.add,
    writeTrails: trails.write,
    async keepNumbers() {
      const given = [...counters].map(([key, last]) => ({ prefix: key.slice(0, -8), day: key.slice(-8), last }));
      await sql`
        insert into kernel_number (prefix, day, last) select u.prefix, u.day::date, u.last
          from unnest(
            ${given.map(({ prefix }) => prefix)}::text[], ${given.map(({ day }) => day)}::text[], ${given.map(({ last }) => last)}::int[]
          ) as u (prefix, day, last)
        on conflict (prefix, day) do update set last = greatest(kernel_number.last, excluded.last)`.execute(tx);
    },
  };
}

/** So many days after the first day of the demonstration, at that time. */
export const dayAt = ({ first }: Pick<Stage, 'first'>, days: number, time = '10:00'): Instant => startOfDay(plusDays(first, days), time);
