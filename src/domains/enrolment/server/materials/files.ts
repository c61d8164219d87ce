import type { Acting } from '#kernel/server/command/acting.ts';
import { attach, definePurpose, registerOwner, type Reader } from '#domains/files/server/index.ts';
import { applyPermissions, materialPermissions as may } from '../../contract/permissions.ts';
import { OTHER_MATERIAL_PAPER } from '../../contract/purposes.ts';
import { MATERIAL_TARGET, otherMaterialRecords } from './records.ts';

/** Says who may upload what is handed in for contracts, and who may look at it: whoever sees the contract. */
export function declareOtherMaterialFiles(): void {
  definePurpose({
    code: OTHER_MATERIAL_PAPER,
    label: '合同其他材料',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 20 * 1024 * 1024,
    count: 30,
    sensitive: true,
    uploadPermissions: [applyPermissions['apply.enter'].code],
  });
  registerOwner(MATERIAL_TARGET, {
    canRead: async ({ db, staff }: Reader, id) =>
      staff.permissions.has(may['material.view'].code) &&
      (await otherMaterialRecords.seen(db, staff).select('m.id').where('m.id', '=', id).executeTakeFirst()) !== undefined,
    canReadOriginal: async ({ staff }) => staff.permissions.has(applyPermissions['apply.reveal'].code),
  });
}

/** Keeps uploaded papers with what was handed in. @throws Refusal SCM02014 for files that are not the caller's */
export const attachPapers = (
  ctx: Pick<Acting, 'tx' | 'now'>,
  materialId: string,
  papers: readonly { fileId: string }[],
  userId: string,
): Promise<void> =>
  attach(
    ctx.tx,
    {
      fileIds: papers.map(({ fileId }) => fileId),
      purpose: OTHER_MATERIAL_PAPER,
      ownerType: MATERIAL_TARGET,
      ownerId: materialId,
      field: 'MATERIAL',
      userId,
    },
    ctx.now,
  );
