import { useCallback, useEffect, useRef, useState } from 'react';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { imCodes } from '../../../../contract/im/codes.ts';
import { mediaFault, mediaRules } from '../../../../contract/im/limits.ts';
import type { ConversationID } from '../../../../contract/im/types.ts';
import type { OpenChat } from '../../desk/chat/chat.ts';
import { useDesk, useDeskState } from '../../desk/useDesk.ts';

const VARIABLE = /\{\{[^{}]*\}\}/g;

/** Variables of a text that nothing has filled; a message is not sent with them. */
export const unresolvedIn = (text: string): string[] => [...new Set(text.match(VARIABLE) ?? [])];

interface Reply {
  shortcut: string;
  title: string;
  titlePinyin: string;
  useCount: number;
}

/** Canned replies for what was typed behind the slash: shortcut, title, or the initials of its pinyin; the most used first. */
export function matching<T extends Reply>(replies: readonly T[], typed: string): T[] {
  const word = typed.trim().toLowerCase();
  const rank = (reply: Reply) =>
    reply.shortcut.startsWith(word)
      ? 0
      : reply.titlePinyin.toLowerCase().startsWith(word)
        ? 1
        : reply.title.toLowerCase().includes(word)
          ? 2
          : reply.shortcut.includes(word) || reply.titlePinyin.toLowerCase().includes(word)
            ? 3
            : 9;
  return replies
    .filter((reply) => rank(reply) < 9)
    .toSorted((a, b) => rank(a) - rank(b) || b.useCount - a.useCount || (a.shortcut < b.shortcut ? -1 : 1));
}

/** The word behind an `@` that is being typed at the caret, with where it begins; null while there is none. */
export function mentionAt(text: string, caret: number): { from: number; word: string } | null {
  const found = /(?:^|[\s，。！？])@([^\s@]{0,20})$/.exec(text.slice(0, caret));
  return found ? { from: caret - found[1]!.length - 1, word: found[1]! } : null;
}

/** Who of these is named by `@` in a text. */
export const mentionedIn = <T extends { nick: string }>(text: string, people: readonly T[]): T[] =>
  people.filter(({ nick }) => nick !== '' && text.includes(`@${nick}`));

const endingOf = (name: string) => name.toLowerCase().split('.').at(-1) ?? '';
const isOf = (types: readonly string[], name: string) => types.includes(endingOf(name));

/** As what a file is sent: pictures and videos are shown in the chat, everything else is a file. */
export const kindOfFile = (file: { name: string }): 'image' | 'video' | 'file' =>
  isOf(mediaRules.image.types, file.name) ? 'image' : isOf(mediaRules.video.types, file.name) ? 'video' : 'file';

/** Sends files one by one; what may not be sent is refused before any byte leaves. */
export function sendFiles(chat: OpenChat, files: readonly File[]): void {
  for (const file of files) {
    const kind = kindOfFile(file);
    const fault = file.size === 0 ? '文件为空' : mediaFault(kind, file);
    if (fault) toastError(`${file.name}：${fault in imCodes ? imCodes[fault as keyof typeof imCodes][1] : fault}`);
    else void chat.sendFile(kind, file);
  }
}

const KEEP_MS = 1500;

/** The unsent text of a conversation: kept with it while one is elsewhere, on every device. */
export function useDraft(id: ConversationID): { text: string; setText(value: string): void } {
  const desk = useDesk();
  const [text, show] = useState(() => desk.store.getState().conversations.get(id)?.draftText ?? '');
  const latest = useRef(text);
  const kept = useRef(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = useCallback(() => {
    clearTimeout(timer.current);
    if (latest.current === kept.current || desk.store.getState().chat?.chosen.mode === 'PREVIEW') return;
    kept.current = latest.current;
    desk.chat.keepDraft(id, latest.current.startsWith('/') ? '' : latest.current);
  }, [desk, id]);
  const setText = useCallback(
    (value: string) => {
      latest.current = value;
      show(value);
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, KEEP_MS);
    },
    [keep],
  );
  useEffect(() => keep, [keep]);
  return { text, setText };
}

interface Blocked {
  /** Nothing may be sent. */
  blocks: boolean;
  /** Why, or what happens to what is sent now; null = all is well. */
  text: string | null;
}

/** Why one cannot write, in the order in which it matters. */
export function blockedOf(state: {
  mode: string | undefined;
  isDissolved: boolean;
  isMuted: boolean;
  isKicked: boolean;
  isOnline: boolean;
}): Blocked {
  if (state.isKicked) return { blocks: true, text: '已在其他设备登录' };
  if (state.mode !== 'MEMBER') return { blocks: true, text: '旁听中不能发言，请先接入会话' };
  if (state.isDissolved) return { blocks: true, text: '该会话已解散，仅可查看历史' };
  if (state.isMuted) return { blocks: true, text: '您已被限制发言' };
  return { blocks: false, text: state.isOnline ? null : '网络已断开，消息将在恢复后发送' };
}

export function useBlocked(): Blocked {
  const mode = useDeskState((state) => state.chat?.chosen.mode);
  const isDissolved = useDeskState((state) => state.chat?.conversation?.isDissolved ?? false);
  const isKicked = useDeskState((state) => state.kicked !== null);
  const isOnline = useDeskState((state) => state.net === 'connected');
  const me = useDeskState((state) => state.runtime?.assistant.operatorId);
  const isMuted = useDeskState(
    (state) => (state.chat?.members.find(({ userID }) => userID === `A${me}`)?.muteUntil ?? 0) * 1000 > Date.now(),
  );
  return blockedOf({ mode, isDissolved, isMuted, isKicked, isOnline });
}
