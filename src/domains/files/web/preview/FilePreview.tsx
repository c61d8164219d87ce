import { Spin } from 'antd';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { FilePreviewProps } from '#kernel/web/files/places.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import '../files.css';
import { saveFile } from './saveFile.ts';
import { type Shown, useShown } from './useShown.ts';

const STEP = 1.25;
const LIMITS = { min: 0.2, max: 8 };

interface View {
  scale: number;
  turn: number;
}

const FIT: View = { scale: 1, turn: 0 };

function Stage({ shown, view, fileName }: { shown: Shown; view: View; fileName: string }) {
  if (shown.kind === 'picture') {
    return (
      <figure>
        <img
          src={shown.url}
          alt={fileName}
          draggable={false}
          style={{ maxWidth: `${view.scale * 92}vw`, maxHeight: `${view.scale * 84}vh`, transform: `rotate(${view.turn}deg)` }}
        />
      </figure>
    );
  }
  if (shown.kind === 'table') {
    return (
      <div className="kq-preview-table">
        <table>
          <tbody>
            {shown.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} title={cell}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }
  if (shown.kind === 'audio') return <audio controls src={shown.url} className="kq-preview-note" />;
  if (shown.kind === 'video')
    return <video controls src={shown.url} className="kq-preview-note" style={{ maxWidth: '90vw', maxHeight: '80vh' }} />;
  return <p className="kq-preview-note">该类型的文件不能预览，请下载后查看</p>;
}

interface SideProps {
  file: NonNullable<FilePreviewProps['files']>[number];
  page: number;
  view: View;
  /** Told once it is known how many pages the file has. */
  onPages?(count: number): void;
  ownerType?: string | undefined;
  ownerId?: string | undefined;
}

/** One of two files beside each other, or the only one. */
function Side({ file, page, view, onPages, ...owner }: SideProps) {
  const { shown, fault, pageCount } = useShown({ fileId: file.fileId, page, ...owner });
  useEffect(() => {
    if (pageCount !== null) onPages?.(pageCount);
  }, [pageCount, onPages]);
  if (fault) return <p className="kq-preview-note">{fault}</p>;
  return shown ? <Stage shown={shown} view={view} fileName={file.fileName} /> : <Spin className="kq-preview-note" />;
}

/** Files over the page: zoom, turn, pages, next and previous file, two side by side. */
export default function FilePreview({ files: given, index = 0, ownerType, ownerId, onClose }: FilePreviewProps) {
  const files = given ?? [];
  const [at, setAt] = useState(index);
  const [page, setPage] = useState(1);
  const [view, setView] = useState(FIT);
  const [beside, setBeside] = useState(false);
  const file = files[Math.min(at, files.length - 1)];
  const other = files[at + 1];
  const [counted, setCounted] = useState<number | null>(null);
  const pages = file?.pageCount ?? counted ?? 1;
  const go = (next: number) => {
    if (next < 0 || next >= files.length) return;
    setAt(next);
    setCounted(null);
    setPage(1);
    setView(FIT);
  };
  const zoom = (by: number) => setView((now) => ({ ...now, scale: Math.min(LIMITS.max, Math.max(LIMITS.min, now.scale * by)) }));
  const rotate = () => setView((now) => ({ ...now, turn: (now.turn + 90) % 360 }));
  useKeys(
    [
      { keys: 'ArrowLeft', label: '上一个文件', act: () => go(at - 1) },
      { keys: 'ArrowRight', label: '下一个文件', act: () => go(at + 1) },
      { keys: '+', label: '放大', act: () => zoom(STEP) },
      { keys: '=', label: '放大', act: () => zoom(STEP) },
      { keys: '-', label: '缩小', act: () => zoom(1 / STEP) },
      { keys: '0', label: '适合窗口', act: () => setView(FIT) },
      { keys: 'R', label: '旋转', act: rotate },
      { keys: 'PageDown', label: '下一页', act: () => setPage((now) => Math.min(pages, now + 1)) },
      { keys: 'PageUp', label: '上一页', act: () => setPage((now) => Math.max(1, now - 1)) },
      { keys: 'Escape', label: '关闭预览', act: onClose },
    ],
    true,
  );
  if (!file) return null;
  const owner = { ownerType, ownerId };
  return createPortal(
    <div className="kq-preview" role="dialog" aria-label={`预览 ${file.fileName}`}>
      <div className="kq-preview-bar">
        <span title={file.fileName}>
          {file.fileName}
          {files.length > 1 && `（${at + 1}/${files.length}）`}
        </span>
        {pages > 1 && (
          <>
            <button type="button" disabled={page <= 1} onClick={() => setPage(page - 1)}>
              上一页
            </button>
            <span>
              {page}/{pages}
            </span>
            <button type="button" disabled={page >= pages} onClick={() => setPage(page + 1)}>
              下一页
            </button>
          </>
        )}
        <button type="button" aria-label="缩小" onClick={() => zoom(1 / STEP)}>
          －
        </button>
        <button type="button" aria-label="放大" onClick={() => zoom(STEP)}>
          ＋
        </button>
        <button type="button" onClick={() => setView(FIT)}>
          适合
        </button>
        <button type="button" onClick={rotate}>
          旋转
        </button>
        {other && (
          <button type="button" aria-pressed={beside} onClick={() => setBeside(!beside)}>
            对比
          </button>
        )}
        <button type="button" disabled={at === 0} onClick={() => go(at - 1)}>
          上一个
        </button>
        <button type="button" disabled={at >= files.length - 1} onClick={() => go(at + 1)}>
          下一个
        </button>
        <button type="button" onClick={() => void saveFile({ fileId: file.fileId, page, ...owner })}>
          下载
        </button>
        <button type="button" aria-label="关闭" onClick={onClose}>
          ×
        </button>
      </div>
      <div className="kq-preview-stage">
        <Side key={`${file.fileId}:${page}`} file={file} page={page} view={view} onPages={setCounted} {...owner} />
        {beside && other && <Side key={other.fileId} file={other} page={1} view={view} {...owner} />}
      </div>
    </div>,
    document.body,
  );
}
