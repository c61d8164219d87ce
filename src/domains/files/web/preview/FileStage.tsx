import { Spin } from 'antd';
import { useEffect } from 'react';
import type { FileStageProps } from '../../../../kernel/web/files/places.ts';
import '../files.css';
import { useShown } from './useShown.ts';

/** One page of a file in the place that its page gives it; larger than that, it scrolls. */
export default function FileStage({ fileId, label, page, scale, turn, onPages, ...owner }: FileStageProps) {
  const { shown, fault, pageCount } = useShown({ fileId, page, ...owner });
  useEffect(() => {
    if (pageCount !== null) onPages?.(pageCount);
  }, [pageCount, onPages]);
  if (fault) return <p className="kq-stage-note">{fault}</p>;
  if (!shown) return <p className="kq-stage-note"><Spin size="small" /></p>;
  if (shown.kind !== 'picture') return <p className="kq-stage-note">该类型的文件不能在此显示</p>;
  return <div className="kq-stage"><img src={shown.url} alt={label} draggable={false} style={{ width: `${scale * 100}%`, transform: `rotate(${turn}deg)` }} /></div>;
}
