import type { GroupRow } from '../inquiries/rows.ts';

/** What an action on a group answers. */
export const movedOf = (group: GroupRow, nextGroupId: string | null = null) => ({
  groupId: group.groupId,
  workState: group.workState,
  version: group.version,
  ownerAssistantId: group.ownerAssistantId,
  nextGroupId,
});
