import type { Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { CertType } from '../../contract/dictionaries.ts';
import { json, ownTx } from '../database.ts';

/** A certificate that an approved application brings into force; its number as `certNumber` stores it. */
export interface ApprovedCert {
  /** Its row, when it was stored as PENDING with the application. */
  id?: string;
  certType: CertType;
  certNoCipher: string | null;
  noHash: string | null;
  certNoMasked: string | null;
  fileIds: readonly string[];
  hospitalId: string | null;
  issuer: string;
  issuedOn: Day | null;
  validFrom: Day | null;
  validTo: Day | null;
  extracted: object;
  verified: object;
  verifySource: 'MANUAL' | 'NHC' | null;
  verifyFileId: string | null;
  verifiedBy: string | null;
}

/**
 * Takes the certificates of an approved application into force; the ones that they follow are REPLACED, also registrations of the same
 * further site.
 */
export async function replaceCerts(ctx: Acting, doctorId: string, qualApplyId: string, certs: readonly ApprovedCert[]): Promise<string[]> {
  const tx = ownTx(ctx.tx);
  const made: string[] = [];
  for (const cert of certs) {
    let former = tx
      .updateTable('doctorCert')
      .set({ state: 'REPLACED', updatedAt: ctx.now })
      .where('doctorId', '=', doctorId)
      .where('certType', '=', cert.certType)
      .where('state', 'in', ['VALID', 'EXPIRED']);
    if (cert.certType === 'MULTI_SITE') former = former.where('hospitalId', '=', cert.hospitalId);
    await former.execute();
    const facts = {
      certType: cert.certType,
      certNoCipher: cert.certNoCipher,
      noHash: cert.noHash,
      certNoMasked: cert.certNoMasked,
      fileIds: [...cert.fileIds],
      hospitalId: cert.hospitalId,
      issuer: cert.issuer,
      issuedOn: cert.issuedOn,
      validFrom: cert.validFrom,
      validTo: cert.validTo,
      extracted: json(cert.extracted),
      verified: json(cert.verified),
      verifySource: cert.verifySource,
      verifyFileId: cert.verifyFileId,
      verifiedBy: cert.verifiedBy,
      state: 'VALID' as const,
      updatedAt: ctx.now,
    };
    const row =
      cert.id === undefined
        ? await tx
            .insertInto('doctorCert')
            .values({ doctorId, qualApplyId, ...facts, createdAt: ctx.now, createdBy: ctx.staffOrNull?.userId ?? null })
            .returning('id')
            .executeTakeFirstOrThrow()
        : await tx
            .updateTable('doctorCert')
            .set(facts)
            .where('id', '=', cert.id)
            .where('doctorId', '=', doctorId)
            .returning('id')
            .executeTakeFirstOrThrow();
    made.push(row.id);
  }
  await tx
    .updateTable('doctorCert')
    .set({ state: 'REPLACED', updatedAt: ctx.now })
    .where('qualApplyId', '=', qualApplyId)
    .where('state', '=', 'PENDING')
    .execute();
  return made;
}
