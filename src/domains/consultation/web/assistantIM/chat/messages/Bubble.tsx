import { memo } from 'react';
import { useContextMenu, type PopItem } from '#kernel/web/kit/PopMenu.tsx';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { digestOf } from '../../../../contract/im/cards.ts';
import { roleOf } from '../../../../contract/im/ids.ts';
import { messageTypes, type ImMessage, type TextPayload } from '../../../../contract/im/types.ts';
import { consultationPermissions as may } from '../../../../contract/permissions.ts';
import { useDesk, useDeskState } from '../../desk/useDesk.ts';
import { openDialog } from '../../dialogs/open.ts';
import { Face } from '../../Face.tsx';
import { listTime } from '../../times.ts';
import { Content } from './Content.tsx';
import type { OpenFile } from './filePreview.tsx';

const ROLE: Readonly<Record<string, string>> = { DOCTOR: '医生', ASSISTANT: '医助', PATIENT: '患者' };
const RECALLABLE: readonly string[] = [messageTypes.TEXT, messageTypes.IMAGE, messageTypes.FILE, messageTypes.AUDIO, messageTypes.VIDEO];

/** What a recalled message leaves: who did it, and one's own text to write it anew. */
function Recalled({ message, itemKey }: { message: ImMessage; itemKey: string }) {
  const desk = useDesk();
  const readsOriginal = useMay()(may['message.original']);
  const text = desk.recalled.get(message.ID);
  const own = message.flow === 'out' && message.revoker === message.from;
  return (
    <p className="im-tip" data-key={itemKey} data-seq={message.sequence}>
      {own
        ? '你撤回了一条消息'
        : message.revoker === message.from
          ? `${message.nick || '对方'}撤回了一条消息`
          : `管理员撤回了一条消息${message.revokeReason ? `（${message.revokeReason}）` : ''}`}
      {own && text !== undefined && (
        <button type="button" className="kq-link" onClick={() => desk.onCompose(text)}>
          重新编辑
        </button>
      )}
      {readsOriginal && (
        <button type="button" className="kq-link" onClick={() => openDialog({ kind: 'original', message })}>
          查看原文
        </button>
      )}
    </p>
  );
}

function Quote({ message }: { message: ImMessage }) {
  const desk = useDesk();
  const quoted = useDeskState((state) => state.chat?.messages.find(({ sequence }) => sequence === message.quoteSeq) ?? null);
  if (message.quoteSeq === null) return null;
  return (
    <button
      type="button"
      className="im-quote"
      onClick={() => void desk.chat.jumpTo(message.quoteSeq!).catch(() => toastError('消息加载失败，请重试'))}
      title="跳转到原消息"
    >
      {quoted ? `${quoted.nick || '我'}：${digestOf(quoted)}` : '引用的消息，点击查看'}
    </button>
  );
}

/** 未读 or how many have read one's own message, with their names. */
function ReadState({ message }: { message: ImMessage }) {
  const text = useDeskState(({ chat }) => {
    if (!chat || chat.members.length === 0) return '';
    const others = chat.members.filter(({ userID }) => userID !== message.from);
    const names = others.filter(({ userID }) => (chat.readBy.get(userID) ?? 0) >= message.sequence).map(({ nick }) => nick);
    return `${names.length === 0 ? '未读' : names.length === others.length && others.length === 1 ? '已读' : `${names.length}人已读`}|${names.join('、')}`;
  });
  const [label, names] = text.split('|');
  return label ? (
    <span className={label === '未读' ? 'im-read im-read-none' : 'im-read'} title={names ? `已读：${names}` : undefined}>
      {label}
    </span>
  ) : null;
}

function Fate({ message }: { message: ImMessage }) {
  const desk = useDesk();
  if (message.status === 'fail') {
    return (
      <span className="im-fail" role="alert" title={message.fault?.message}>
        失败{message.fault?.message ? `：${message.fault.message}` : ''}
        <button type="button" className="kq-link" onClick={() => void desk.chat.resend(message)}>
          重发
        </button>
        <button type="button" className="kq-link" onClick={() => void desk.chat.discard(message)}>
          删除
        </button>
      </span>
    );
  }
  if (message.status === 'unSend')
    return (
      <span className="im-sending">
        {message.progress > 0 && message.progress < 1 ? `上传 ${Math.floor(message.progress * 100)}%` : '发送中'}
      </span>
    );
  return message.sequence > 0 ? <ReadState message={message} /> : null;
}

interface BubbleProps {
  message: ImMessage;
  itemKey: string;
  onFile: OpenFile;
}

/** One message with its sender, its content and what became of it. */
export const Bubble = memo(function Bubble({ message, itemKey, onFile }: BubbleProps) {
  const desk = useDesk();
  const { open, menu } = useContextMenu();
  const online = useDeskState((state) => state.online.has(message.from));
  const recallSec = useDeskState((state) => state.runtime?.recallSec ?? 120);
  const me = useDeskState((state) => `A${state.runtime?.assistant.operatorId}`);
  const isMember = useDeskState((state) => state.chat?.chosen.mode === 'MEMBER');
  const mayDo = useMay();
  if (message.isRevoked) return <Recalled message={message} itemKey={itemKey} />;
  const role = roleOf(message.from);
  // What the product itself says stands in the middle, like its tips.
  if (role === null)
    return (
      <div className="im-item im-system" data-key={itemKey} data-seq={message.sequence || undefined}>
        <div className="im-bubble">
          <Content message={message} onFile={onFile} />
        </div>
      </div>
    );
  const isOwn = message.from === me;
  const recall = async () => {
    const text = message.type === messageTypes.TEXT ? (message.payload as TextPayload).text : undefined;
    if (text !== undefined) desk.recalled.set(message.ID, text);
    try {
      await desk.chat.recall(message);
    } catch (error) {
      toastError(error instanceof Error ? error.message : '撤回失败，请重试');
    }
  };
  const items = (): PopItem[] => [
    ...(message.type === messageTypes.TEXT
      ? [{ key: 'copy', label: '复制', act: () => void copyText((message.payload as TextPayload).text) }]
      : []),
    ...(isMember && message.sequence > 0
      ? [{ key: 'quote', label: '引用', act: () => (desk.chat.quote(message), desk.onCompose(null)) }]
      : []),
    ...(isMember && isOwn && message.sequence > 0 && RECALLABLE.includes(message.type) && Date.now() / 1000 - message.time < recallSec
      ? [{ key: 'recall', label: '撤回', danger: true, act: () => void recall() }]
      : []),
    ...(message.isModified && mayDo(may['message.original'])
      ? [{ key: 'original', label: '查看原文', act: () => openDialog({ kind: 'original', message }) }]
      : []),
    ...(message.sequence > 0 && mayDo(may['chat.supervise'])
      ? [{ key: 'revoke', label: '管理员撤回', danger: true, act: () => openDialog({ kind: 'revoke', message }) }]
      : []),
  ];
  const showMenu = (event: React.MouseEvent) => {
    const list = items();
    if (list.length > 0 && window.getSelection()?.isCollapsed !== false) open(event, list);
  };
  return (
    <div className={isOwn ? 'im-item im-own' : 'im-item'} data-key={itemKey} data-seq={message.sequence || undefined}>
      <Face name={message.nick || '我'} role={role} url={message.avatar} online={online} size={32} />
      <div className="im-body">
        <header>
          {isOwn ? '我' : message.nick}
          <em className={`im-role im-role-${role}`}>{ROLE[role]}</em>
          {message.auto && <em className="im-auto">自动</em>}
          <time>{listTime(message.time)}</time>
        </header>
        <div className="im-bubble" onContextMenu={showMenu}>
          <Quote message={message} />
          <Content message={message} onFile={onFile} />
        </div>
        {isOwn && (
          <footer>
            <Fate message={message} />
          </footer>
        )}
      </div>
      {menu}
    </div>
  );
});
