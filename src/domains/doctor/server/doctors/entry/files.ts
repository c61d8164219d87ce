import { minutes, type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach, definePurpose, detach, registerOwner, signRead, type Reader } from '#domains/files/server/index.ts';
import { doctorPermissions as may } from '../../../contract/permissions.ts';
import { doctorsSeen } from '../../access.ts';
import { own } from '../../database.ts';

export const AVATAR_PURPOSE = 'DOCTOR_AVATAR';
export const DOCTOR_TARGET = 'doctor.doctor';
const MB = 1024 * 1024;

/** Portraits: shown wherever the doctor is. */
export function registerAvatars(): void {
  definePurpose({
    code: AVATAR_PURPOSE,
    label: '医生头像',
    types: ['jpg', 'png', 'webp'],
    maxSize: 5 * MB,
    count: 1,
    sensitive: false,
    uploadPermissions: [may['qual.enter'].code],
  });
  const sees = async ({ db, staff }: Reader, id: string) =>
    (await doctorsSeen(own(db), staff).select('d.id').where('d.id', '=', id).executeTakeFirst()) !== undefined;
  registerOwner(DOCTOR_TARGET, { canRead: sees, canReadOriginal: sees });
}

const PORTRAIT_LIFE = minutes(30);
/** Address of a portrait for a page that shows the doctor; lists stay open for a while. */
export const portraitOf = (kernel: Kernel, fileId: string | null, now: Instant): string | null =>
  fileId === null ? null : signRead(kernel, { fileId, use: 'THUMB', original: false, sessionId: null, marks: null }, now, PORTRAIT_LIFE);

/** @throws Refusal SCM02014 for a file that is not the caller's. */
export async function useAvatar(
  ctx: Pick<Acting, 'tx' | 'now' | 'staffOrNull'>,
  doctorId: string,
  before: string | null,
  after: string | null,
): Promise<void> {
  if (before === after) return;
  const link = { ownerType: DOCTOR_TARGET, ownerId: doctorId, field: 'avatar' };
  if (before !== null) await detach(ctx.tx, { ...link, fileIds: [before] }, ctx.now);
  if (after !== null)
    await attach(ctx.tx, { ...link, fileIds: [after], purpose: AVATAR_PURPOSE, userId: ctx.staffOrNull?.userId ?? '0' }, ctx.now);
}
