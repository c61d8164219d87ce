import * as z from 'zod/mini';
import { mask } from '#kernel/contract/masking.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';

/** A payee account as operators enter it. */
export interface Account {
  companyName: string;
  taxNo: string;
  bankName: string;
  bankNo: string;
  accountNo: string;
}
const stored = z.object({
  companyName: z.string(),
  taxNo: z.string(),
  bankName: z.string(),
  bankNo: z.string(),
  accountNoCipher: z.string(),
});
/** As it is stored: the account number encrypted. */
export type StoredAccount = z.output<typeof stored>;

/** A stored document as the account that it holds; null: there is none. @throws for a document that is no account. */
export const storedAccount = (document: unknown): StoredAccount | null =>
  document === null || document === undefined ? null : stored.parse(document);

export const storeAccount = (secrets: Secrets, { accountNo, ...rest }: Account): StoredAccount => ({
  ...rest,
  accountNoCipher: secrets.encrypt(accountNo),
});

/** In the clear, for masks, comparisons and reveals alone. */
export const plainAccount = (secrets: Secrets, { accountNoCipher, ...rest }: StoredAccount): Account => ({
  ...rest,
  accountNo: secrets.decrypt(accountNoCipher),
});

export function maskedAccount(secrets: Secrets, document: unknown): Account | null {
  const account = storedAccount(document);
  if (account === null) return null;
  const plain = plainAccount(secrets, account);
  return { ...plain, accountNo: mask('bankCard', plain.accountNo) };
}

export const sameAccount = (secrets: Secrets, document: unknown, entered: Account): boolean => {
  const account = storedAccount(document);
  if (account === null) return false;
  const plain = plainAccount(secrets, account);
  return (['companyName', 'taxNo', 'bankName', 'bankNo', 'accountNo'] as const).every((key) => plain[key] === entered[key]);
};

export const maskedMobile = (secrets: Secrets, cipher: string | null): string | null =>
  cipher === null ? null : mask('mobile', secrets.decrypt(cipher));
