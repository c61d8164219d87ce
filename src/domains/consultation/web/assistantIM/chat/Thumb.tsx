import { useSigned } from './signed.ts';

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
