import { hash, randomBytes } from 'node:crypto';

/** A new session token: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** What the database keeps of a token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
