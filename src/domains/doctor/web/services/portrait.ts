import type { UploadedFile } from '#kernel/web/files/places.ts';

/** The portrait of a record as the upload field of a form holds it. */
export const portraitFiles = (fileId: string | null): readonly UploadedFile[] =>
  fileId === null ? [] : [{ fileId, fileName: '当前头像', detectedType: 'jpg', size: null, pageCount: 1 }];

/** A record as it stands now, for the fields of a form whose portrait is one of them. */
export const withPortrait = <Values extends object>({ avatarFileId, ...rest }: Readonly<Record<string, unknown>>) =>
  ({
    ...rest,
    ...(avatarFileId !== undefined && { avatar: portraitFiles(typeof avatarFileId === 'string' ? avatarFileId : null) }),
  }) as Partial<Values>;
