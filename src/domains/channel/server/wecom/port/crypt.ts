import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const BLOCK = 32;
const RANDOM = 16;

/** SHA-1 over the sorted parts, as WeChat Work signs its callbacks. */
export const callbackSignature = (token: string, timestamp: string, nonce: string, encrypted: string): string =>
  createHash('sha1').update([token, timestamp, nonce, encrypted].sort().join('')).digest('hex');

export function isSigned(token: string, parts: { timestamp: string; nonce: string; encrypted: string; signature: string }): boolean {
  const right = Buffer.from(callbackSignature(token, parts.timestamp, parts.nonce, parts.encrypted));
  const given = Buffer.from(parts.signature);
  return right.length === given.length && timingSafeEqual(right, given);
}

const keyOf = (encodingAesKey: string) => Buffer.from(`${encodingAesKey}=`, 'base64');

/** The message of a callback. @throws when it was not made for this company. */
export function decryptCallback(encodingAesKey: string, encrypted: string, corpId: string): string {
  const key = keyOf(encodingAesKey);
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(encrypted, 'base64'), decipher.final()]);
  const plain = padded.subarray(0, padded.length - (padded.at(-1) ?? 0));
  const length = plain.readUInt32BE(RANDOM);
  const start = RANDOM + 4;
  if (plain.subarray(start + length).toString() !== corpId) throw new Error('the callback was made for another company');
  return plain.subarray(start, start + length).toString();
}

/** The other direction, for the simulator and the tests. */
export function encryptCallback(encodingAesKey: string, message: string, corpId: string): string {
  const key = keyOf(encodingAesKey);
  const body = Buffer.from(message);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  const plain = Buffer.concat([randomBytes(RANDOM), length, body, Buffer.from(corpId)]);
  const pad = BLOCK - (plain.length % BLOCK);
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.concat([plain, Buffer.alloc(pad, pad)])), cipher.final()]).toString('base64');
}

/** The flat fields of a callback's XML. */
export const xmlFields = (xml: string): Record<string, string> =>
  Object.fromEntries(
    [...xml.matchAll(/<(\w+)>(?:<!\[CDATA\[([\s\S]*?)\]\]>|([^<]*))<\/\1>/g)].map(([, name, data, text]) => [name!, data ?? text ?? '']),
  );
