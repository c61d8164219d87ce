import type { MediaKind } from '../../../contract/im/limits.ts';
import type { PickedFile } from '../../../contract/im/client.ts';
import type { StoredWire } from '../../../contract/calls/messages.ts';
import type { ConversationID, MessagePayload, SearchPage } from '../../../contract/im/types.ts';
import type { WireMessage } from '../../../contract/im/wire.ts';
import type { GroupCalls } from '../clientParts.ts';
import type { VendorSdk } from './sdk.ts';

/** Our own record beside the vendor's: what is older than his seven days, how far was read, what was hidden. */
export interface StorePort {
  history(o: {
    conversationID: ConversationID;
    beforeSeq?: number;
    afterSeq?: number;
    pageSize: number;
  }): Promise<{ messages: WireMessage[]; isCompleted: boolean }>;
  read(o: { conversationID: ConversationID; readSeq: number }): Promise<void>;
  clear(o: { conversationID: ConversationID }): Promise<void>;
  search: ((o: { keyword: string; conversationID?: ConversationID; cursor?: string; count: number }) => Promise<SearchPage>) | null;
}

/** A message as our calls answer it. */
export function wireOf(message: StoredWire): WireMessage {
  const content: unknown = message.payload;
  return { ...message, payload: content as MessagePayload };
}

export interface TencentOptions {
  sdkAppID: number;
  store: StorePort;
  groups: GroupCalls;
  /** Stores a file in our own storage; `onProgress` from 0 to 1. */
  upload(kind: MediaKind, file: PickedFile, onProgress: (share: number) => void): Promise<{ fileId: string }>;
  renewSign?: () => Promise<string | null>;
  /** Absent: the vendor's SDK, loaded when it is needed. */
  load?: (sdkAppID: number) => Promise<VendorSdk>;
  now?: () => number;
}
