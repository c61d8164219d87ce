import type { CommandContext } from '../../../kernel/server/context.ts';

/** Files that a record of this domain uses. */
export interface Kept {
  ownerType: string;
  ownerId: string;
  field: string;
  purpose: string;
  fileIds: readonly string[];
}

/** What this domain needs of the file store, filled at the composition root. */
export interface Attachments {
  /** Says in the owner's transaction that the record uses these files and no others in this field. @throws Refusal SCM02014 */
  keep(ctx: CommandContext, kept: Kept): Promise<void>;
}

export const noAttachments: Attachments = { keep: async () => {} };
