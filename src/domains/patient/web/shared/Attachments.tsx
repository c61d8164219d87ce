import { useState } from 'react';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';

export const FILE_OWNER = 'patient.patient';
const fileOf = (fileId: string, index: number, label: string) => ({
  fileId,
  fileName: `${label}${index + 1}`,
  detectedType: null,
  pageCount: null,
});

/** Papers of a row as small buttons; a click shows them large. */
export function Attachments({ fileIds, patientId, label = '附件' }: { fileIds: readonly string[]; patientId: string; label?: string }) {
  const [index, setIndex] = useState<number | null>(null);
  if (fileIds.length === 0) return null;
  const files = fileIds.map((fileId, at) => fileOf(fileId, at, label));
  return (
    <span className="pa-tags">
      {files.map((file, at) => (
        <button key={file.fileId} type="button" className="kq-link" onClick={() => setIndex(at)}>
          {file.fileName}
        </button>
      ))}
      <FilePreview
        files={index === null ? null : files}
        index={index ?? 0}
        ownerType={FILE_OWNER}
        ownerId={patientId}
        onClose={() => setIndex(null)}
      />
    </span>
  );
}
