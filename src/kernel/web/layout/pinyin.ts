import { pinyin } from 'pinyin-pro';
import type { PinyinOf } from './menuMatch.ts';

const known = new Map<string, ReturnType<PinyinOf>>();

/** Readings of menu titles; kept, since they are asked for at every key. */
export const pinyinOf: PinyinOf = (text) => {
  const there = known.get(text);
  if (there) return there;
  const syllables = pinyin(text, { toneType: 'none', type: 'array', nonZh: 'consecutive' }).map((syllable) => syllable.toLowerCase());
  const made = { full: syllables.join(''), initials: syllables.map((syllable) => syllable.at(0) ?? '').join('') };
  known.set(text, made);
  return made;
};
