import { Button, Space } from 'antd';
import { useState } from 'react';
import { FilePreview } from '../../../../kernel/web/files/FilePreview.tsx';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { Waiting } from '../../../../kernel/web/kit/TableState.tsx';
import { queryFileList } from '../../../files/contract/calls/objects.ts';

/** Files that a record is based on; a click shows them large, with zoom and rotation. */
export function Vouchers({ ownerType, ownerId }: { ownerType: string; ownerId: string }) {
  const found = useData(queryFileList, { ownerType, ownerId }, { quiet: true });
  const [index, setIndex] = useState<number | null>(null);
  if (!found.data) return <Waiting for={found} />;
  const files = found.data.filter(({ state }) => state === 'READY');
  if (files.length === 0) return <p className="kq-muted">没有上传凭证</p>;
  return (
    <Space orientation="vertical" className="kq-wide">
      {files.map((file, at) => (
        <Button key={file.fileId} block onClick={() => setIndex(at)} title={file.fileName}>
          {file.fileName}
        </Button>
      ))}
      <FilePreview
        files={index === null ? null : files}
        index={index ?? 0}
        ownerType={ownerType}
        ownerId={ownerId}
        onClose={() => setIndex(null)}
      />
    </Space>
  );
}
