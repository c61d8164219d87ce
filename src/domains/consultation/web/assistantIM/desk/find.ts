import { send } from '../../../../../kernel/web/http/client.ts';
import { toastError } from '../../../../../kernel/web/feedback/toast.ts';
import { queryImMedicalGroupPage } from '../../../contract/calls/groups.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from './choose.ts';
import type { Desk } from './desk.ts';
import { groupIdOf } from './listing.ts';

const UNREACHABLE = '会话不存在，或您没有查看权限';

async function groupOfInquiry(desk: Desk, serverId: string): Promise<string | null> {
  const known = [...desk.store.getState().groups.values()].find((group) => group.serverId === serverId);
  if (known) return known.groupId;
  const { queryVisitRecordDetail } = await import('../../../contract/calls/visits.ts');
  const detail = await send(queryVisitRecordDetail, { serverId }, { quiet: true }).catch(() => null);
  return detail?.row.groupId ?? null;
}

/** Which conversation an address means, and how one may read it: as a member, before taking it, or as a supervisor. */
export async function findConversation(
  desk: Desk,
  wanted: { conversationID?: string | undefined; groupId?: string | undefined; serverId?: string | undefined },
): Promise<{ conversationID: ConversationID; mode: Mode } | null> {
  const groupId = wanted.groupId ?? (wanted.serverId ? await groupOfInquiry(desk, wanted.serverId) : null);
  const id = (wanted.conversationID ?? (groupId ? `GROUP${groupId}` : null)) as ConversationID | null;
  if (!id) {
    toastError(UNREACHABLE);
    return null;
  }
  const { conversations, groups } = desk.store.getState();
  const group = groupIdOf(id);
  if (conversations.has(id) || group === null) return { conversationID: id, mode: 'MEMBER' };
  const row =
    groups.get(group) ??
    (await send(queryImMedicalGroupPage, { groupIds: [group], pageNo: 1, pageSize: 10 }, { quiet: true }).catch(() => null))?.rows[0];
  if (row) {
    desk.facts.put([row]);
    return { conversationID: id, mode: row.member ? 'MEMBER' : row.canTake ? 'PREVIEW' : 'WATCH' };
  }
  toastError(UNREACHABLE);
  return null;
}
