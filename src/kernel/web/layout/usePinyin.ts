import { useEffect, useState } from 'react';
import type { PinyinOf } from './menuMatch.ts';

/** Readings of Chinese: 140 KB, loaded where they are wanted; null until they are there, when Chinese text matches alone. */
export function usePinyin(wanted = true): PinyinOf | null {
  const [pinyinOf, setPinyinOf] = useState<PinyinOf | null>(null);
  useEffect(() => {
    if (wanted) import('./pinyin.ts').then((module) => setPinyinOf(() => module.pinyinOf)).catch(() => {});
  }, [wanted]);
  return pinyinOf;
}
