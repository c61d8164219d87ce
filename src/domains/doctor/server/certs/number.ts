import { refuse } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { CertType } from '../../contract/dictionaries.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { lockKeys, ownTx } from '../database.ts';

/** Kinds whose numbers belong to one person alone. */
export const personalCerts = ['ID_CARD', 'QUALIFICATION', 'PRACTICE'] as const;

/** `110********9875`. */
export const masked = (certNo: string) =>
  certNo.length <= 8 ? `${certNo.slice(0, 1)}****` : `${certNo.slice(0, 3)}${'*'.repeat(certNo.length - 7)}${certNo.slice(-4)}`;

export const certNoHashOf = (secrets: Secrets, certNo: string) => secrets.blindIndex('doctor.cert.no', certNo);

/** How a certificate's number is stored. */
export const certNumber = (secrets: Secrets, certNo: string | null) =>
  certNo === null || certNo === ''
    ? { certNoCipher: null, noHash: null, certNoMasked: null }
    : { certNoCipher: secrets.encrypt(certNo), noHash: certNoHashOf(secrets, certNo), certNoMasked: masked(certNo) };

/** @throws Refusal SCM07022 when a number stands on a valid or expired certificate of another live doctor. */
export async function requireFreeNumbers(
  tx: Tx,
  doctorId: string | null,
  certs: readonly { certType: CertType; noHash: string | null }[],
): Promise<void> {
  const wanted = certs.filter(({ certType, noHash }) => noHash !== null && personalCerts.some((type) => type === certType));
  await lockKeys(
    tx,
    wanted.map(({ certType, noHash }) => `${certType}:${noHash}`),
  );
  for (const { certType, noHash } of wanted) {
    let same = ownTx(tx)
      .selectFrom('doctorCert as c')
      .innerJoin('doctorDoctor as d', 'd.id', 'c.doctorId')
      .select('d.doctorNo')
      .where('c.certType', '=', certType)
      .where('c.noHash', '=', noHash)
      .where('c.state', 'in', ['VALID', 'EXPIRED'])
      .where('d.accountState', '<>', 'CANCELLED');
    if (doctorId !== null) same = same.where('c.doctorId', '<>', doctorId);
    const other = await same.executeTakeFirst();
    if (other) throw refuse(doctorErrors.CERT_USED, { doctorNo: other.doctorNo });
  }
}
