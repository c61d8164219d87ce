import { send } from '#kernel/web/http/client.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { doneGroup, takeGroup } from '../../../contract/calls/queue.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { consultationErrors } from '../../../contract/errors.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import { openDialog } from '../dialogs/open.ts';
import type { Mode } from './choose.ts';
import type { Desk } from './desk.ts';

const underWay = new Set<string>();

/**
 * Acts once on one thing however often its button is clicked: further clicks do nothing while the first is on its way. @returns null for
 * those.
 */
export async function once<T>(what: string, act: () => Promise<T>): Promise<T | null> {
  if (underWay.has(what)) return null;
  underWay.add(what);
  try {
    return await act();
  } finally {
    underWay.delete(what);
  }
}

const { UNANSWERED } = consultationErrors;

/** 标记已处理, with the next patient where that was asked for; a reason is asked for only while messages are unanswered. */
export async function markDone(
  desk: Desk,
  group: GroupRow,
  takeNext: boolean,
  onChoose: (id: ConversationID, mode: Mode) => void,
  reason?: string,
): Promise<boolean> {
  if (group.unanswered > 0 && !reason) {
    openDialog({ kind: 'done', group, takeNext });
    return false;
  }
  try {
    const answer = await once(group.groupId, () =>
      send(doneGroup, { ...desk.moveOf(group), takeNext, ...(reason ? { reason } : {}) }, { quiet: [UNANSWERED.code] }),
    );
    if (answer === null) return false;
    toast(takeNext && answer.nextGroupId === null ? '已处理，暂无待接入的会话' : '已标记处理');
    desk.changed(group.groupId);
    if (answer.nextGroupId) {
      desk.changed(answer.nextGroupId);
      onChoose(groupConversation(answer.nextGroupId), 'MEMBER');
    }
    return true;
  } catch (error) {
    desk.changed(group.groupId);
    if (error instanceof RefusalError && error.code === UNANSWERED.code)
      openDialog({ kind: 'done', group: { ...group, unanswered: Math.max(1, group.unanswered) }, takeNext });
    return false;
  }
}

/** 接入: the group is one's own from now on and opens as such. A refusal has been shown. */
export async function takeAndOpen(desk: Desk, groupId: string, onChoose: (id: ConversationID, mode: Mode) => void): Promise<void> {
  await once(groupId, async () => {
    const taken = await send(takeGroup, { groupId }).catch(() => null);
    desk.changed(groupId);
    if (taken) onChoose(groupConversation(groupId), 'MEMBER');
  });
}
