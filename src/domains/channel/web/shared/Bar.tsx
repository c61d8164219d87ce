import './channel.css';

interface BarProps {
  percent: number;
  text: string;
  tone?: 'normal' | 'warning' | 'error';
}

/** How much of something is done or used. */
export function Bar({ percent, text, tone = 'normal' }: BarProps) {
  return (
    <span className="ch-bar">
      <span className="ch-track">
        <i className={`ch-fill ch-fill-${tone}`} style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      <span className="kq-number">{text}</span>
    </span>
  );
}
