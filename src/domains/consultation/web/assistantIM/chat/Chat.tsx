import { lazy, Suspense, useState, type DragEvent } from 'react';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { useDesk, useDeskState } from '../desk/useDesk.ts';
import { Layer } from '../Layer.tsx';
import { SearchPanel } from '../lazyDialogs.ts';
import { useBlocked, sendFiles } from './composer/composing.ts';
import { ChatHead } from './ChatHead.tsx';
import { MessageList } from './messages/MessageList.tsx';

const Composer = lazy(() => import('./composer/Composer.tsx'));

/** Middle column: head, messages, composer. */
export function Chat({ onChoose }: { onChoose(id: ConversationID, mode: Mode): void }) {
  const desk = useDesk();
  const chosen = useDeskState((state) => state.chat?.chosen ?? null);
  const crisis = useDeskState((state) =>
    state.chat ? (state.groups.get(state.chat.chosen.conversationID.slice(5))?.crisis ?? false) : false,
  );
  const [searching, setSearching] = useState(false);
  const [over, setOver] = useState(false);
  const blocked = useBlocked();
  useKeys(chosen ? [{ keys: 'Alt+/', label: '搜索本会话', inFields: true, act: () => setSearching(true) }] : []);
  if (!chosen)
    return (
      <section className="im-chat im-nobody">
        <p>请从左侧选择会话</p>
        <p className="kq-muted">Alt+G 接入下一位 · Ctrl+K 跳转到会话 · ? 查看全部快捷键</p>
      </section>
    );
  const mayDrop = !blocked.blocks;
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (mayDrop) sendFiles(desk.chat, [...event.dataTransfer.files]);
  };
  return (
    <section
      className="im-chat"
      aria-label="会话"
      onDrop={onDrop}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(mayDrop);
      }}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(false)}
    >
      <ChatHead onSearch={() => setSearching(!searching)} onChoose={onChoose} />
      {crisis && <CrisisBar />}
      {searching && (
        <Layer>
          <SearchPanel onClose={() => setSearching(false)} />
        </Layer>
      )}
      <MessageList key={chosen.switchNo} />
      <Suspense fallback={<div className="im-composer" />}>
        <Composer key={chosen.conversationID} />
      </Suspense>
      {over && <div className="im-drop">松开发送图片或文件</div>}
    </section>
  );
}

/** A patient may be in danger: what to do stands above everything. */
function CrisisBar() {
  const desk = useDesk();
  const mode = useDeskState((state) => state.chat?.chosen.mode);
  return (
    <div className="im-alarm" role="alert">
      患者可能存在急症，请立即引导线下就医
      {mode === 'MEMBER' && (
        <button type="button" onClick={() => desk.onEmergencyReply()}>
          填入急症回复
        </button>
      )}
    </div>
  );
}
