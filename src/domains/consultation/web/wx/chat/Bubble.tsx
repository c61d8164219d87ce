import { digestOf } from '../../../contract/im/cards.ts';
import { messageTypes, type CustomPayload, type ImMessage } from '../../../contract/im/types.ts';
import type { Group } from '../access.ts';
import type { Inquiry, SheetName } from '../sheets/Sheet.tsx';
import type { WxClient } from '../openClient.ts';
import { Card } from './Card.tsx';
import type { ChatModel } from './chatModel.ts';
import { MediaBody } from './MediaBody.tsx';

const RECALL_SEC = 120;
const roleOf = (from: string) => (from.startsWith('D') ? '医生' : from.startsWith('A') ? '医助' : '');
const quoted = (message: ImMessage): string | null => {
  if (message.quoteSeq === null || !message.cloudCustomData) return null;
  try {
    const custom = JSON.parse(message.cloudCustomData) as { quote?: { digest?: unknown } };
    return typeof custom.quote?.digest === 'string' ? custom.quote.digest : null;
  } catch {
    return null;
  }
};

interface Props {
  client: WxClient;
  model: ChatModel;
  message: ImMessage;
  group: Group;
  inquiry: Inquiry | null;
  onJoin(roomId: string): void;
  onSheet(sheet: SheetName): void;
  onMoved(): void;
}

function Body(props: Props) {
  const { message, model } = props;
  if (message.type === messageTypes.TEXT) return <div className="wx-text">{'text' in message.payload ? message.payload.text : ''}</div>;
  if (message.type === messageTypes.CUSTOM) return <Card {...props} payload={message.payload as CustomPayload} />;
  return <MediaBody groupID={model.groupID} message={message} />;
}

/** One message: who, what, and whether it arrived. */
export function Bubble(props: Props) {
  const { message, model } = props;
  const own = message.flow === 'out';
  if (message.isRevoked)
    return (
      <p className="wx-tip">
        {message.revoker === message.from ? (own ? '你撤回了一条消息' : `${message.nick}撤回了一条消息`) : '管理员撤回了一条消息'}
      </p>
    );
  const system = message.from === 'SYSTEM';
  const quote = quoted(message);
  const mayRecall =
    own && message.status === 'success' && Date.now() / 1000 - message.time < RECALL_SEC && message.type !== messageTypes.CUSTOM;
  return (
    <div className={own ? 'wx-line wx-own' : system ? 'wx-line wx-system' : 'wx-line'} data-seq={message.sequence}>
      {!own && !system && (
        <span className="wx-face" aria-hidden>
          {message.nick.slice(0, 1)}
        </span>
      )}
      <div className="wx-bubble">
        {!own && !system && (
          <span className="wx-who">
            {message.nick}
            {roleOf(message.from) && <i>{roleOf(message.from)}</i>}
            {message.auto && <i>自动</i>}
          </span>
        )}
        {quote && <blockquote>{quote}</blockquote>}
        <Body {...props} />
        {own && message.status === 'unSend' && (
          <span className="wx-state">
            {message.progress > 0 && message.progress < 1 ? `上传中 ${Math.floor(message.progress * 100)}%` : '发送中'}
          </span>
        )}
        {own && message.status === 'fail' && (
          <span className="wx-state wx-fault">
            发送失败{message.fault && `：${message.fault.message}`}
            <button type="button" className="wx-link" onClick={() => void model.again(message)}>
              重发
            </button>
            <button type="button" className="wx-link" onClick={() => void model.discard(message)}>
              删除
            </button>
          </span>
        )}
        {mayRecall && (
          <button
            type="button"
            className="wx-link wx-recall"
            aria-label={`撤回 ${digestOf(message)}`}
            onClick={() => void model.recall(message)}
          >
            撤回
          </button>
        )}
      </div>
    </div>
  );
}
