import { AudioOutlined, CloseOutlined, LockOutlined, PaperClipOutlined, ThunderboltOutlined } from '@ant-design/icons';
import { useCallback, useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { usePreference } from '#kernel/web/session/preference.ts';
import { useKeys } from '#kernel/web/keyboard/keys.ts';
import { digestOf } from '../../../../contract/im/cards.ts';
import { useDesk, useDeskState } from '../../desk/useDesk.ts';
import { Layer } from '../../Layer.tsx';
import { CannedList, Recorder } from '../../lazyDialogs.ts';
import { ENTER_KEY } from '../../desk/ring.ts';
import { useBlocked } from './composing.ts';
import { MentionList, useMentionable } from './MentionList.tsx';
import { sendFiles } from './composing.ts';
import { useDraft } from './composing.ts';
import { mentionAt, mentionedIn, unresolvedIn } from './composing.ts';

const LONGEST = 4000;
const COUNT_FROM = 3500;
const NOTE_LONGEST = 1000;
const TYPING_EVERY_MS = 3000;
const EMERGENCY = '您描述的情况可能较为紧急，请立即拨打120或前往就近医院急诊就诊，不要等待线上回复。';

/** Where one writes: a reply to everybody, or an internal note that staff alone see. */
export default function Composer() {
  const desk = useDesk();
  const id = useDeskState((state) => state.chat!.chosen.conversationID);
  const unseen = useDeskState((state) => state.chat?.unseen ?? []);
  const quote = useDeskState((state) => state.chat?.quote ?? null);
  const blocked = useBlocked();
  const enterSends = usePreference<boolean>(ENTER_KEY, true).value;
  const [mode, setMode] = useState<'reply' | 'note'>('reply');
  const [note, setNote] = useState('');
  const { text: reply, setText: setReply } = useDraft(id);
  const [popup, setPopup] = useState<'canned' | 'voice' | null>(null);
  const [caret, setCaret] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const typedAt = useRef(0);
  const saving = useRef(false);
  /** Counts the prepared reply that the text came from, once it is sent here. */
  const canned = useRef<{ conversationID: string; sent: () => void } | null>(null);
  const isGroup = id.startsWith('GROUP');
  const isNote = mode === 'note';
  const text = isNote ? note : reply;
  const people = useMentionable(isNote);
  const mention = isGroup ? mentionAt(text, caret) : null;
  const found = mention ? people.filter(({ nick }) => nick.includes(mention.word)).slice(0, 8) : [];

  const write = useCallback((value: string) => (isNote ? setNote(value) : setReply(value)), [isNote, setReply]);
  const focus = useCallback(() => queueMicrotask(() => field.current?.focus()), []);
  const put = useCallback(
    (value: string) => {
      setMode('reply');
      setReply(value);
      focus();
    },
    [focus, setReply],
  );
  useEffect(() => {
    desk.onCompose = (value) => (value === null ? (setMode('reply'), focus()) : put(value));
    desk.onEmergencyReply = () => put(EMERGENCY);
    desk.focusComposer = () => field.current?.focus();
    return () => {
      desk.focusComposer = () => {};
      desk.onCompose = () => {};
      desk.onEmergencyReply = () => {};
    };
  }, [desk, put, focus]);
  // Whoever chose the conversation by a click types into it; whoever walks the list by keys stays there.
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus();
  }, [id]);
  useKeys([
    { keys: 'Alt+R', label: '回复', inFields: true, act: () => (setMode('reply'), focus()) },
    ...(isGroup ? [{ keys: 'Alt+N', label: '内部备注', inFields: true, act: () => (setMode('note'), focus()) }] : []),
    { keys: 'Alt+A', label: '发送图片或文件', inFields: true, act: () => !blocked.blocks && picker.current?.click() },
  ]);

  const change = (value: string) => {
    write(value);
    if (value === '' && !isNote) canned.current = null;
    setPopup(!isNote && value.startsWith('/') && !value.includes('\n') ? 'canned' : popup === 'canned' ? null : popup);
    if (isNote || value === '' || Date.now() - typedAt.current < TYPING_EVERY_MS) return;
    typedAt.current = Date.now();
    desk.chat.typing(true);
  };
  const submit = async () => {
    const value = text.trim();
    if (value === '') return;
    if (isNote) {
      if (value.length > NOTE_LONGEST) return toastError(`备注不能超过${NOTE_LONGEST}个字`);
      const ids = mentionedIn(value, people).flatMap(({ assistantId }) => assistantId ?? []);
      // A second Enter while it is on its way writes no second note.
      if (saving.current) return undefined;
      saving.current = true;
      if (await desk.chat.addNote(value, ids)) setNote('');
      saving.current = false;
      return undefined;
    }
    if (blocked.blocks) return undefined;
    const open = unresolvedIn(value);
    if (open.length > 0) return toastError(`请先补全变量：${open.join('、')}`);
    if (value.length > LONGEST) return toastError(`消息不能超过${LONGEST}个字，请分段发送`);
    // What others wrote meanwhile is looked at first; the next Enter sends.
    if (unseen.length > 0) return look();
    setReply('');
    if (canned.current?.conversationID === id) canned.current.sent();
    canned.current = null;
    desk.chat.typing(false);
    void desk.chat.sendText(
      value,
      mentionedIn(value, people).map(({ userID }) => userID),
    );
    return undefined;
  };
  const look = () => {
    const [first] = unseen;
    desk.chat.looked();
    if (first !== undefined) void desk.chat.jumpTo(first).catch(() => {});
  };
  const choose = (nick: string) => {
    if (!mention) return;
    write(`${text.slice(0, mention.from)}@${nick} ${text.slice(caret)}`);
    setCaret(0);
    focus();
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || found.length > 0 || popup === 'canned') return;
    const sends = enterSends ? !event.shiftKey : event.ctrlKey || event.metaKey;
    if (!sends) return;
    event.preventDefault();
    void submit();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0 || isNote) return;
    event.preventDefault();
    if (!blocked.blocks) sendFiles(desk.chat, files);
  };
  const limit = isNote ? NOTE_LONGEST : LONGEST;
  const countFrom = isNote ? NOTE_LONGEST - 200 : COUNT_FROM;
  return (
    <div className={isNote ? 'im-composer im-noting' : 'im-composer'}>
      {unseen.length > 0 && !isNote && (
        <p className="im-unseen" role="status">
          有 {unseen.length} 条新消息未读
          <button type="button" className="kq-link" onClick={look}>
            查看
          </button>
        </p>
      )}
      <div className="im-tools">
        <span className="im-modes" role="tablist" aria-label="发送方式">
          <button type="button" role="tab" aria-selected={!isNote} title="Alt+R" onClick={() => (setMode('reply'), focus())}>
            回复
          </button>
          {isGroup && (
            <button type="button" role="tab" aria-selected={isNote} title="Alt+N" onClick={() => (setMode('note'), focus())}>
              <LockOutlined /> 内部备注
            </button>
          )}
        </span>
        {!isNote && (
          <>
            <button
              type="button"
              disabled={blocked.blocks}
              title="快捷回复（输入 / 也可打开）"
              aria-label="快捷回复"
              onClick={() => setPopup(popup === 'canned' ? null : 'canned')}
            >
              <ThunderboltOutlined />
            </button>
            <button
              type="button"
              disabled={blocked.blocks}
              title="图片或文件（Alt+A）"
              aria-label="图片或文件"
              onClick={() => picker.current?.click()}
            >
              <PaperClipOutlined />
            </button>
            <button
              type="button"
              disabled={blocked.blocks}
              title="语音"
              aria-label="语音"
              onClick={() => setPopup(popup === 'voice' ? null : 'voice')}
            >
              <AudioOutlined />
            </button>
          </>
        )}
        <span className="im-grow" />
        {text.length >= countFrom && (
          <span className={text.length > limit ? 'kq-danger kq-number' : 'kq-muted kq-number'}>
            {text.length}/{limit}
          </span>
        )}
      </div>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => (sendFiles(desk.chat, [...(target.files ?? [])]), (target.value = ''))}
      />
      {quote && !isNote && (
        <p className="im-quoting">
          <span>
            引用 {quote.nick || '我'}：{digestOf(quote)}
          </span>
          <button type="button" aria-label="取消引用" onClick={() => desk.chat.quote(null)}>
            <CloseOutlined />
          </button>
        </p>
      )}
      {popup === 'canned' && (
        <Layer>
          <CannedList
            typed={reply.startsWith('/') ? reply.slice(1) : ''}
            onPick={(value, sent) => (put(value), (canned.current = { conversationID: id, sent }), setPopup(null))}
            onClose={() => (setPopup(null), focus())}
          />
        </Layer>
      )}
      {popup === 'voice' && (
        <Layer>
          <Recorder onClose={() => setPopup(null)} />
        </Layer>
      )}
      {found.length > 0 && <MentionList people={found} onPick={choose} onClose={() => setCaret(0)} />}
      <textarea
        ref={field}
        rows={3}
        value={text}
        aria-label={isNote ? '内部备注内容' : '回复内容'}
        disabled={!isNote && blocked.blocks}
        onPaste={onPaste}
        onKeyDown={onKey}
        onChange={({ target }) => (change(target.value), setCaret(target.selectionStart))}
        onClick={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onBlur={() => desk.chat.typing(false)}
        placeholder={
          isNote
            ? '仅内部可见，不会发送给患者和医生；@ 提醒同事'
            : blocked.blocks
              ? (blocked.text ?? '')
              : `输入回复，/ 快捷回复${isGroup ? '，@ 提醒成员' : ''}；${enterSends ? 'Enter 发送，Shift+Enter 换行' : 'Ctrl+Enter 发送'}`
        }
      />
      <footer>
        <span className={blocked.text ? 'im-why' : 'kq-muted'}>{isNote ? '仅内部可见' : blocked.text}</span>
        <button
          type="button"
          className="im-send"
          disabled={text.trim() === '' || (!isNote && blocked.blocks)}
          onClick={() => void submit()}
        >
          {isNote ? '保存备注' : '发送'}
        </button>
      </footer>
    </div>
  );
}
