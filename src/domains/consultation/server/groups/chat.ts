import { sql } from 'kysely';
import { userIdOf } from '../../contract/im/ids.ts';
import type { Deed } from '../deed.ts';
import { addMembers, removeMembers, setRemindType } from '../im/conversations/groups.ts';
import { ownTx } from '../database.ts';

/** Where a group's conversation stands in the message store. */
export interface Place {
  convId: string;
}

async function accountsOf(ctx: Deed, assistantIds: readonly string[]): Promise<string[]> {
  if (assistantIds.length === 0) return [];
  const rows = await ownTx(ctx.tx)
    .selectFrom('consultationAssistantDuty')
    .select('operatorId')
    .where('assistantId', 'in', [...assistantIds])
    .execute();
  return rows.map(({ operatorId }) => userIdOf('ASSISTANT', operatorId));
}

/** Makes assistants members; who only helps or watches over a doctor's groups is not rung. */
export async function joinAssistants(
  ctx: Deed,
  { convId }: Place,
  assistantIds: readonly string[],
  as: { collaborate: boolean; rings?: boolean },
): Promise<void> {
  const accounts = await accountsOf(ctx, assistantIds);
  if (accounts.length === 0) return;
  await addMembers(ctx.kernel, ctx, convId, accounts, { collaborate: as.collaborate }, ctx.now);
  await ownTx(ctx.tx)
    .updateTable('consultationImMember')
    .set({ collaborate: as.collaborate })
    .where('convId', '=', convId)
    .where('imUserId', 'in', accounts)
    .execute();
  for (const account of accounts)
    await setRemindType(ctx.kernel, ctx, convId, account, as.rings === false ? 'AcceptNotNotify' : 'AcceptAndNotify', ctx.now);
}

/** Takes assistants out; they keep no access to what comes later. */
export async function leaveAssistants(ctx: Deed, { convId }: Place, assistantIds: readonly string[]): Promise<void> {
  const accounts = await accountsOf(ctx, assistantIds);
  if (accounts.length > 0) await removeMembers(ctx.kernel, ctx, convId, accounts, ctx.now);
}

export interface Present {
  assistantId: string;
  collaborate: boolean;
}

/** Assistants who are members now. */
export async function assistantsIn(ctx: Pick<Deed, 'tx'>, { convId }: Place): Promise<Present[]> {
  const { rows } = await sql<Present>`
    select d.assistant_id, m.collaborate
      from consultation_im_member m
      join consultation_assistant_duty d on m.im_user_id = 'A' || d.operator_id
      where m.conv_id = ${convId} and m.left_at is null and m.user_role = 'ASSISTANT'
      order by m.join_time, d.assistant_id`.execute(ctx.tx);
  return rows;
}
