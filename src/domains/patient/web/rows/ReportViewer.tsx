import { Button, Select } from 'antd';
import { useState } from 'react';
import { useStageView } from '#kernel/web/audit/stageView.ts';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { FileStage } from '#kernel/web/files/FileStage.tsx';
import { FILE_OWNER } from '../shared/Attachments.tsx';

/** Pages of a report with zoom and rotation, two side by side on demand. */
export function ReportViewer({ fileIds, patientId, label = '报告' }: { fileIds: readonly string[]; patientId: string; label?: string }) {
  const [at, setAt] = useState(0);
  const [beside, setBeside] = useState<number | null>(null);
  const { view, larger, smaller, rotate } = useStageView(`${patientId}:${fileIds[at]}`);
  const [page, setPage] = useState(1);
  const [pages, setPages] = useState(1);
  const [large, setLarge] = useState(false);
  const names = fileIds.map((_, index) => `${label}${index + 1}`);
  const choose = (next: number) => {
    setAt(next);
    setPage(1);
    setPages(1);
  };
  const options = names.map((name, value) => ({ value, label: name }));
  const owner = { ownerType: FILE_OWNER, ownerId: patientId };
  return (
    <div className="pa-viewer">
      <div className="pa-tags">
        {fileIds.length > 1 && <Select size="small" aria-label="选择报告" value={at} options={options} onChange={choose} />}
        <Button size="small" aria-label="缩小" onClick={smaller}>
          －
        </Button>
        <Button size="small" aria-label="放大" onClick={larger}>
          ＋
        </Button>
        <Button size="small" onClick={rotate}>
          旋转
        </Button>
        {pages > 1 && (
          <Button size="small" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            上一页
          </Button>
        )}
        {pages > 1 && (
          <Button size="small" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            下一页 {page}/{pages}
          </Button>
        )}
        {fileIds.length > 1 && (
          <Button size="small" aria-pressed={beside !== null} onClick={() => setBeside(beside === null ? (at + 1) % fileIds.length : null)}>
            {beside === null ? '并排' : '单张'}
          </Button>
        )}
        {beside !== null && <Select size="small" aria-label="并排报告" value={beside} options={options} onChange={setBeside} />}
        <Button size="small" onClick={() => setLarge(true)}>
          全屏
        </Button>
      </div>
      <div className="pa-stages">
        <div className="pa-stage">
          <FileStage
            key={`${fileIds[at]}:${page}`}
            fileId={fileIds[at]!}
            label={names[at]!}
            page={page}
            {...view}
            onPages={setPages}
            {...owner}
          />
        </div>
        {beside !== null && (
          <div className="pa-stage">
            <FileStage key={fileIds[beside]} fileId={fileIds[beside]!} label={names[beside]!} page={1} {...view} {...owner} />
          </div>
        )}
      </div>
      <FilePreview
        files={large ? fileIds.map((fileId, index) => ({ fileId, fileName: names[index]!, detectedType: null, pageCount: null })) : null}
        index={at}
        {...owner}
        onClose={() => setLarge(false)}
      />
    </div>
  );
}
