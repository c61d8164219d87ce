import { Spin } from 'antd';
import { useEffect, useState } from 'react';
import type { FileStageProps } from '#kernel/web/files/places.ts';
import '../files.css';
import { useShown } from './useShown.ts';

/** One page of a file in the place that its page gives it; larger than that, it scrolls. */
export default function FileStage({ fileId, label, page, scale, turn, onPages, ...owner }: FileStageProps) {
  const { shown, fault, pageCount } = useShown({ fileId, page, ...owner });
  /** Height by width of the picture as it was taken. */
  const [ratio, setRatio] = useState(1);
  useEffect(() => {
    if (pageCount !== null) onPages?.(pageCount);
  }, [pageCount, onPages]);
  if (fault) return <p className="kq-stage-note">{fault}</p>;
  if (!shown)
    return (
      <p className="kq-stage-note">
        <Spin size="small" />
      </p>
    );
  if (shown.kind !== 'picture') return <p className="kq-stage-note">该类型的文件不能在此显示</p>;
  // Turned on its side, the picture is as wide as it was high: its frame turns with it, so that nothing lies outside of what scrolls.
  const lying = turn % 180 !== 0;
  return (
    <div className="kq-stage">
      <div style={{ width: `${scale * 100}%`, aspectRatio: String(lying ? ratio : 1 / ratio) }}>
        <img
          src={shown.url}
          alt={label}
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setRatio(naturalWidth === 0 ? 1 : naturalHeight / naturalWidth)}
          style={{ width: `${lying ? 100 / ratio : 100}%`, transform: `translate(-50%, -50%) rotate(${turn}deg)` }}
        />
      </div>
    </div>
  );
}
