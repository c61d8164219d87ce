import { useEffect, useRef, useState } from 'react';
import type { ChartSpec } from './spec.ts';

/** Draws a specification; what it shows is told besides by the table of the same chart. */
export function Chart({ spec, title, onPick }: { spec: ChartSpec; title: string; onPick?: (index: number) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  const [failed, setFailed] = useState(false);
  const clickable = onPick !== undefined;
  useEffect(() => {
    let gone = false;
    let clear = () => {};
    // The library is loaded with the first chart that is shown, by nobody else; without it the table tells the same.
    import('./engine.ts')
      .then(({ draw }) => {
        if (!gone && canvas.current) clear = draw(canvas.current, spec, clickable ? (index) => pick.current?.(index) : undefined);
      })
      .catch(() => setFailed(true));
    return () => {
      gone = true;
      clear();
    };
  }, [spec, clickable]);
  if (failed) return <div className="stat-canvas">图表加载失败，请切换到表格视图</div>;
  return (
    <div className="stat-canvas">
      <canvas ref={canvas} role="img" aria-label={`${title}图表，数据见表格视图`} />
    </div>
  );
}
