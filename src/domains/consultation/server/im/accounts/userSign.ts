import { sql } from 'kysely';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
import { besideTransaction } from '#kernel/server/database/heldConnection.ts';
import type { Kernel } from '#kernel/server/kernel.ts';

/** The vendor's user sign, version 2.0: a keyed hash over who, which application, since when and for how long. */
export interface SignFacts {
  userID: string;
  sdkAppID: number;
  /** Seconds. */
  time: number;
  expire: number;
}

const TO_SAFE: Readonly<Record<string, string>> = { '+': '*', '/': '-', '=': '_' };
const FROM_SAFE: Readonly<Record<string, string>> = { '*': '+', '-': '/', _: '=' };
const swap = (text: string, table: Readonly<Record<string, string>>) => text.replaceAll(/[+/=*_-]/g, (letter) => table[letter] ?? letter);

/** The hash alone, in base64. */
export const signatureOf = ({ userID, sdkAppID, time, expire }: SignFacts, key: string): string =>
  createHmac('sha256', key)
    .update(`TLS.identifier:${userID}\nTLS.sdkappid:${sdkAppID}\nTLS.time:${time}\nTLS.expire:${expire}\n`)
    .digest('base64');

export function makeUserSig(facts: SignFacts, key: string): string {
  const content = JSON.stringify({
    'TLS.ver': '2.0',
    'TLS.identifier': facts.userID,
    'TLS.sdkappid': facts.sdkAppID,
    'TLS.expire': facts.expire,
    'TLS.time': facts.time,
    'TLS.sig': signatureOf(facts, key),
  });
  return swap(deflateSync(content).toString('base64'), TO_SAFE);
}

/** What a sign says, when it was made with this key for this application; null for anything else. Time is the caller's matter. */
export function readUserSig(userSig: string, key: string, sdkAppID: number): SignFacts | null {
  try {
    const content = inflateSync(Buffer.from(swap(userSig, FROM_SAFE), 'base64'), { maxOutputLength: 4_096 }).toString();
    const fields = JSON.parse(content) as Record<string, unknown>;
    const facts: SignFacts = {
      userID: String(fields['TLS.identifier']),
      sdkAppID: Number(fields['TLS.sdkappid']),
      time: Number(fields['TLS.time']),
      expire: Number(fields['TLS.expire']),
    };
    const given = Buffer.from(String(fields['TLS.sig']));
    const right = Buffer.from(signatureOf(facts, key));
    const genuine =
      fields['TLS.ver'] === '2.0' && facts.sdkAppID === sdkAppID && given.length === right.length && timingSafeEqual(given, right);
    return genuine ? facts : null;
  } catch {
    return null;
  }
}

const NAME = 'consultation.imKey';
const keys = new WeakMap<Kernel, Promise<string>>();

async function load(kernel: Kernel): Promise<string> {
  const fresh = kernel.secrets.encrypt(randomBytes(32).toString('hex'));
  await sql`
    insert into kernel_setting (name, value, at) values (${NAME}, ${fresh}, ${kernel.clock.now()}) on conflict (name) do nothing`.execute(
    kernel.db,
  );
  const { rows } = await sql<{ value: string }>`select value from kernel_setting where name = ${NAME}`.execute(kernel.db);
  return kernel.secrets.decrypt(rows[0]!.value);
}

/** Key of the embedded service's user signs: made once, kept encrypted in the database, the same for every process. */
export function signKey(kernel: Kernel): Promise<string> {
  const known = keys.get(kernel) ?? besideTransaction('madeOnce', () => load(kernel));
  keys.set(kernel, known);
  known.catch(() => keys.delete(kernel));
  return known;
}
