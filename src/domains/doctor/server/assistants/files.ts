import type { CommandContext } from '#kernel/server/context.ts';
import { attach, definePurpose, detach, registerOwner, type Reader } from '#domains/files/server/index.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { ASSISTANT_TARGET, seesAssistant } from './access.ts';

export const ASSISTANT_AVATAR = 'ASSISTANT_AVATAR';
const MB = 1024 * 1024;

/** Portraits of assistants: patients see them beside what they are told. */
export function registerAssistantAvatars(): void {
  definePurpose({
    code: ASSISTANT_AVATAR,
    label: '医助头像',
    types: ['jpg', 'png', 'webp'],
    maxSize: 5 * MB,
    count: 1,
    sensitive: false,
    uploadPermissions: [may['assistant.edit'].code],
  });
  const sees = async ({ db, staff }: Reader, id: string) =>
    staff.permissions.has(may['assistant.view'].code) &&
    (await own(db)
      .selectFrom('doctorAssistant as a')
      .select('a.id')
      .where('a.id', '=', id)
      .where(seesAssistant(staff))
      .executeTakeFirst()) !== undefined;
  registerOwner(ASSISTANT_TARGET, { canRead: sees, canReadOriginal: sees });
}

/** @throws Refusal SCM02014 for a file that is not the caller's. */
export async function useAssistantAvatar(ctx: CommandContext, id: string, before: string | null, after: string | null): Promise<void> {
  if (before === after) return;
  const link = { ownerType: ASSISTANT_TARGET, ownerId: id, field: 'avatar' };
  if (before !== null) await detach(ctx.tx, { ...link, fileIds: [before] }, ctx.now);
  if (after !== null) await attach(ctx.tx, { ...link, fileIds: [after], purpose: ASSISTANT_AVATAR, userId: ctx.staff.userId }, ctx.now);
}
