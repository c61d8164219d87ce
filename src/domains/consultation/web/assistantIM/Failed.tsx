import { failureText } from '#kernel/web/http/refusal.ts';

/** What could not be read, why (with the trace number where the service has one), and another try. */
export const Failed = ({ what = '', error, onRetry }: { what?: string; error: unknown; onRetry(): unknown }) => (
  <p className="im-none im-failed" role="alert">
    {what}加载失败：{failureText(error)}
    <button type="button" className="kq-link" onClick={() => void onRetry()}>
      重试
    </button>
  </p>
);
