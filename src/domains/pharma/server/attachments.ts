import type { CommandContext } from '#kernel/server/context.ts';
import { attach } from '#domains/files/server/index.ts';

/** Files that a record of this domain uses. */
export interface Kept {
  ownerType: string;
  ownerId: string;
  field: string;
  purpose: string;
  fileIds: readonly string[];
}

/** What this domain needs of the file store. */
export interface Attachments {
  /** Says in the owner's transaction that the record uses these files and no others in this field. @throws Refusal SCM02014 */
  keep(ctx: CommandContext, kept: Kept): Promise<void>;
}

export const noAttachments: Attachments = { keep: async () => {} };

export const attachments: Attachments = {
  keep: (ctx, { ownerType, ownerId, field, purpose, fileIds }) =>
    attach(ctx.tx, { ownerType, ownerId, field, purpose, fileIds, userId: ctx.staff.userId }, ctx.now),
};
