import { Button, Modal, Skeleton } from 'antd';
import type { Call, InputOf } from '#kernel/contract/call.ts';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import './channel.css';

interface CodePreviewProps<P extends Call, D extends Call> {
  title: string;
  /** Answers `{dataUrl, link}`. */
  preview: P;
  input: InputOf<P>;
  download: D;
  fileOf(format: 'PNG' | 'SVG' | 'PDF'): InputOf<D>;
  onClose(): void;
}

/** Large picture of a code, with its address and files. */
export function CodePreview<P extends Call, D extends Call>({ title, preview, input, download, fileOf, onClose }: CodePreviewProps<P, D>) {
  const { data, error, refetch } = useData(preview, input, { quiet: true });
  const { save, busy } = useSaveFile(download, { success: '已下载' });
  const shown = data as { dataUrl: string; link: string } | undefined;
  return (
    <Modal open title={title} width={420} footer={null} onCancel={onClose}>
      <div className="ch-preview">
        {error ? (
          <TableFailure error={error} onRetry={() => void refetch()} />
        ) : shown ? (
          <img src={shown.dataUrl} alt={title} />
        ) : (
          <Skeleton.Node active />
        )}
        {shown && (
          <>
            <p className="kq-number">{shown.link}</p>
            <p>
              <Button size="small" onClick={() => void copyText(shown.link, '已复制链接')}>
                复制链接
              </Button>{' '}
              {(['PNG', 'SVG', 'PDF'] as const).map((format) => (
                <Button key={format} size="small" disabled={busy} onClick={() => void save(fileOf(format))}>
                  {format}
                </Button>
              ))}
            </p>
          </>
        )}
      </div>
    </Modal>
  );
}
