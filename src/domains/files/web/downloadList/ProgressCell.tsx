import type { Dictionary } from '#kernel/contract/dictionary.ts';
import { Dict } from '#kernel/web/kit/values.tsx';

interface ProgressCellProps {
  of: Pick<Dictionary, 'label' | 'tone'>;
  state: string;
  /** 0 to 10,000 while it runs; null = no bar. */
  progressBp: number | null;
  text?: string | undefined;
  hint?: string | undefined;
}

/** A state, with a bar and what it means while something runs. */
export function ProgressCell({ of, state, progressBp, text, hint }: ProgressCellProps) {
  return (
    <span className="kq-progress-cell" title={hint ?? text}>
      {progressBp === null ? <Dict of={of} code={state} /> : <progress className="kq-bar kq-bar-running" max={10_000} value={progressBp} />}
      {text && <span>{text}</span>}
    </span>
  );
}
