import { useEffect, useState } from 'react';
import { queryMyFileUrl } from '../../../contract/calls/participants.ts';
import { messageTypes, type ImMessage } from '../../../contract/im/types.ts';
import { Icon } from '../../video/Icon.tsx';
import { sendMine } from '../access.ts';

interface File {
  fileId: string;
  fileName: string;
  size?: number;
  fileSize?: number;
  second?: number;
}
type Use = 'THUMB' | 'PREVIEW' | 'DOWNLOAD';

const ask = async (groupId: string, message: ImMessage, use: Use): Promise<string> =>
  (await sendMine(queryMyFileUrl, { groupId, seq: message.sequence, fileId: (message.payload as File).fileId, use })).url;
const showSize = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))}KB` : `${(bytes / 1024 / 1024).toFixed(1)}MB`;

/** The address that shows a stored file; null until it is known. */
function useAddress(groupId: string, message: ImMessage, use: Use, wanted: boolean): { url: string | null; fault: string | null } {
  const [state, setState] = useState<{ url: string | null; fault: string | null }>({ url: null, fault: null });
  const stored = message.sequence > 0;
  useEffect(() => {
    if (!stored || !wanted) return;
    let here = true;
    ask(groupId, message, use).then(
      (url) => here && setState({ url, fault: null }),
      (error: unknown) => here && setState({ url: null, fault: error instanceof Error ? error.message : '文件打不开' }),
    );
    return () => void (here = false);
  }, [groupId, message, use, stored, wanted]);
  return state;
}

/** Picture, voice, video or file of a message; the address is asked for when it is needed and ends after ten minutes. */
export function MediaBody({ groupID, message }: { groupID: string; message: ImMessage }) {
  const { type } = message;
  const file = message.payload as File;
  const isPicture = type === messageTypes.IMAGE;
  const [opened, setOpened] = useState(false);
  const small = useAddress(groupID, message, 'THUMB', isPicture);
  const full = useAddress(
    groupID,
    message,
    isPicture || type === messageTypes.AUDIO || type === messageTypes.VIDEO ? 'PREVIEW' : 'DOWNLOAD',
    opened,
  );
  if (full.fault ?? small.fault) return <span className="wx-muted">{full.fault ?? small.fault}</span>;
  if (isPicture) {
    return (
      <>
        <button type="button" className="wx-picture" onClick={() => setOpened(true)}>
          {small.url ? <img src={small.url} alt={file.fileName} /> : <span className="wx-muted">[图片]</span>}
        </button>
        {opened && full.url && (
          <button type="button" className="wx-viewer" aria-label="关闭图片" onClick={() => setOpened(false)}>
            <img src={full.url} alt={file.fileName} />
          </button>
        )}
      </>
    );
  }
  if (type === messageTypes.AUDIO) {
    return opened && full.url ? (
      <audio src={full.url} controls autoPlay />
    ) : (
      <button type="button" className="wx-file" onClick={() => setOpened(true)}>
        ▶ 语音 {file.second ?? 0}″
      </button>
    );
  }
  if (type === messageTypes.VIDEO) {
    return opened && full.url ? (
      <video className="wx-clip" src={full.url} controls autoPlay playsInline />
    ) : (
      <button type="button" className="wx-file" onClick={() => setOpened(true)}>
        ▶ 视频 {file.size !== undefined && showSize(file.size)}
      </button>
    );
  }
  return opened && full.url ? (
    <a className="wx-file" href={full.url} download={file.fileName}>
      下载 {file.fileName}
    </a>
  ) : (
    <button type="button" className="wx-file" onClick={() => setOpened(true)}>
      <Icon name="file" /> {file.fileName}
      <span className="wx-muted">{showSize(file.fileSize ?? 0)}</span>
    </button>
  );
}
