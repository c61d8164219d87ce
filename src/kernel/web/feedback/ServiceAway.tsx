import { useEffect, useState } from 'react';
import { useReach } from '../http/patience.ts';

/** How long the return is told. */
const TOLD_MS = 3_000;

/** An unobtrusive line while the service is away, and for a moment when it is back; what the page asks for is asked again meanwhile. */
export function ServiceAway() {
  const waits = useReach(({ waiting }) => waiting > 0);
  const lost = useReach(({ lost }) => lost);
  const returns = useReach(({ returns }) => returns);
  const [told, setTold] = useState(returns);
  useEffect(() => {
    const timer = setTimeout(() => setTold(returns), TOLD_MS);
    return () => clearTimeout(timer);
  }, [returns]);
  return (
    <div className="kq-away" role="status">
      {waits || lost ? (
        <span>服务暂时不可用，正在自动重试；已填写的内容不会丢失</span>
      ) : (
        returns > told && <span className="kq-away-back">服务已恢复</span>
      )}
    </div>
  );
}
