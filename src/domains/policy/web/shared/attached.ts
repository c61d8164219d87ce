import type { AnswerOf } from '#kernel/contract/call.ts';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import type { queryFileList } from '#domains/files/contract/calls/objects.ts';

/** Files that a record has, as its form goes on with them. */
export const attached = (files: AnswerOf<typeof queryFileList>): UploadedFile[] =>
  files
    .filter(({ state }) => state === 'READY')
    .map(({ fileId, fileName, detectedType, size, pageCount }) => ({ fileId, fileName, detectedType, size, pageCount }));
