import type { Secrets } from '../sensitive/secrets.ts';

/** What an address of the embedded store permits. */
export interface PutPermit {
  key: string;
  size: number;
  contentType: string;
  expiresAt: string;
}

/** Text of an address: the facts in the clear, and their HMAC. Facts of one purpose are of no use for another. */
export function signFacts(secrets: Secrets, purpose: string, facts: object): string {
  const text = Buffer.from(JSON.stringify(facts)).toString('base64url');
  return `${text}.${secrets.sign(purpose, text)}`;
}

/** The facts of an address; null when it was not made here for this purpose. */
export function readFacts(secrets: Secrets, purpose: string, address: string): unknown {
  const [text, signature, ...rest] = address.split('.');
  if (!text || !signature || rest.length > 0 || !secrets.verify(purpose, text, signature)) return null;
  return JSON.parse(Buffer.from(text, 'base64url').toString());
}

const PUT_PURPOSE = 'storage.put';

export const signPut = (secrets: Secrets, permit: PutPermit): string => signFacts(secrets, PUT_PURPOSE, { ...permit, method: 'PUT' });

/** The permit of a PUT address; null when forged or past its time. */
export function readPut(secrets: Secrets, address: string, now: string): PutPermit | null {
  // Signed by signPut, so its shape is known.
  const permit = readFacts(secrets, PUT_PURPOSE, address) as PutPermit | null;
  return permit && permit.expiresAt > now ? permit : null;
}
