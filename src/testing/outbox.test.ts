import { globSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { cipher, type EventDeclaration } from '#kernel/contract/event.ts';
import { isIdNumber } from '#domains/patient/contract/idNumber.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// Events stay in the outbox: no number of a person or of an account stands there in clear, whoever publishes it.

const root = path.join(import.meta.dirname, '../..');
const isEvent = (value: unknown): value is EventDeclaration =>
  typeof value === 'object' && value !== null && 'name' in value && 'payload' in value;

async function allEvents(): Promise<EventDeclaration[]> {
  const events: EventDeclaration[] = [];
  for (const file of globSync('src/events/*.ts', { cwd: root })) {
    const exported: Record<string, unknown> = await import(path.join(root, file));
    events.push(...Object.values(exported).filter(isEvent));
  }
  return events;
}

type Schema = z.core.$ZodType;
interface Leaf {
  path: string;
  key: string;
  schema: Schema;
}
/** Every value of a payload that holds no others, with the name under which it travels. */
function leavesOf(schema: Schema, at: string, key: string): Leaf[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => leavesOf(field, `${at}.${name}`, name));
    case 'array':
      return leavesOf(def.element, at, key);
    case 'record':
      return leavesOf(def.valueType, at, key);
    case 'nullable':
    case 'optional':
      return leavesOf(def.innerType, at, key);
    case 'union':
      return def.options.flatMap((option) => leavesOf(option, at, key));
    default:
      return [{ path: at, key, schema }];
  }
}

/** What a number of a person or of his account is called. */
const SENSITIVE = /(^|[a-z])(id_?no|cert(ificate)?_?no|mobile|phone|tel|account_?no|bank_?card|bank_?account|passport|email)s?$/i;
/** Named alike and no such thing. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'ledger.account.frozen.accountNo': 'an account of our own books',
  'ledger.account.unfrozen.accountNo': 'an account of our own books',
  'ledger.lot.expired.accountNo': 'an account of our own books',
};
/** What nobody declares the inside of: it has to be looked at by who publishes it. */
const OPAQUE: Readonly<Record<string, string>> = {
  'claim.case.decided.input': 'de-identified input of the adjudication: names, certificates and mobiles are none of its fields',
  'claim.case.decided.result': 'result of the adjudication, made of that input',
};

describe('what events declare', () => {
  it('names no number of a person or of an account but as cipher, hash or mask', async () => {
    const events = await allEvents();
    expect(events.length).toBeGreaterThan(100);
    const leaves = events.flatMap(({ name, payload }) => leavesOf(payload, name, ''));
    const clear = leaves.filter(({ key }) => SENSITIVE.test(key)).map((leaf) => leaf.path);
    expect(clear.toSorted()).toEqual(Object.keys(OTHERWISE).toSorted());
    const opaque = leaves.filter(({ schema }) => ['unknown', 'any'].includes((schema as z.core.$ZodTypes)._zod.def.type));
    expect(opaque.map((leaf) => leaf.path).toSorted()).toEqual(Object.keys(OPAQUE).toSorted());
    const ciphers = leaves.filter(({ key }) => key.endsWith('Cipher'));
    expect(ciphers.length).toBeGreaterThan(2);
    expect(ciphers.filter(({ schema }) => schema !== cipher).map((leaf) => leaf.path)).toEqual([]);
  });

  it('refuses a clear number in the place of a cipher', () => {
    for (const clear of ['', '13812345678', '110101199001011237', '6225880112345678', `k12345678.${'1'.repeat(10)}`])
      expect(cipher.safeParse(clear).success, clear).toBe(false);
  });
});

describe('what the demonstration published', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ demonstration: true });
  }, 400_000);
  afterAll(() => app.close());

  /** Numbers of all persons and accounts that any table keeps as a cipher. */
  async function keptNumbers(): Promise<Set<string>> {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select c.relname as "table", a.attname as "column" from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and not a.attisdropped
        and a.attname like '%\\_cipher'`.execute(app.db);
    const found = new Set<string>();
    const keep = (kept: string) => {
      const plain = app.kernel.secrets.decrypt(kept);
      if (/^[0-9A-Z]{8,30}$/.test(plain) && /\d{7}/.test(plain)) found.add(plain);
    };
    for (const { table, column } of columns) {
      const { rows } = await sql<{ kept: string }>`
        select distinct ${sql.ref(column)} as kept from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(app.db);
      for (const { kept } of rows) keep(kept);
    }
    for (const owner of ['institution_drugstore', 'institution_chain']) {
      const { rows } = await sql<{ kept: string }>`
        select account->>'accountNoCipher' as kept from ${sql.table(owner)} where account is not null`.execute(app.db);
      for (const { kept } of rows) keep(kept);
    }
    return found;
  }

  it('holds none of the numbers that the tables keep enciphered, nor any that looks like one', { timeout: 400_000 }, async () => {
    const numbers = await keptNumbers();
    expect(numbers.size).toBeGreaterThan(1_000);
    const { rows } = await sql<{ name: string; text: string }>`
      select name, aggregate_id || ' ' || payload::text as text from kernel_outbox`.execute(app.db);
    expect(rows.length).toBeGreaterThan(100);
    const found = rows.flatMap(({ name, text }) =>
      (text.match(/[0-9A-Za-z]{8,}/g) ?? [])
        .filter((word) => numbers.has(word) || /^1[3-9]\d{9}$/.test(word) || (/^\d{17}[\dX]$/.test(word) && isIdNumber(word)))
        .map((word) => `${name}: ${word}`),
    );
    expect(found).toEqual([]);
  });
});
