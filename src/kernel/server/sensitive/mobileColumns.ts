import { mask } from '../../contract/masking.ts';
import type { Secrets } from './secrets.ts';

interface Columns<Kept> {
  mobileCipher: Kept;
  mobileHash: Kept;
  mobileMasked: Kept;
}

/** The columns that a domain keeps a mobile in: as it is read, found and shown; all null without one. @param hashOf for exact search */
export function mobileColumnsBy(hashOf: (secrets: Secrets, mobile: string) => string) {
  function columns(secrets: Secrets, mobile: string): Columns<string>;
  function columns(secrets: Secrets, mobile: string | null | undefined): Columns<string | null>;
  function columns(secrets: Secrets, mobile: string | null | undefined): Columns<string | null> {
    if (!mobile) return { mobileCipher: null, mobileHash: null, mobileMasked: null };
    return { mobileCipher: secrets.encrypt(mobile), mobileHash: hashOf(secrets, mobile), mobileMasked: mask('mobile', mobile) };
  }
  return columns;
}
