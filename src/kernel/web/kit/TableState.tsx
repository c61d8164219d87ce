import { Button } from 'antd';
import type { ReactNode } from 'react';
import { isSessionEnd } from '../http/errorLaw.ts';
import { failureText } from '../http/refusal.ts';

/** Nothing to show, and what to do about it. */
export function TableEmpty({ loading, children }: { loading: boolean; children: ReactNode }) {
  if (loading) return <div className="kq-empty">加载中…</div>;
  return <div className="kq-empty">{children ?? '没有符合条件的数据，请调整筛选条件'}</div>;
}

/** Something could not be read. */
export function TableFailure({ error, onRetry }: { error: unknown; onRetry: (() => void) | undefined }) {
  if (isSessionEnd(error)) return <div className="kq-empty" />;
  return (
    <div className="kq-empty">
      <p>加载失败：{failureText(error)}</p>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          重新加载
        </Button>
      )}
    </div>
  );
}

/** Over rows that could not be read again: they are what the last reading brought. */
export function TableOld({ error, onRetry }: { error: unknown; onRetry: (() => void) | undefined }) {
  if (isSessionEnd(error)) return null;
  return (
    <div className="kq-old" role="alert">
      <span>以下是上次查询的结果，未能更新：{failureText(error)}</span>
      {onRetry && (
        <button type="button" className="kq-link" onClick={onRetry}>
          重试
        </button>
      )}
    </div>
  );
}

/** Stands in the place of what `useData` reads until it is there: `{data ? … : <Waiting for={query} />}`. */
export function Waiting({ for: { error, refetch } }: { for: { error: unknown; refetch(): unknown } }) {
  return error ? <TableFailure error={error} onRetry={() => void refetch()} /> : <TableEmpty loading>{null}</TableEmpty>;
}
