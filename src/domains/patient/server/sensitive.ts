import { mobileColumnsBy } from '#kernel/server/sensitive/mobileColumns.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { maskIdNo } from '../contract/idNumber.ts';

/** Keyed hashes for exact search; policy's lists compare with the same one. */
export const idNoHash = (secrets: Secrets, idNo: string): string => secrets.blindIndex('patient.idNo', idNo.trim().toUpperCase());
export const mobileHash = (secrets: Secrets, mobile: string): string => secrets.blindIndex('patient.mobile', mobile);

export const idNoColumns = (secrets: Secrets, idNo: string | null) =>
  idNo === null || idNo === ''
    ? { idNoCipher: null, idNoHash: null, idNoMasked: null }
    : { idNoCipher: secrets.encrypt(idNo), idNoHash: idNoHash(secrets, idNo), idNoMasked: maskIdNo(idNo) };

export const mobileColumns = mobileColumnsBy(mobileHash);

export const plain = (secrets: Secrets, cipher: string | null): string | null => (cipher === null ? null : secrets.decrypt(cipher));
