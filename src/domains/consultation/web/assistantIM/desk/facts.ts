import type { ImClient, ImExtras } from '../../../contract/im/client.ts';
import type { AnswerOf } from '#kernel/contract/call.ts';
import type { queryInquiryDetail } from '../../../contract/calls/inquiry.ts';
import type { queryGroupNotes } from '../../../contract/calls/notes.ts';
import type { previewGroup, queryDutyBoard, queryQueue } from '../../../contract/calls/queue.ts';
import type { queryImRuntime } from '../../../contract/calls/runtime.ts';

export type Runtime = AnswerOf<typeof queryImRuntime>;
export type Inquiry = AnswerOf<typeof queryInquiryDetail>;
export type NoteRow = AnswerOf<typeof queryGroupNotes>[number];
export type QueueCounts = AnswerOf<typeof queryQueue>['counts'];
export type Colleague = AnswerOf<typeof queryDutyBoard>[number];
export type Preview = AnswerOf<typeof previewGroup>;

/** The chat client as the console uses it: what only the embedded service can do is asked for, not supposed. */
export type DeskClient = ImClient & Partial<ImExtras> & { userID: string; readonly isLeader?: boolean; signIn(): Promise<void> };

/** Purpose of pictures, voices, videos and files of the chat. */
export const CHAT_PURPOSE = 'CHAT_MEDIA';

/** A file that is stored already, as an attachment of a canned reply. */
export interface StoredFile {
  fileId: string;
  fileName: string;
}
export const isStored = (content: unknown): content is StoredFile =>
  typeof content === 'object' && content !== null && !(content instanceof File) && 'fileId' in content;
