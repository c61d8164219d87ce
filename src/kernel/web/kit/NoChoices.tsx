import { failureText } from '../http/refusal.ts';

interface NoChoicesProps {
  of: { fetching: boolean; error: unknown; refetch(): unknown };
  /** What to say when nothing fits. */
  none?: string;
}

/** Stands in a select in place of choices: they are on their way, could not be read, or nothing fits. */
export function NoChoices({ of: { fetching, error, refetch }, none = '没有符合的选项' }: NoChoicesProps) {
  if (fetching) return <span className="kq-muted">加载中…</span>;
  if (!error) return <span className="kq-muted">{none}</span>;
  return (
    <span className="kq-muted">
      选项加载失败：{failureText(error)}
      {'　'}
      <button type="button" className="kq-link" onClick={() => void refetch()}>
        重试
      </button>
    </span>
  );
}
