import { Button } from 'antd';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { askReason, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { Time } from '#kernel/web/kit/values.tsx';
import { revokeMessageBySupervisor } from '../../../contract/calls/messages.ts';
import { queryVisitMessageOriginal, queryVisitMessages, type VisitMessage } from '../../../contract/calls/visits.ts';
import { userRoles } from '../../../contract/dictionaries.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';

interface RowProps {
  serverId: string;
  groupId: string;
  message: VisitMessage;
  /** Right of the message: a tick box, where messages are picked. */
  extra?: ReactNode;
}

/** One message as a line of the transcript; what was recalled is read by who may, and every look is logged. */
export function MessageRow({ serverId, groupId, message, extra }: RowProps) {
  const [originals, setOriginals] = useState<readonly string[] | null>(null);
  const [shown, setShown] = useState(false);
  const read = useCommand(queryVisitMessageOriginal, { blockMs: 500 });
  const show = async () => {
    const sure = await askReason({ title: '查看原文', content: '查看撤回或修改前的内容会记入操作日志。', opinion: 'optional' });
    if (sure === null) return;
    const answer = await read.run({ serverId, seq: message.seq });
    if (answer)
      setOriginals(answer.data.map(({ text, byName, reason }) => `${text || '[文件]'}（${byName}${reason ? `：${reason}` : ''}）`));
  };
  const [revoked, setRevoked] = useState<string | null>(null);
  const revoke = useCommand(revokeMessageBySupervisor, { success: '已撤回', blockMs: 500 });
  const takeBack = async () => {
    const reason = await confirmWithOpinion({
      title: '管理员撤回',
      content: '撤回后所有成员不再看到该消息的内容，撤回原因会显示在会话中。',
      facts: [
        { label: '发送人', value: message.nick },
        { label: '发送时间', value: <Time at={message.at} /> },
      ],
      label: '撤回原因',
      danger: true,
    });
    if (reason === null) return;
    if (await revoke.run({ conversationID: `GROUP${groupId}`, seq: message.seq, reason })) setRevoked(reason);
  };
  const system = message.role === null;
  const isRevoked = message.isRevoked || revoked !== null;
  const why = revoked ?? message.revokeReason;
  return (
    <div className="kq-visit-message" data-system={system}>
      <div className="kq-visit-message-head">
        <b>{message.nick}</b> {message.role && <span className="kq-muted">{userRoles.label(message.role)}</span>}{' '}
        <span className="kq-muted kq-number">
          #{message.seq} <Time at={message.at} />
        </span>{' '}
        {message.auto && <span className="kq-dict kq-dict-default">自动</span>}
        {extra ? (
          <span style={{ marginLeft: 'auto' }}>{extra}</span>
        ) : (
          !isRevoked &&
          !system && (
            <Can permission={may['chat.supervise']}>
              <Button
                size="small"
                type="text"
                className="kq-muted"
                style={{ marginLeft: 'auto' }}
                disabled={revoke.busy}
                onClick={() => void takeBack()}
              >
                撤回
              </Button>
            </Can>
          )
        )}
      </div>
      <div className="kq-visit-message-text">
        {isRevoked ? <span className="kq-muted">消息已撤回{why ? `：${why}` : ''}</span> : message.text}
        {message.second !== null && !isRevoked && <span className="kq-muted"> {message.second}秒</span>}
        {message.fileId && !isRevoked && (
          <>
            {' '}
            <Button size="small" type="link" onClick={() => setShown(true)}>
              查看
            </Button>
          </>
        )}
        {(message.hasOriginal || revoked !== null) && originals === null && (
          <Can permission={may['message.original']}>
            {' '}
            <Button size="small" type="link" disabled={read.busy} onClick={() => void show()}>
              查看原文
            </Button>
          </Can>
        )}
      </div>
      {originals?.map((text) => (
        <div key={text} className="kq-visit-message-original">
          原文：{text}
        </div>
      ))}
      {message.fileId && (
        <FilePreview
          files={shown ? [{ fileId: message.fileId, fileName: message.text || '文件', detectedType: null, pageCount: null }] : null}
          ownerType="consultation.group"
          ownerId={groupId}
          onClose={() => setShown(false)}
        />
      )}
    </div>
  );
}

const PAGE = 50;

interface Loaded {
  messages: readonly VisitMessage[];
  isCompleted: boolean;
  loading: boolean;
  failure: string | null;
  more(): void;
}

/** Messages of an inquiry from its first one, page by page; another keyword begins anew and drops late answers. */
export function useVisitMessages(serverId: string, keyword: string): Loaded {
  const [state, setState] = useState<{ messages: readonly VisitMessage[]; isCompleted: boolean }>({ messages: [], isCompleted: false });
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const round = useRef(0);
  const load = useCallback(
    async (afterSeq: number | undefined) => {
      const mine = (round.current += 1);
      setLoading(true);
      setFailure(null);
      try {
        const page = await send(
          queryVisitMessages,
          { serverId, pageSize: PAGE, ...(afterSeq !== undefined && { afterSeq }), ...(keyword !== '' && { keyword }) },
          { quiet: true },
        );
        if (mine === round.current)
          setState((before) => ({
            messages: afterSeq === undefined ? page.messages : [...before.messages, ...page.messages],
            isCompleted: page.isCompleted,
          }));
      } catch (error) {
        if (mine === round.current) setFailure(failureText(error));
      } finally {
        if (mine === round.current) setLoading(false);
      }
    },
    [serverId, keyword],
  );
  useEffect(() => {
    setState({ messages: [], isCompleted: false });
    void load(undefined);
    return () => void (round.current += 1);
  }, [load]);
  return { ...state, loading, failure, more: () => void load(state.messages.at(-1)?.seq) };
}
