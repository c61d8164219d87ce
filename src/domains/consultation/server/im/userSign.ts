import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';

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
