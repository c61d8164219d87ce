import { FileOutlined, PlayCircleOutlined } from '@ant-design/icons';
import { lazy, Suspense, useEffect, useState } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { queryFileState } from '#domains/files/contract/calls/objects.ts';
import { cardOf } from '../../../../contract/im/cards.ts';
import {
  type AudioPayload,
  type CustomPayload,
  type FilePayload,
  type ImagePayload,
  type ImMessage,
  messageTypes,
  type TextPayload,
  type VideoPayload,
} from '../../../../contract/im/types.ts';
import { useDeskState } from '../../desk/useDesk.ts';
import type { OpenFile } from './filePreview.tsx';
import { Thumb } from './filePreview.tsx';

const KIB = 1024;
/** `320 B`, `12.4 KB`, `3.1 MB`. */
const sizeText = (bytes: number): string =>
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
function FileLine({ kind, fileId, fileName, size, onOpen }: FileLineProps) {
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

const Card = lazy(async () => ({ default: (await import('./Card.tsx')).Card }));
const Voice = lazy(async () => ({ default: (await import('./Voice.tsx')).Voice }));

const LINK = /(https?:\/\/[^\s<>"'，。；）]+)/;

/** Text with its links; mentions of oneself stand out. */
function Text({ text }: { text: string }) {
  const name = useDeskState((state) => state.runtime?.assistant.name ?? '');
  return (
    <p className="im-text">
      {text.split(LINK).map((piece, index) =>
        index % 2 === 1 ? (
          <a key={index} href={piece} target="_blank" rel="noreferrer noopener">
            {piece}
          </a>
        ) : name && piece.includes(`@${name}`) ? (
          <span key={index}>
            {piece.split(`@${name}`).flatMap((part, at) => (at === 0 ? [part] : [<mark key={at}>@{name}</mark>, part]))}
          </span>
        ) : (
          piece
        ),
      )}
    </p>
  );
}

/** The content of a message by its kind. */
export function Content({ message, onFile }: { message: ImMessage; onFile: OpenFile }) {
  const { type, payload } = message;
  switch (type) {
    case messageTypes.TEXT:
      return <Text text={(payload as TextPayload).text} />;
    case messageTypes.IMAGE: {
      const image = payload as ImagePayload;
      return <Thumb fileId={image.fileId} label={image.fileName} onOpen={() => onFile([image])} />;
    }
    case messageTypes.VIDEO: {
      const video = payload as VideoPayload;
      return <FileLine kind="video" fileId={video.fileId} fileName={video.fileName} size={video.size} onOpen={() => onFile([video])} />;
    }
    case messageTypes.FILE: {
      const file = payload as FilePayload;
      return <FileLine kind="file" fileId={file.fileId} fileName={file.fileName} size={file.fileSize} onOpen={() => onFile([file])} />;
    }
    case messageTypes.AUDIO:
      return (
        <Suspense fallback={<span className="im-voice" />}>
          <Voice payload={payload as AudioPayload} />
        </Suspense>
      );
    default: {
      const card = type === messageTypes.CUSTOM ? cardOf(payload as CustomPayload) : null;
      return card && card.businessID !== 'user_typing_status' ? (
        <Suspense fallback={<div className="im-card im-card-wait" />}>
          <Card card={card} message={message} />
        </Suspense>
      ) : (
        <p className="kq-muted">[暂不支持的消息]</p>
      );
    }
  }
}
