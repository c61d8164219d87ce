import { mobileColumnsBy } from '#kernel/server/sensitive/mobileColumns.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';

/** Blind index of a staff mobile, for exact search. */
export const mobileHash = (secrets: Secrets, mobile: string): string => secrets.blindIndex('identity.mobile', mobile);

export const mobileColumns = mobileColumnsBy(mobileHash);

export function emailColumns(secrets: Secrets, email: string | null): { emailCipher: string | null; emailMasked: string | null } {
  if (email === null || email === '') return { emailCipher: null, emailMasked: null };
  return { emailCipher: secrets.encrypt(email), emailMasked: mask('email', email) };
}
