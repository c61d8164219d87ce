import { send } from '../../../../../kernel/web/http/client.ts';
import { takeGroup } from '../../../contract/calls/queue.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from './choose.ts';
import type { Desk } from './desk.ts';
import { once } from './once.ts';

/** 接入: the group is one's own from now on and opens as such. A refusal has been shown. */
export async function takeAndOpen(desk: Desk, groupId: string, onChoose: (id: ConversationID, mode: Mode) => void): Promise<void> {
  await once(groupId, async () => {
    const taken = await send(takeGroup, { groupId }).catch(() => null);
    desk.changed(groupId);
    if (taken) onChoose(groupConversation(groupId), 'MEMBER');
  });
}
