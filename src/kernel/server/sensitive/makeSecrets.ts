import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import type { Secrets } from './secrets.ts';

const NONCE = 12;
const TAG = 16;

/**
 * Secrets over a master key of 32 bytes. Each use has a key of its own, so a signature is never an index of a field.
 * Ciphertext: `{key id}.{base64url of nonce, ciphertext, tag}`, the key id authenticated.
 */
export function makeSecrets(masterKey: Buffer): Secrets {
  if (masterKey.length !== 32) throw new Error('The master key must have 32 bytes');
  // Kept as key objects: made anew from bytes, the key costs more than the encryption of a field.
  const known = new Map<string, KeyObject>();
  const keyOf = (use: string) => {
    const key = known.get(use) ?? createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, 'kangqiao', use, 32)));
    known.set(use, key);
    return key;
  };
  const hmac = (use: string, text: string) => createHmac('sha256', keyOf(use)).update(text, 'utf8').digest();
  const keyId = `k${hmac('key-id', '').toString('hex').slice(0, 8)}`;

  return {
    encrypt(plain) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', keyOf('fields'), nonce).setAAD(Buffer.from(keyId));
      const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${keyId}.${body.toString('base64url')}`;
    },
    decrypt(text) {
      const [id = '', encoded = ''] = text.split('.');
      if (id !== keyId) throw new Error(`A field was encrypted with the key ${id.slice(0, 9)}, not with the present ${keyId}`);
      const body = Buffer.from(encoded, 'base64url');
      if (body.length < NONCE + TAG) throw new Error('An encrypted field is damaged');
      const decipher = createDecipheriv('aes-256-gcm', keyOf('fields'), body.subarray(0, NONCE), { authTagLength: TAG })
        .setAAD(Buffer.from(id))
        .setAuthTag(body.subarray(-TAG));
      return decipher.update(body.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8');
    },
    blindIndex: (purpose, plain) => hmac(`blind-index/${purpose}`, plain).toString('base64url'),
    sign: (purpose, text) => hmac(`sign/${purpose}`, text).toString('hex'),
    verify(purpose, text, signature) {
      const right = hmac(`sign/${purpose}`, text);
      const given = Buffer.from(/^[0-9a-f]{64}$/.test(signature) ? signature : '', 'hex');
      return given.length === right.length && timingSafeEqual(given, right);
    },
    checkValue: hmac('check', '').toString('hex'),
  };
}
