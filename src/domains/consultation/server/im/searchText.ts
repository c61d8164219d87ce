import {
  messageTypes,
  type CustomPayload,
  type FilePayload,
  type MessagePayload,
  type MessageType,
  type TextPayload,
} from '../../contract/im/types.ts';

/** Letters as they are compared: width and case do not matter, white space neither. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');

/** All runs of two letters; a text is found where all runs of the keyword stand. */
export function gramsOf(text: string): string[] {
  const letters = [...foldText(text)];
  const grams = new Set<string>(letters.length === 1 ? letters : []);
  for (let at = 0; at + 1 < letters.length; at += 1) grams.add(`${letters[at]}${letters[at + 1]}`);
  return [...grams];
}

/** What of a message can be searched. */
export function searchTextOf(type: MessageType, payload: MessagePayload): string {
  if (type === messageTypes.TEXT) return (payload as TextPayload).text;
  if (type === messageTypes.FILE) return (payload as FilePayload).fileName;
  if (type === messageTypes.CUSTOM) return (payload as CustomPayload).description;
  return '';
}

const AROUND = 20;

/**
 * The part of a text around the first place of a keyword, with all its places in that part.
 * @returns null where the keyword does not stand as a whole.
 */
export function highlight(text: string, keyword: string): { snippet: string; highlights: [from: number, to: number][] } | null {
  // Folding letter by letter keeps the way back to the places in the original.
  const letters: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const letter of text) {
    for (const folded of foldText(letter)) {
      letters.push(folded);
      places.push(at);
    }
    at += letter.length;
  }
  const wanted = [...foldText(keyword)];
  if (wanted.length === 0) return null;
  const found: [number, number][] = [];
  for (let index = 0; index + wanted.length <= letters.length; index += 1) {
    if (!wanted.every((letter, offset) => letters[index + offset] === letter)) continue;
    const last = places[index + wanted.length - 1] ?? 0;
    found.push([places[index] ?? 0, last + (text.codePointAt(last)! > 0xffff ? 2 : 1)]);
    index += wanted.length - 1;
  }
  const first = found[0];
  if (!first) return null;
  const from = Math.max(0, first[0] - AROUND);
  const to = Math.min(text.length, first[1] + AROUND * 2);
  const lead = from > 0 ? '…' : '';
  const snippet = `${lead}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  const highlights = found
    .filter(([, end]) => end <= to)
    .map(([start, end]): [number, number] => [start - from + lead.length, end - from + lead.length]);
  return { snippet, highlights };
}
