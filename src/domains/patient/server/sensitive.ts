import type { Secrets } from '../../../kernel/server/sensitive/secrets.ts';
import { maskIdNo, maskMobile } from '../contract/idNumber.ts';

/** Keyed hashes for exact search; policy's lists compare with the same one. */
export const idNoHash = (secrets: Secrets, idNo: string): string => secrets.blindIndex('patient.idNo', idNo.trim().toUpperCase());
export const mobileHash = (secrets: Secrets, mobile: string): string => secrets.blindIndex('patient.mobile', mobile);

export const idNoColumns = (secrets: Secrets, idNo: string | null) =>
  idNo === null || idNo === ''
    ? { idNoCipher: null, idNoHash: null, idNoMasked: null }
    : { idNoCipher: secrets.encrypt(idNo), idNoHash: idNoHash(secrets, idNo), idNoMasked: maskIdNo(idNo) };

export const mobileColumns = (secrets: Secrets, mobile: string | null) =>
  mobile === null || mobile === ''
    ? { mobileCipher: null, mobileHash: null, mobileMasked: null }
    : { mobileCipher: secrets.encrypt(mobile), mobileHash: mobileHash(secrets, mobile), mobileMasked: maskMobile(mobile) };

export const plain = (secrets: Secrets, cipher: string | null): string | null => (cipher === null ? null : secrets.decrypt(cipher));
