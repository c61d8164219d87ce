import type { CommandContext } from '#kernel/server/context.ts';
import { attach, definePurpose, detach, registerOwner, type OwnerRules } from '#domains/files/server/index.ts';
import { ITEM_FILE } from '../../contract/calls/items.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';

export const ITEM_TARGET = 'doctor.serviceItem';
export const CONFIG_TARGET = 'doctor.serviceConfig';
const MB = 1024 * 1024;

interface Use {
  ownerType: string;
  ownerId: string;
  field: string;
  before: string | null;
  after: string | null;
}

/** Says which file a field uses now; the former one is let go. */
export async function useFile(ctx: CommandContext, { ownerType, ownerId, field, before, after }: Use): Promise<void> {
  if (before === after) return;
  if (before !== null) await detach(ctx.tx, { fileIds: [before], ownerType, ownerId, field }, ctx.now);
  if (after !== null)
    await attach(ctx.tx, { fileIds: [after], purpose: ITEM_FILE, ownerType, ownerId, field, userId: ctx.staff.userId }, ctx.now);
}

const anybody = (codes: readonly string[]): OwnerRules => {
  const sees: OwnerRules['canRead'] = ({ staff }) => Promise.resolve(codes.some((code) => staff.permissions.has(code)));
  return { canRead: sees, canReadOriginal: sees };
};

/** Registers covers and agreements with the file store. */
export function registerItemFiles(): void {
  definePurpose({
    code: ITEM_FILE,
    label: '服务封面、服务协议',
    types: ['jpg', 'png', 'webp', 'pdf'],
    maxSize: 10 * MB,
    count: 1,
    sensitive: false,
    uploadPermissions: [may['item.edit'].code, may['config.edit'].code],
  });
  registerOwner(ITEM_TARGET, anybody([may['item.view'].code, may['opening.view'].code]));
  registerOwner(CONFIG_TARGET, anybody([may['config.view'].code]));
}
