import type { Writing } from '#kernel/server/context.ts';
import { assistantBound, assistantChanged, assistantTransferred, assistantUnbound } from '#events/doctor.ts';
import { ownTx } from '../database.ts';

type Publishing = Pick<Writing, 'tx' | 'publish'>;

export interface BoundTo {
  doctorId: string;
  assistant: { id: string; operatorId: string; userId: string };
  role: 'PRIMARY' | 'BACKUP';
}

const kinds = { bound: assistantBound, unbound: assistantUnbound, transferred: assistantTransferred } as const;

/** Binds of one doctor follow one another, so they stand under the doctor. */
export const publishBind = (
  ctx: Publishing,
  kind: keyof typeof kinds,
  { doctorId, assistant, role }: BoundTo,
  withInquiries = false,
): Promise<void> =>
  ctx.publish(kinds[kind], `doctor:${doctorId}`, {
    doctorId,
    assistantId: assistant.id,
    operatorId: assistant.operatorId,
    userId: assistant.userId,
    role,
    withInquiries,
  });

/** Tells the other domains of an assistant as he stands now. */
export async function publishAssistant(ctx: Publishing, id: string): Promise<void> {
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorAssistant')
    .select(['operatorId', 'userId', 'name', 'avatarFileId', 'state'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await ctx.publish(assistantChanged, id, { assistantId: id, ...row });
}
