import { Button, Space } from 'antd';
import { useState } from 'react';
import { FilePreview } from './FilePreview.tsx';
import type { FilePreviewProps } from './places.ts';

type Shown = NonNullable<FilePreviewProps['files']>;

/** Files of a record under their names; a click shows them large, with zoom and rotation. */
export function FileButtons({ files, ...owner }: Pick<FilePreviewProps, 'ownerType' | 'ownerId'> & { files: Shown }) {
  const [index, setIndex] = useState<number | null>(null);
  return (
    <Space orientation="vertical" className="kq-wide">
      {files.map((file, at) => (
        <Button key={file.fileId} block onClick={() => setIndex(at)} title={file.fileName}>
          {file.fileName}
        </Button>
      ))}
      <FilePreview {...owner} files={index === null ? null : files} index={index ?? 0} onClose={() => setIndex(null)} />
    </Space>
  );
}
