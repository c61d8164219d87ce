import { lazy, Suspense } from 'react';
import './channel.css';

const Picture = lazy(async () => ({ default: (await import('./Picture.tsx')).Picture }));
const SIZE = 28;

/** Small picture of a code in a list; a click shows it large. */
export function Thumb({ link, onClick }: { link: string; onClick(): void }) {
  return (
    <button type="button" className="ch-thumb" title="点击预览" aria-label="预览" onClick={onClick}>
      <Suspense fallback={null}>
        <Picture link={link} size={SIZE} />
      </Suspense>
    </button>
  );
}
