import { FileOutlined, PlayCircleOutlined } from '@ant-design/icons';
import { useEffect, useState } from 'react';
import { send } from '../../../../../kernel/web/http/client.ts';
import { queryFileState } from '../../../../files/contract/calls/objects.ts';

const KIB = 1024;
/** `320 B`, `12.4 KB`, `3.1 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < KIB ? `${bytes} B` : bytes < KIB * KIB ? `${(bytes / KIB).toFixed(1)} KB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;

const SCAN: Readonly<Record<string, string>> = { CHECKING: '安全检查中', REJECTED: '未通过安全检查' };

interface FileLineProps {
  kind: 'file' | 'video';
  fileId: string;
  fileName: string;
  size: number;
  onOpen(): void;
}

/** A file or video with its size and whether it has been scanned. */
export function FileLine({ kind, fileId, fileName, size, onOpen }: FileLineProps) {
  const [state, setState] = useState<string | null>(null);
  useEffect(() => {
    if (fileId === '') return undefined;
    let gone = false;
    send(queryFileState, { fileIds: [fileId] }, { quiet: true }).then(
      ([file]) => !gone && setState(file?.state ?? null),
      () => {},
    );
    return () => void (gone = true);
  }, [fileId]);
  const scan = state ? SCAN[state] : undefined;
  return (
    <button type="button" className="im-file" onClick={onOpen} disabled={fileId === '' || state === 'REJECTED'}>
      {kind === 'video' ? <PlayCircleOutlined /> : <FileOutlined />}
      <span>
        <b title={fileName}>{fileName}</b>
        <small>
          {size > 0 ? sizeText(size) : ''}
          {kind === 'video' ? ' · 视频' : ''}
          {scan ? ` · ${scan}` : ''}
        </small>
      </span>
    </button>
  );
}
