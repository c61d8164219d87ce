import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { TipPayload } from '../../../../contract/im/types.ts';
import { type TimelineItem, timelineOf } from '../../desk/chat/timeline.ts';
import { useDesk, useDeskState } from '../../desk/useDesk.ts';
import { Failed } from '../../Failed.tsx';
import { dividerTime } from '../../times.ts';
import { Bubble } from './Bubble.tsx';
import { Note } from './Note.tsx';
import { type OpenFile, useFilePreview } from './filePreview.tsx';

/** One thing of the timeline. */
const Item = memo(
  function Item({ item, onFile }: { item: TimelineItem; onFile: OpenFile }) {
    if (item.kind === 'divider')
      return (
        <p className="im-divider" data-key={item.key}>
          <time>{dividerTime(item.at)}</time>
        </p>
      );
    if (item.kind === 'tip')
      return (
        <p className="im-tip" data-key={item.key} data-seq={item.message.sequence}>
          {(item.message.payload as TipPayload).text}
        </p>
      );
    if (item.kind === 'note') return <Note note={item.note} itemKey={item.key} />;
    return <Bubble message={item.message} itemKey={item.key} onFile={onFile} />;
  },
  (before, after) =>
    before.onFile === after.onFile &&
    before.item.key === after.item.key &&
    ('message' in before.item && 'message' in after.item
      ? before.item.message === after.item.message
      : 'note' in before.item && 'note' in after.item
        ? before.item.note === after.item.note
        : 'at' in before.item && 'at' in after.item && before.item.at === after.item.at),
);

/** Where one was in each conversation, as long as the page is open. */
const places = new Map<string, { key: string; top: number }>();

const NEAR = 60;
const FAR = 300;

/** What stands first in view and where, so that it stays there when something is put before it. */
interface Anchor {
  key: string;
  top: number;
}

/**
 * The messages. At most 400 stand in the page; when older ones are put before them, the message at the top keeps its place on the
 * screen; at the end, new ones are followed.
 */
export function MessageList() {
  const desk = useDesk();
  const { chat } = desk;
  const picture = useDeskState((state) => state.chat);
  const box = useRef<HTMLDivElement>(null);
  const thread = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const sticks = useRef(true);
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);
  const { open, preview } = useFilePreview();
  const id = picture?.chosen.conversationID ?? '';
  const { messages, range, notes, loading, error, target, detached, isCompleted } = picture ?? {
    messages: [],
    range: { from: 0, to: 0 },
    notes: [],
    loading: true,
    error: null,
    target: null,
    detached: false,
    isCompleted: false,
  };
  const items = useMemo(
    () =>
      timelineOf(messages.slice(range.from, range.to), notes, {
        isFirst: isCompleted && range.from === 0,
        isLast: !detached && range.to === messages.length,
      }),
    [messages, range, notes, detached, isCompleted],
  );

  const report = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const bottom = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    const at = desk.store.getState().chat;
    const isEnd = bottom && at !== null && at.range.to === at.messages.length && !at.detached;
    sticks.current = isEnd;
    setAway(!isEnd && element.scrollHeight - element.scrollTop - element.clientHeight > FAR);
    chat.seen(
      at?.messages.findLast(({ sequence }) => sequence > 0)?.sequence ?? 0,
      isEnd,
      document.visibilityState === 'visible' && document.hasFocus(),
    );
  }, [chat, desk]);

  const toBottom = useCallback(() => {
    sticks.current = true;
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
    report();
  }, [report]);

  const remember = () => {
    const element = box.current;
    if (!element) return;
    const line = element.getBoundingClientRect().top;
    // Dividers come and go with what stands before them; messages stay.
    const first = [...element.querySelectorAll<HTMLElement>('[data-seq]')].find((item) => item.getBoundingClientRect().bottom > line);
    anchor.current = first ? { key: first.dataset['key'] ?? '', top: first.getBoundingClientRect().top - line } : null;
  };

  const restore = useCallback((kept: Anchor | null) => {
    const element = box.current;
    const item = kept && element?.querySelector<HTMLElement>(`[data-key="${CSS.escape(kept.key)}"]`);
    if (element && item && kept) element.scrollTop += item.getBoundingClientRect().top - element.getBoundingClientRect().top - kept.top;
  }, []);

  useLayoutEffect(() => {
    if (loading) return;
    if (sticks.current && !target) toBottom();
    else {
      restore(anchor.current);
      remember();
      report();
    }
  }, [items, loading, target, restore, report, toBottom]);

  // The place of a conversation that was left stays with it.
  useLayoutEffect(() => {
    if (loading) return undefined;
    const kept = places.get(id);
    if (kept && kept.key !== '') {
      sticks.current = false;
      restore(kept);
    }
    return () => {
      if (sticks.current || !anchor.current) places.delete(id);
      else places.set(id, anchor.current);
    };
  }, [id, loading, restore]);

  useLayoutEffect(() => {
    if (!target) return;
    const item = box.current?.querySelector<HTMLElement>(`[data-seq="${target.seq}"]`);
    if (!item) return;
    sticks.current = false;
    item.scrollIntoView({ block: 'center' });
    item.classList.remove('im-lit');
    // Starts the animation anew for a second jump to the same message.
    void item.offsetWidth;
    item.classList.add('im-lit');
    remember();
  }, [target]);

  useEffect(() => {
    chat.onEnd(toBottom);
    const look = () => report();
    window.addEventListener('focus', look);
    window.addEventListener('blur', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      chat.onEnd(null);
      window.removeEventListener('focus', look);
      window.removeEventListener('blur', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [chat, report, toBottom]);

  // The composer grows and shrinks, cards and pictures grow when they are filled: who reads the end keeps reading it.
  useEffect(() => {
    if (!box.current || !thread.current) return undefined;
    const watch = new ResizeObserver(() => {
      if (sticks.current) toBottom();
      // A window that grew moves the list too: that is nobody who asks for older ones.
      lastTop.current = box.current?.scrollTop ?? 0;
    });
    watch.observe(box.current);
    watch.observe(thread.current);
    return () => watch.disconnect();
  }, [toBottom]);

  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    remember();
    report();
    if (element.scrollTop >= NEAR) chat.leftTop();
    if (element.scrollTop < NEAR && lastTop.current > element.scrollTop) void chat.loadOlder();
    else if (element.scrollHeight - element.scrollTop - element.clientHeight < FAR && (detached || range.to < messages.length))
      void chat.loadNewer();
    lastTop.current = element.scrollTop;
  };
  // A short conversation does not scroll; turning the wheel upwards asks for older ones all the same.
  const onWheel = (event: React.WheelEvent) => {
    const element = box.current;
    if (element && event.deltaY < 0 && element.scrollTop <= 0) void chat.loadOlder();
  };

  const onKey = ({ key, currentTarget }: React.KeyboardEvent<HTMLElement>) => {
    if (['ArrowUp', 'PageUp', 'Home'].includes(key) && currentTarget.scrollTop <= 0) void chat.loadOlder();
  };

  if (!picture) return null;
  return (
    <div className="im-messages-box">
      <div
        ref={box}
        className="im-messages"
        role="log"
        aria-label="消息"
        tabIndex={0}
        onScroll={onScroll}
        onWheel={onWheel}
        onKeyDown={onKey}
        onPointerDown={() => picture.unseen.length > 0 && chat.looked()}
      >
        {loading && (
          <div className="im-skeleton" aria-busy="true">
            <i />
            <i />
            <i />
            <i />
          </div>
        )}
        {!loading && error !== null && (
          <Failed what="消息" error={error} onRetry={() => desk.choose(picture.chosen.conversationID, picture.chosen.mode)} />
        )}
        {!loading && error === null && items.length === 0 && <p className="im-none">还没有消息</p>}
        <div ref={thread}>
          {items.map((item) => (
            <Item key={item.key} item={item} onFile={open} />
          ))}
        </div>
        {picture.typing.length > 0 && (
          <p className="im-typing">
            {picture.typing.map((userID) => picture.members.find((member) => member.userID === userID)?.nick ?? '对方').join('、')}正在输入…
          </p>
        )}
      </div>
      {picture.noteFault !== null && <Failed what="内部备注" error={picture.noteFault} onRetry={() => chat.readNotes()} />}
      {picture.loadingOlder && (
        <p className="im-loading-older" role="status">
          加载中…
        </p>
      )}
      {(away || picture.below > 0 || detached) && (
        <button type="button" className="im-pill" onClick={() => void chat.toEnd().then(toBottom)}>
          {picture.below > 0 ? `${picture.below}条新消息` : '回到最新'} ↓
        </button>
      )}
      {preview}
    </div>
  );
}
