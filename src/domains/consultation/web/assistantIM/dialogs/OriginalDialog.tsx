import { Modal } from 'antd';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { queryMessageOriginal } from '../../../contract/calls/messages.ts';
import type { ImMessage } from '../../../contract/im/types.ts';
import { closeDialog } from './open.ts';

/** The text, the line of a card, or the name of a file. */
const textOf = (payload: Readonly<Record<string, unknown>>): string => {
  const shown = payload['text'] ?? payload['description'] ?? payload['fileName'];
  return typeof shown === 'string' && shown !== '' ? shown : '（无文字内容）';
};

/** 查看原文: what stood there before each recall or change; the service logs every look. */
export function OriginalDialog({ message }: { message: ImMessage }) {
  const { data, error, refetch } = useData(
    queryMessageOriginal,
    { conversationID: message.conversationID, seq: message.sequence },
    { quiet: true, fresh: 60_000 },
  );
  return (
    <Modal open title="消息原文" width={560} footer={null} onCancel={closeDialog}>
      <p className="kq-muted">
        {message.nick || '我'} · 第{message.sequence}条。查看已记入操作日志。
      </p>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <p className="im-none">加载中…</p>
      ) : (
        <table className="im-table">
          <thead>
            <tr>
              <th>版本</th>
              <th>内容</th>
              <th>撤回或修改人</th>
              <th>时间</th>
              <th>原因</th>
            </tr>
          </thead>
          <tbody>
            {data.versions.map((version) => (
              <tr key={version.modifyVersion}>
                <td className="kq-number">{version.modifyVersion + 1}</td>
                <td className="im-original">{textOf(version.payload)}</td>
                <td>{version.byName}</td>
                <td>
                  <Time at={version.at} />
                </td>
                <td>{version.reason ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Modal>
  );
}
