import { mask } from '../../../../kernel/contract/masking.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';

/** A payee account as operators enter it. */
export interface Account {
  companyName: string;
  taxNo: string;
  bankName: string;
  bankNo: string;
  accountNo: string;
}
/** As it is stored: the account number encrypted. */
export interface StoredAccount extends Omit<Account, 'accountNo'> {
  accountNoCipher: string;
}

export const storeAccount = (secrets: Secrets, { accountNo, ...rest }: Account): StoredAccount => ({
  ...rest,
  accountNoCipher: secrets.encrypt(accountNo),
});

/** In the clear, for events and reveals alone. */
export const plainAccount = (secrets: Secrets, { accountNoCipher, ...rest }: StoredAccount): Account => ({
  ...rest,
  accountNo: secrets.decrypt(accountNoCipher),
});

export function maskedAccount(secrets: Secrets, stored: unknown): Account | null {
  if (stored === null || stored === undefined) return null;
  const plain = plainAccount(secrets, stored as StoredAccount);
  return { ...plain, accountNo: mask('bankCard', plain.accountNo) };
}

export const sameAccount = (secrets: Secrets, stored: unknown, entered: Account): boolean => {
  if (stored === null || stored === undefined) return false;
  const plain = plainAccount(secrets, stored as StoredAccount);
  return (['companyName', 'taxNo', 'bankName', 'bankNo', 'accountNo'] as const).every((key) => plain[key] === entered[key]);
};

export const maskedMobile = (secrets: Secrets, cipher: string | null): string | null =>
  cipher === null ? null : mask('mobile', secrets.decrypt(cipher));
