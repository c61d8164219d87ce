import { Modal } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { compareVersion } from '../../contract/calls/versions.ts';
import { wordOf } from '../../contract/words.ts';

const WORDS = { add: '新增', remove: '删除', replace: '修改' } as const;
const short = (value: unknown) => wordOf(value).slice(0, 200) || '—';

/** Where two versions differ, and which operations that adds or takes away; added writes are red. */
export function Changes({ of: { changes, more, operations } }: { of: AnswerOf<typeof compareVersion> }) {
  return (
    <>
      {operations.length > 0 && (
        <ul className="lc-operations">
          {operations.map(({ datasetCode, operation, label, added, writes }) => (
            <li key={`${datasetCode}/${operation}`} className={added && writes ? 'lc-bad' : undefined}>
              {added ? '新增' : '移除'}
              {writes ? '写操作' : '数据操作'}：{label}
            </li>
          ))}
        </ul>
      )}
      {changes.length === 0 && <p>两个版本的内容相同</p>}
      {changes.length > 0 && (
        <table className="lc-plain-table">
          <thead>
            <tr>
              <th>位置</th>
              <th>变化</th>
              <th>之前</th>
              <th>之后</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ op, pointer, before, after }) => (
              <tr key={`${op}${pointer}`}>
                <td>
                  <code>{pointer || '/'}</code>
                </td>
                <td>{WORDS[op]}</td>
                <td>
                  <code>{short(before)}</code>
                </td>
                <td>
                  <code>{short(after)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more && <p>其余变化未列出</p>}
    </>
  );
}

export function Difference({ a, b, onClose }: { a: string; b: string; onClose(): void }) {
  // The older one first: differences are what came later.
  const [first, second] = BigInt(a) < BigInt(b) ? [a, b] : [b, a];
  const read = useData(compareVersion, { versionIdA: first, versionIdB: second }, { quiet: true });
  return (
    <Modal open title="版本对比" width={900} onCancel={onClose} footer={null}>
      {read.data ? <Changes of={read.data} /> : <Waiting for={read} />}
    </Modal>
  );
}
