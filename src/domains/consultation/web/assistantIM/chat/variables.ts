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
