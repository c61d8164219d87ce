import { sql, type SqlBool } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { idNoHash, mobileColumns } from '#domains/patient/server/index.ts';
import { tidyCertificate } from '../../contract/rules/certificate.ts';

/** Under which keyed hashes somebody is known; patients and insured persons have the same. */
export interface PersonHashes {
  idNoHash: string | null;
  mobileHash: string | null;
}

/** Who a mark is about: by the certificate, or by the mobile where none is known. */
export const personKeyOf = (person: PersonHashes): string | null => person.idNoHash ?? person.mobileHash;

/** Numbers as they are kept: read by few, found by their hash, shown masked. */
export function numberColumns(secrets: Secrets, numbers: { mobile?: string | null | undefined; idNo?: string | null | undefined }) {
  const idNo = numbers.idNo ? tidyCertificate(numbers.idNo) : null;
  const short = (value: string) => `${'*'.repeat(Math.max(0, value.length - 4))}${value.slice(-4)}`;
  return {
    ...mobileColumns(secrets, numbers.mobile),
    idNoCipher: idNo === null ? null : secrets.encrypt(idNo),
    idNoHash: idNo === null ? null : idNoHash(secrets, idNo),
    idNoMasked: idNo === null ? null : idNo.length >= 15 ? mask('idNo', idNo) : short(idNo),
  };
}

/** Marks of a person: the same certificate, or the same mobile where one of both is known by it alone. */
export const isOfPerson = (person: PersonHashes) => sql<SqlBool>`(
  u.id_no_hash = ${person.idNoHash}
  or u.mobile_hash = ${person.mobileHash} and (u.id_no_hash is null or ${person.idNoHash}::text is null)
)`;
