import { useState } from 'react';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';

interface FileIdsProps {
  id?: string;
  value?: readonly string[];
  onChange?(fileIds: string[]): void;
  max?: number;
  hint?: string;
}

/** Uploads of the record as a form field that holds their ids. Files attached before stay unless all are replaced. */
export function FileIds({ onChange, max = 9, hint = '点击、拖入或粘贴图片、PDF', value }: FileIdsProps) {
  const [files, setFiles] = useState<readonly UploadedFile[]>([]);
  const [before] = useState(() => [...(value ?? [])]);
  return (
    <>
      {before.length > 0 && <p className="kq-muted">已有{before.length}个文件，新上传的会追加</p>}
      <Upload
        purpose="PATIENT_RECORD"
        max={Math.max(1, max - before.length)}
        hint={hint}
        value={files}
        onChange={(next) => {
          setFiles(next);
          onChange?.([...before, ...next.map(({ fileId }) => fileId)]);
        }}
      />
    </>
  );
}
