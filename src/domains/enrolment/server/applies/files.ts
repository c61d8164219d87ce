import type { Acting } from '#kernel/server/command/acting.ts';
import { attach, definePurpose, registerOwner, type Reader } from '#domains/files/server/index.ts';
import { ENROL_MATERIAL, INSURER_PROOF } from '../../contract/purposes.ts';
import { applyPermissions as may } from '../../contract/permissions.ts';
import { applyRecords, APPLY_TARGET } from './records.ts';

const MB = 1024 * 1024;

/** Says who may upload what belongs to applications, and who may look at it: whoever sees the application. */
export function registerApplyFiles(): void {
  definePurpose({
    code: ENROL_MATERIAL,
    label: '入组材料',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * MB,
    count: 30,
    sensitive: true,
    uploadPermissions: [may['apply.enter'].code],
  });
  definePurpose({
    code: INSURER_PROOF,
    label: '保司结论凭证',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * MB,
    count: 1,
    sensitive: true,
    uploadPermissions: [may['apply.insurer'].code],
  });
  registerOwner(APPLY_TARGET, {
    canRead: async ({ db, staff }: Reader, id) =>
      staff.permissions.has(may['apply.view'].code) &&
      (await applyRecords.seen(db, staff).select('a.id').where('a.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(may['apply.reveal'].code),
  });
}

/** Keeps uploaded files with their application. @throws Refusal SCM02014 for files that are not the caller's */
export const attachMaterials = (
  ctx: Pick<Acting, 'tx' | 'now'>,
  applyId: string,
  materials: readonly { fileId: string }[],
  userId: string,
): Promise<void> =>
  attach(
    ctx.tx,
    {
      fileIds: materials.map(({ fileId }) => fileId),
      purpose: ENROL_MATERIAL,
      ownerType: APPLY_TARGET,
      ownerId: applyId,
      field: 'MATERIAL',
      userId,
    },
    ctx.now,
  );
