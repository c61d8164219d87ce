import type { Acting } from '#kernel/server/command/acting.ts';
import { attach, definePurpose, registerOwner, type Reader } from '#domains/files/server/index.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import type { CertInput } from '../../contract/qualFields.ts';
import { own } from '../database.ts';
import { appliesSeen } from './payload.ts';

export const CERT_PURPOSE = 'DOCTOR_CERT';
export const CERT_OWNER = 'doctor.qualApply';
const MB = 1024 * 1024;

/** Says who may upload pictures of certificates, and who may look at them: whoever sees the application, or the doctor. */
export function registerCertFiles(): void {
  const uploaders = [may['qual.enter'].code, may['qual.audit'].code, may['qual.recheck'].code];
  definePurpose({
    code: CERT_PURPOSE,
    label: '医生资质证件',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * MB,
    count: 6,
    sensitive: true,
    uploadPermissions: uploaders,
  });
  const readers = [may['qual.view'].code, may['doctor.view'].code];
  registerOwner(CERT_OWNER, {
    canRead: async ({ db, staff }: Reader, id) =>
      readers.some((code) => staff.permissions.has(code)) &&
      (await appliesSeen(own(db), staff).select('q.id').where('q.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['sensitive.reveal'].code),
  });
}

/** Keeps the uploaded pictures with their application. @throws Refusal SCM02014 for files that are not the caller's. */
export async function attachCerts(
  ctx: Pick<Acting, 'tx' | 'now'>,
  applyId: string,
  certs: readonly Pick<CertInput, 'certType' | 'fileIds'>[],
  userId: string,
): Promise<void> {
  for (const { certType, fileIds } of certs) {
    await attach(ctx.tx, { fileIds, purpose: CERT_PURPOSE, ownerType: CERT_OWNER, ownerId: applyId, field: certType, userId }, ctx.now);
  }
}
