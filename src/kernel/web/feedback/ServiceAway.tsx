import { useWaiting } from '../http/patience.ts';

/** An unobtrusive line while the service is away: what the page asks for is asked again until it is back. */
export function ServiceAway() {
  const waits = useWaiting(({ waiting }) => waiting > 0);
  return (
    <div className="kq-away" role="status">
      {waits && <span>服务暂时不可用，正在自动重试；已填写的内容不会丢失</span>}
    </div>
  );
}
