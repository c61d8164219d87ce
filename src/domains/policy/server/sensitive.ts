import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { halfWidth } from '#kernel/server/importing/normalise.ts';
import { withoutMarks } from '#kernel/contract/plainText.ts';
import { mask } from '#kernel/contract/masking.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import type { IdType } from '../contract/dictionaries.ts';

/** Certificates are compared in capitals, without blanks. */
export const normalIdNo = (idNo: string): string => halfWidth(withoutMarks(idNo)).replaceAll(/\s/g, '').toUpperCase();

const maskId = (idNo: string): string =>
  idNo.length >= 15 ? mask('idNo', idNo) : idNo.length > 4 ? `${'*'.repeat(idNo.length - 4)}${idNo.slice(-4)}` : '****';

/** The certificate as it is kept; the hash is the one under which patients are known. */
interface IdNoColumns {
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
}
export const idNoColumns = (secrets: Secrets, idNo: string | null | undefined): IdNoColumns => {
  const given = idNo ? normalIdNo(idNo) : '';
  return given === ''
    ? { idNoCipher: null, idNoHash: null, idNoMasked: null }
    : { idNoCipher: secrets.encrypt(given), idNoHash: idNoHash(secrets, given), idNoMasked: maskId(given) };
};
export const holderColumns = (
  secrets: Secrets,
  holder: { holderIdNo?: string | null | undefined; holderContact?: string | null | undefined },
) => {
  const { idNoCipher, idNoHash: hash, idNoMasked } = idNoColumns(secrets, holder.holderIdNo);
  const contact = holder.holderContact || null;
  return {
    holderIdNoCipher: idNoCipher,
    holderIdNoMasked: idNoMasked,
    holderIdHash: hash,
    holderContactCipher: contact === null ? null : secrets.encrypt(contact),
    holderContactMasked: contact === null ? null : mask('mobile', contact),
  };
};

/** Who somebody is within a policy: his certificate, or his number at his employer where he showed none. */
export function personKeyOf(
  secrets: Secrets,
  who: { idType: IdType; idNo?: string | null | undefined; employeeNo?: string | null | undefined },
): string | null {
  if (who.idNo) return secrets.blindIndex('policy.person', `${who.idType}:${normalIdNo(who.idNo)}`);
  return who.employeeNo ? secrets.blindIndex('policy.person', `EMPLOYEE:${who.employeeNo}`) : null;
}
