import { imError } from '../../contract/im/codes.ts';
import type { FileInput, GroupInput, ImEvents, MembersInput, MembersResult, MuteInput, PickedFile } from '../../contract/im/client.ts';
import { mediaFault, type MediaKind } from '../../contract/im/limits.ts';
import { messageTypes, type ImGroup, type ImMessage, type MessagePayload } from '../../contract/im/types.ts';
import type { Keeper } from './kept/keeper.ts';
import type { TabTools } from './links/tabLink.ts';

/** Groups and members are changed by the product's own calls, where rights and trail live. */
export interface GroupCalls {
  createGroup(o: GroupInput): Promise<ImGroup>;
  addMembers(o: MembersInput): Promise<MembersResult>;
  removeMembers(o: MembersInput): Promise<void>;
  muteMember(o: MuteInput): Promise<void>;
}

/** Where there are no such calls (participants). */
export const noGroupCalls: GroupCalls = {
  createGroup: () => Promise.reject(imError('NOT_ALLOWED')),
  addMembers: () => Promise.reject(imError('NOT_ALLOWED')),
  removeMembers: () => Promise.reject(imError('NOT_ALLOWED')),
  muteMember: () => Promise.reject(imError('NOT_ALLOWED')),
};

export interface EmbeddedOptions {
  /** Origin of the service; empty for the page's own. */
  address: string;
  sdkAppID: number;
  device: 'console' | 'wx' | 'bot';
  /** The same for all tabs of a browser. */
  clientId: string;
  keeper(userID: string): Keeper;
  tabs: TabTools | null;
  groups: GroupCalls;
  /** Stores a file and answers its id; `onProgress` from 0 to 1. */
  upload(kind: MediaKind, file: PickedFile, onProgress: (share: number) => void): Promise<{ fileId: string }>;
  renewSign?: () => Promise<string | null>;
}

/** A message whose file is still to be stored. */
export interface PendingFile {
  kind: MediaKind;
  file: PickedFile;
  onProgress: (share: number) => void;
}

export const MEDIA_TYPES = {
  image: messageTypes.IMAGE,
  audio: messageTypes.AUDIO,
  video: messageTypes.VIDEO,
  file: messageTypes.FILE,
} as const;

/** Content of a file's message; the file's id comes with its storing. */
export const filePayload = (kind: MediaKind, { file }: FileInput, second?: number): MessagePayload => {
  if (kind === 'file') return { fileId: '', fileName: file.name, fileSize: file.size };
  return { fileId: '', fileName: file.name, size: file.size, ...(second === undefined ? {} : { second }) } as MessagePayload;
};

/** Stores a message's file, once. @throws ImError before anything is sent where size or type are not allowed. */
export async function storeFile(message: ImMessage, pending: PendingFile, upload: EmbeddedOptions['upload']): Promise<void> {
  const fault = mediaFault(pending.kind, pending.file);
  if (fault) throw imError(fault);
  const stored = await upload(pending.kind, pending.file, (share) => {
    message.progress = share;
    pending.onProgress(share);
  }).catch(() => {
    throw imError('UPLOAD_FAILED');
  });
  message.payload = { ...message.payload, fileId: stored.fileId } as MessagePayload;
  message.progress = 1;
}

type Handler = (event: never) => void;

/** Handlers of the client's events; one that throws does not keep the others from hearing. */
export class Emitter {
  readonly #handlers = new Map<keyof ImEvents, Set<Handler>>();

  on<E extends keyof ImEvents>(name: E, handler: (event: { name: E; data: ImEvents[E] }) => void): void {
    this.#handlers.set(name, (this.#handlers.get(name) ?? new Set()).add(handler));
  }

  off<E extends keyof ImEvents>(name: E, handler: (event: { name: E; data: ImEvents[E] }) => void): void {
    this.#handlers.get(name)?.delete(handler);
  }

  emit<E extends keyof ImEvents>(name: E, data: ImEvents[E]): void {
    for (const handler of this.#handlers.get(name) ?? []) {
      try {
        (handler as (event: { name: E; data: ImEvents[E] }) => void)({ name, data });
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  clear(): void {
    this.#handlers.clear();
  }
}
