import { severities } from '../../contract/dictionaries.ts';
import type { Problem } from '../../contract/definition.ts';
import { Dict } from '#kernel/web/kit/values.tsx';

/** What the check found; a click leads to the place. */
export function Problems({ of, onGo }: { of: readonly Problem[]; onGo(pointer: string): void }) {
  return (
    <section className="lc-problems" aria-label="校验结果">
      {of.length === 0 ? (
        <p>校验通过，没有问题</p>
      ) : (
        <table className="lc-plain-table">
          <thead>
            <tr>
              <th>级别</th>
              <th>规则</th>
              <th>位置</th>
              <th>说明</th>
              <th>建议</th>
            </tr>
          </thead>
          <tbody>
            {of.map(({ code, severity, pointer, message, advice }) => (
              <tr key={`${code}${pointer}${message}`}>
                <td>
                  <Dict of={severities} code={severity} />
                </td>
                <td>{code}</td>
                <td>
                  <button type="button" onClick={() => onGo(pointer)}>
                    {pointer || '/'}
                  </button>
                </td>
                <td>{message}</td>
                <td>{advice || '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
