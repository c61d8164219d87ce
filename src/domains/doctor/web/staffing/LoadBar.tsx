import './staffing.css';

const FULL = 10_000;
const BUSY = 7_000;

/** Load in basis points: calm below 70 %, busy up to 99 %, full from 100 % on. */
export function LoadBar({ bp }: { bp: number }) {
  const tone = bp >= FULL ? 'error' : bp >= BUSY ? 'warning' : 'success';
  const percent = Math.floor(bp / 100);
  return (
    <span className="st-load" role="img" aria-label={`负荷${percent}%`}>
      <i className={`st-track st-${tone}`}>
        <b style={{ width: `${Math.min(100, percent)}%` }} />
      </i>
      <span className="kq-number st-percent">{percent}%</span>
    </span>
  );
}
