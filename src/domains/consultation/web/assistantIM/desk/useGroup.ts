import type { GroupRow } from '../../../contract/calls/shared.ts';
import { useDeskState } from './useDesk.ts';

/** Group of the open conversation as the queue knows it; null for single chats. */
export const useGroup = (): GroupRow | null =>
  useDeskState((state) => (state.chat ? (state.groups.get(state.chat.chosen.conversationID.slice(5)) ?? null) : null));
