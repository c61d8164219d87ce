import { sql } from 'kysely';
import { dayOf, startOfDay, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Staff, Tx, Writing } from '#kernel/server/context.ts';
import { seeded, type Random } from '#kernel/server/demo/bulk.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';

const NAMES = ['product_a', 'product_r', 'fin_a', 'fin_r', 'fin_s', 'admin'] as const;
export type StaffName = (typeof NAMES)[number];

/** A patient whom the product knows: his covers are found by his certificate. */
export interface Known {
  patientId: string;
  name: string;
  gender: 'M' | 'F';
  birthDate: Day;
  idNo: string;
  mobile: string;
}

/** Who writes the demonstration of policies, and when. */
export interface Stage {
  kernel: Kernel;
  secrets: Secrets;
  writing: Writing;
  tx: Tx;
  random: Random;
  now: Instant;
  today: Day;
  year: number;
  known: readonly Known[];
  /** 0, 1, 2 … */
  serial(): number;
  productId(code: string): string;
  staff(name: StaffName): Pick<Staff, 'userId' | 'displayName'>;
  /** Somebody (null: the system) acts on a day at a time, at the latest now; what it would tell others is history. */
  at(day: Day, time: string, by: StaffName | null): Acting;
}

const nothing = (): Promise<void> => Promise.resolve();
const nobody: Staff = {
  userId: '0',
  userName: '',
  displayName: '',
  opNo: '',
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

async function knownPatients(tx: Tx, secrets: Secrets): Promise<Known[]> {
  const { rows } = await sql<{
    patientId: string;
    name: string;
    gender: number;
    birthDate: Day;
    idNoCipher: string;
    mobileCipher: string;
  }>`
    select id::text as patient_id, name, gender, birth_date, id_no_cipher, mobile_cipher from patient_patient
    where id_type = 'ID' and id_no_cipher is not null and mobile_cipher is not null and birth_date is not null and state = 'ACTIVE'
    order by id limit 240`.execute(tx);
  return rows.map(({ gender, idNoCipher, mobileCipher, ...row }) => ({
    ...row,
    gender: gender === 2 ? 'F' : 'M',
    idNo: secrets.decrypt(idNoCipher),
    mobile: secrets.decrypt(mobileCipher),
  }));
}

/** @returns null where the product has not the people or the insurance products that policies need */
export async function setStage({ kernel, now }: DemoContext, writing: Writing): Promise<Stage | null> {
  const { tx } = writing;
  const { rows: people } = await sql<{ id: string; userName: string; displayName: string; opNo: string }>`
    select id::text, user_name, display_name, op_no from identity_staff_user where user_name = any(${[...NAMES]}::text[])`.execute(tx);
  const { rows: products } = await sql<{ id: string; productCode: string }>`
    select id::text, product_code from insurance_product where status = 'ON_SALE'`.execute(tx);
  const known = await knownPatients(tx, kernel.secrets);
  if (people.length < NAMES.length || products.length === 0 || known.length < 60) return null;
  const today = dayOf(now);
  let serial = 0;
  const who = (name: StaffName): Staff => {
    const { id, userName, displayName, opNo } = people.find((one) => one.userName === name)!;
    return { ...nobody, userId: id, userName, displayName, opNo };
  };
  return {
    kernel,
    secrets: kernel.secrets,
    writing,
    tx,
    random: seeded(20_261_127),
    now,
    today,
    year: Number(today.slice(0, 4)),
    known,
    serial: () => serial++,
    productId: (code) => products.find(({ productCode }) => productCode === code)!.id,
    staff: who,
    at(day, time, by) {
      const then = startOfDay(day < today ? day : today, time);
      const moment = then < now ? then : now;
      return {
        ...writing,
        publish: nothing,
        publishMany: nothing,
        enqueue: nothing,
        now: moment,
        today: dayOf(moment),
        traceId: 'demo',
        staffOrNull: by === null ? null : who(by),
        requirePermission: () => {},
      };
    },
  };
}
