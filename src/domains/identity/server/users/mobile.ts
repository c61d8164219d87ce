import { mask } from '../../../../kernel/contract/masking.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';

/** Blind index of a staff mobile, for exact search. */
export const mobileHash = (secrets: Secrets, mobile: string): string => secrets.blindIndex('identity.mobile', mobile);

/** The three columns that a mobile is kept in; all null without one. */
export function mobileColumns(
  secrets: Secrets,
  mobile: string | null,
): {
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
} {
  if (mobile === null || mobile === '') return { mobileCipher: null, mobileHash: null, mobileMasked: null };
  return { mobileCipher: secrets.encrypt(mobile), mobileHash: mobileHash(secrets, mobile), mobileMasked: mask('mobile', mobile) };
}

export function emailColumns(secrets: Secrets, email: string | null): { emailCipher: string | null; emailMasked: string | null } {
  if (email === null || email === '') return { emailCipher: null, emailMasked: null };
  return { emailCipher: secrets.encrypt(email), emailMasked: mask('email', email) };
}
