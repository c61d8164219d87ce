import { useMemo } from 'react';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';

interface PictureInputProps {
  id?: string;
  'aria-label'?: string;
  purpose: string;
  hint: string;
  /** Size of the place that a picture is cut to. */
  crop?: { width: number; height: number } | undefined;
  value?: string | null;
  onChange?(fileId: string | null): void;
}

/** Names of what was uploaded here. */
const fresh = new Map<string, UploadedFile>();

/** One picture or paper; the value is its file. */
export function PictureInput({ value, onChange, ...rest }: PictureInputProps) {
  const files = useMemo((): UploadedFile[] => {
    if (!value) return [];
    return [fresh.get(value) ?? { fileId: value, fileName: '已上传的文件', detectedType: null, size: null, pageCount: null }];
  }, [value]);
  return (
    <Upload
      {...rest}
      max={1}
      value={files}
      onChange={(next) => {
        for (const file of next) fresh.set(file.fileId, file);
        onChange?.(next.at(-1)?.fileId ?? null);
      }}
    />
  );
}
