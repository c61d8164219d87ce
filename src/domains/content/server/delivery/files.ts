import { minutes, type Instant } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attachAll, definePurpose, registerOwner, signRead, usesOf } from '#domains/files/server/index.ts';
import { ADVERT_TARGET, APPROVAL_FILE, BANNER_TARGET, CONTENT_IMAGE, PAGE_TARGET } from '../../contract/delivery/files.ts';
import { advertPermissions, deliveryPermissions } from '../../contract/delivery/permissions.ts';
import type { DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { floorPermissions } from '../../contract/floors/permissions.ts';
import { markPermissions } from '../../contract/marks/permissions.ts';

const MB = 1024 * 1024;
/** Pages of clients and lists stay open for a while. */
const LIFE = minutes(30);

export const targetOf = (kind: DeliveryKind): string => (kind === 'BANNER' ? BANNER_TARGET : ADVERT_TARGET);

/** Says who may upload the files of this domain and who may read them. */
export function declareFiles(): void {
  const edits = [deliveryPermissions['banner.edit'].code, advertPermissions['ad.edit'].code];
  definePurpose({
    code: CONTENT_IMAGE,
    label: '投放图片',
    types: ['jpg', 'png', 'webp'],
    maxSize: 2 * MB,
    count: 1,
    sensitive: false,
    uploadPermissions: [...edits, floorPermissions['page.edit'].code],
  });
  definePurpose({
    code: APPROVAL_FILE,
    label: '广告批准文件',
    types: ['jpg', 'png', 'pdf'],
    maxSize: 10 * MB,
    count: 1,
    sensitive: false,
    uploadPermissions: [advertPermissions['ad.edit'].code],
  });
  const reads = async ({ staff }: { staff: { permissions: ReadonlySet<string> } }) =>
    staff.permissions.has(markPermissions['content.view'].code);
  for (const target of [BANNER_TARGET, ADVERT_TARGET, PAGE_TARGET]) registerOwner(target, { canRead: reads, canReadOriginal: reads });
}

/** Address of a picture for whoever sees what it belongs to. */
export const imageUrl = (kernel: Kernel, fileId: string | null, now: Instant, use: 'THUMB' | 'PREVIEW' = 'PREVIEW'): string | null =>
  fileId === null ? null : signRead(kernel, { fileId, use, original: false, sessionId: null, marks: null }, now, LIFE);

interface Kept {
  kind: DeliveryKind;
  id: string;
  imageFileId: string | null;
  approvalFileId: string | null;
}
/** Files stay with the delivery that names them. */
export const keepFiles = (ctx: CommandContext, { kind, id, imageFileId, approvalFileId }: Kept, userId = ctx.staff.userId) => {
  const of = (fileId: string | null, purpose: string, field: string) => ({
    fileIds: fileId === null ? [] : [fileId],
    purpose,
    ownerType: targetOf(kind),
    ownerId: id,
    field,
    userId,
  });
  return attachAll(ctx.tx, [of(imageFileId, CONTENT_IMAGE, 'image'), of(approvalFileId, APPROVAL_FILE, 'approval')], ctx.now);
};

/** A copy uses the picture of its original, whoever uploaded that. */
export async function keepCopied(ctx: CommandContext, kept: Pick<Kept, 'kind' | 'id' | 'imageFileId'>): Promise<void> {
  if (kept.imageFileId === null) return;
  const [file] = await usesOf(ctx.tx, [kept.imageFileId]);
  await keepFiles(ctx, { ...kept, approvalFileId: null }, file?.createdBy ?? ctx.staff.userId);
}
