import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** A key as the providers hand it out: PEM, or its base64 body alone. */
const pem = (kind: 'PRIVATE' | 'PUBLIC', text: string) =>
  text.includes('-----BEGIN')
    ? text
    : `-----BEGIN ${kind} KEY-----\n${text.trim().replaceAll(/.{64}/g, '$&\n')}\n-----END ${kind} KEY-----`;

export const privateKeyOf = (text: string): KeyObject => createPrivateKey(pem('PRIVATE', text));
export const publicKeyOf = (text: string): KeyObject => createPublicKey(pem('PUBLIC', text));

/** SHA-256 with RSA (PKCS #1 v1.5), base64. */
export const signText = (key: KeyObject, text: string): string => sign('sha256', Buffer.from(text), key).toString('base64');
export const isSigned = (key: KeyObject, text: string, signature: string): boolean =>
  verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'));
