import { useCallback, useState } from 'react';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { groupIdOf } from '../../desk/listing.ts';
import { useDeskState } from '../../desk/useDesk.ts';
import { useSigned } from './signed.ts';

export interface ShownFile {
  fileId: string;
  fileName: string;
  detectedType?: string | null;
}

/** Pictures with zoom and turn, PDF pages, sound and video over the page; read as files of the group. */
export function useFilePreview() {
  const groupId = useDeskState((state) => (state.chat ? groupIdOf(state.chat.chosen.conversationID) : null));
  const [shown, setShown] = useState<{ files: readonly ShownFile[]; index: number } | null>(null);
  const open = useCallback((files: readonly ShownFile[], index = 0) => setShown({ files, index }), []);
  const preview = (
    <FilePreview
      files={
        shown &&
        shown.files.map(({ fileId, fileName, detectedType }) => ({
          fileId,
          fileName,
          detectedType: detectedType ?? fileName.toLowerCase().split('.').at(-1) ?? null,
          pageCount: null,
        }))
      }
      index={shown?.index ?? 0}
      onClose={() => setShown(null)}
      {...(groupId ? { ownerType: 'consultation.group', ownerId: groupId } : {})}
    />
  );
  return { open, preview };
}
export type OpenFile = ReturnType<typeof useFilePreview>['open'];

/** A picture of the chat, small and of a fixed height, so that nothing moves when it arrives. */
export function Thumb({ fileId, label, onOpen }: { fileId: string; label: string; onOpen(): void }) {
  const { url, failed, retry } = useSigned(fileId, 'THUMB');
  return (
    <button
      type="button"
      className="im-thumb"
      onClick={failed ? retry : onOpen}
      aria-label={failed ? `重新加载图片${label}` : `查看图片${label}`}
    >
      {url ? (
        <img src={url} alt={label} draggable={false} />
      ) : (
        <span>{failed ? '图片加载失败，点击重试' : fileId === '' ? '图片上传中…' : '加载中…'}</span>
      )}
    </button>
  );
}
