import '../engine/engine.css';
import { gateDictionary } from '../../contract/engine/gate.ts';
import type { SendRow } from '../../contract/engine/runCalls.ts';

/** What each gate saw when the touch was last tried, and the text that was sent. */
export function GateTrace({ send }: { send: Pick<SendRow, 'gateTrace' | 'bubbles'> }) {
  return (
    <div className="kq-gates">
      {send.gateTrace.length === 0 ? (
        <p className="kq-muted">尚未尝试发送</p>
      ) : (
        <ol>
          {send.gateTrace.map(({ gate, ok, note }) => (
            <li key={gate} className={ok ? 'kq-held' : 'kq-not-held'}>
              {ok ? '✓' : '✗'} {gateDictionary.label(gate)}：{note}
            </li>
          ))}
        </ol>
      )}
      {send.bubbles.map((text, index) => (
        <blockquote key={index}>{text}</blockquote>
      ))}
    </div>
  );
}
