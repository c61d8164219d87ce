import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ImMessage } from '../../../contract/im/types.ts';
import type { Group } from '../access.ts';
import type { Inquiry, SheetName } from '../sheets/Sheet.tsx';
import type { WxClient } from '../openClient.ts';
import { showTime } from '../time.ts';
import { Bubble } from './Bubble.tsx';
import { isTip, type ChatModel, type ChatPicture } from './chatModel.ts';

const GAP_SEC = 300;
const NEAR = 80;

interface Props {
  client: WxClient;
  model: ChatModel;
  picture: ChatPicture;
  group: Group;
  inquiry: Inquiry | null;
  onJoin(roomId: string): void;
  onSheet(sheet: SheetName): void;
  onMoved(): void;
}

/** What was said, the newest below. What is prepended does not move what one reads. */
export function MessageList({ client, model, picture, group, inquiry, onJoin, onSheet, onMoved }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const kept = useRef({ height: 0, atEnd: true, first: '' });
  const { messages, loading, complete, typing } = picture;
  const first = messages[0]?.clientMsgId ?? '';
  const last = messages.at(-1);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const before = kept.current;
    if (before.first !== '' && before.first !== first && !before.atEnd) element.scrollTop += element.scrollHeight - before.height;
    else if (before.atEnd || last?.flow === 'out') element.scrollTop = element.scrollHeight;
    kept.current = { height: element.scrollHeight, atEnd: element.scrollHeight - element.scrollTop - element.clientHeight < NEAR, first };
  }, [first, last?.clientMsgId, last?.flow, messages.length, typing]);
  useEffect(() => {
    if (!document.hidden) void model.seen();
  }, [model, last?.sequence]);
  useEffect(() => {
    const onShown = () => !document.hidden && void model.seen();
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, [model]);
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    kept.current = {
      ...kept.current,
      height: element.scrollHeight,
      atEnd: element.scrollHeight - element.scrollTop - element.clientHeight < NEAR,
    };
    if (element.scrollTop < NEAR) void model.older();
  };
  const apart = (message: ImMessage, index: number) => message.time - (messages[index - 1]?.time ?? 0) > GAP_SEC;
  return (
    <div ref={box} className="wx-messages" onScroll={onScroll} role="log" aria-label="消息" tabIndex={0}>
      {loading && <p className="wx-tip">正在加载…</p>}
      {complete && messages.length > 0 && <p className="wx-tip">没有更多历史消息了</p>}
      {!loading && messages.length === 0 && <p className="wx-tip">暂无消息</p>}
      {messages.map((message, index) => (
        <div key={message.clientMsgId}>
          {apart(message, index) && (
            <p className="wx-tip">
              <time>{showTime(message.time)}</time>
            </p>
          )}
          {isTip(message) ? (
            <p className="wx-tip">{'text' in message.payload ? message.payload.text : ''}</p>
          ) : (
            <Bubble
              client={client}
              model={model}
              message={message}
              group={group}
              inquiry={inquiry}
              onJoin={onJoin}
              onSheet={onSheet}
              onMoved={onMoved}
            />
          )}
        </div>
      ))}
      {typing && <p className="wx-tip">对方正在输入…</p>}
    </div>
  );
}
