import type { Deed } from '../deed.ts';
import { ownTx } from '../database.ts';

export interface NewNote {
  groupId: string;
  /** Message after which it stands. */
  afterSeq: number;
  content: string;
  mentions: readonly string[];
  authorName: string;
}

/** Writes a note for colleagues; it is no message and nobody outside the staff ever gets it. */
export async function addNote(ctx: Deed, note: NewNote): Promise<string> {
  const { id } = await ownTx(ctx.tx)
    .insertInto('consultationGroupNote')
    .values({
      ...note,
      afterSeq: String(note.afterSeq),
      mentions: [...note.mentions],
      createdAt: ctx.now,
      createdBy: ctx.staffOrNull?.userId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
