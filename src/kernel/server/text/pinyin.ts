import { pinyin } from 'pinyin-pro';

/**
 * Readings of a Chinese name for search: full pinyin and initials, in lower case, `aoxitini axtn`.
 * Characters with several readings take the most frequent one; whoever keeps the text lets people correct it.
 */
export function pinyinText(name: string): string {
  const syllables = pinyin(name, { toneType: 'none', type: 'array', nonZh: 'consecutive' }).map((syllable) =>
    syllable.toLowerCase().replaceAll(/\s+/g, ''),
  );
  const full = syllables.join('');
  const initials = syllables.map((syllable) => syllable.at(0) ?? '').join('');
  return full === initials ? full : `${full} ${initials}`;
}
