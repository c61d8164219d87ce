import { InboxOutlined } from '@ant-design/icons';
import { Button, ConfigProvider, Progress } from 'antd';
import { lazy, useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent } from 'react';
import { fillText } from '#kernel/contract/errors.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import type { UploadedFile, UploadProps } from '#kernel/web/files/places.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useHold } from '#kernel/web/form/holds.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useUnsaved } from '#kernel/web/tabs/page.tsx';
import { queryFilePurposes } from '../../contract/calls/objects.ts';
import { fileErrors } from '../../contract/errors.ts';
import { showSize } from '../../contract/purposes.ts';
import '../files.css';
import { acceptOf } from './checks.ts';
import { fits, isPicture, sizeOf } from './crop.ts';
import { useUploads } from './useUploads.ts';

const CropDialog = lazy(async () => ({ default: (await import('./CropDialog.tsx')).CropDialog }));

const NONE: readonly UploadedFile[] = [];

/** Choose, drag or paste; what is being sent is guarded against leaving the page. */
export default function Upload({ purpose: code, value = NONE, onChange, max, disabled = false, hint, crop }: UploadProps) {
  const { data: purposes } = useData(queryFilePurposes, {}, { fresh: 3_600_000 });
  const purpose = purposes?.find((entry) => entry.code === code);
  const files = useRef(value);
  files.current = value;
  const { items, busy, add, cancel, retry } = useUploads(purpose, (file) => {
    // Two may end before the next render: the second adds to the first.
    files.current = [...files.current, file];
    onChange?.(files.current);
  });
  useUnsaved(busy);
  useHold(busy ? 'sending' : items.length > 0 ? 'failed' : null);
  const [over, setOver] = useState(false);
  const layers = useLayers();
  const input = useRef<HTMLInputElement>(null);
  const limit = Math.min(max ?? Number.POSITIVE_INFINITY, purpose?.count ?? Number.POSITIVE_INFINITY);
  // A form that is closed as a whole closes its uploads, as it does its other fields.
  const inert = ConfigProvider.useConfig().componentDisabled === true;
  const closed = disabled || inert || !purpose;

  /** A picture waits to be cut to its place. */
  const cut = (picture: File, place: NonNullable<typeof crop>) =>
    layers.open((close) => (
      <CropDialog
        file={picture}
        place={place}
        onCut={(file) => {
          close();
          add([file]);
        }}
        onClose={close}
      />
    ));
  const take = (chosen: readonly File[]) => {
    if (closed || chosen.length === 0) return;
    if (value.length + items.length + chosen.length > limit) return toastError(fillText(fileErrors.TOO_MANY.text, { n: limit }));
    void (async () => {
      const [picture] = chosen;
      const size = crop && picture && isPicture(picture) ? await sizeOf(picture) : null;
      if (crop && picture && size && !fits(size, crop)) cut(picture, crop);
      else add(chosen);
    })();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take([...event.dataTransfer.files]);
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    take(pasted);
  };

  return (
    <div className="kq-upload" onPaste={paste}>
      {!disabled && value.length + items.length < limit && (
        <button
          type="button"
          className={over ? 'kq-drop kq-drop-over' : 'kq-drop'}
          disabled={closed}
          onClick={() => input.current?.click()}
          onDragOver={(event) => (event.preventDefault(), setOver(true))}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <InboxOutlined />
          <span>{hint ?? '点击选择、拖入文件，或按 Ctrl+V 粘贴'}</span>
          {purpose && (
            <small>
              支持{purpose.types.join('、')}，单个不超过{showSize(purpose.maxSize)}
              {limit > 1 && Number.isFinite(limit) && `，最多${limit}个`}
            </small>
          )}
        </button>
      )}
      {!closed && (
        <input
          ref={input}
          type="file"
          hidden
          // Within a form antd shows file inputs, `hidden` or not.
          style={{ display: 'none' }}
          multiple={limit > 1}
          accept={acceptOf(purpose)}
          onChange={({ target }) => {
            take([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      )}
      <ul className="kq-files">
        {value.map((file, index) => (
          <li key={file.fileId}>
            <button
              type="button"
              className="kq-link"
              title={file.fileName}
              onClick={() => layers.open((close) => <FilePreview files={value} index={index} onClose={close} />)}
            >
              {file.fileName}
            </button>
            <span className="kq-muted">{file.size === null ? '' : showSize(file.size)}</span>
            {!disabled && (
              <button
                type="button"
                className="kq-link kq-danger"
                disabled={inert}
                onClick={() => onChange?.(value.filter((other) => other.fileId !== file.fileId))}
              >
                移除
              </button>
            )}
          </li>
        ))}
        {items.map((item) => (
          <li key={item.key} className={item.message ? 'kq-failed' : ''}>
            <span title={item.file.name}>{item.file.name}</span>
            {item.message ? <span className="kq-file-fault">{item.message}</span> : <Progress percent={item.percent} size="small" />}
            {item.state === 'failed' && (
              <Button type="link" size="small" onClick={() => retry(item.key)}>
                重试
              </Button>
            )}
            <Button type="link" size="small" onClick={() => cancel(item.key)}>
              {item.message ? '移除' : '取消'}
            </Button>
          </li>
        ))}
      </ul>
      {layers.shown}
    </div>
  );
}
