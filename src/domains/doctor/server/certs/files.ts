import { registerOwner, type Reader } from '#domains/files/server/index.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { doctorsSeen } from '../access.ts';
import { own } from '../database.ts';

/** Certificates that stand at the doctor himself; those handed in with an application stand at it. */
export const CERT_OWNER = 'doctor.cert';

export function registerCertOwner(): void {
  const readers = [may['doctor.view'].code, may['qual.view'].code];
  registerOwner(CERT_OWNER, {
    canRead: async ({ db, staff }: Reader, id) =>
      readers.some((code) => staff.permissions.has(code)) &&
      (await doctorsSeen(own(db), staff).select('d.id').where('d.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['sensitive.reveal'].code),
  });
}
