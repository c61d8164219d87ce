import type { FoundPage } from './topMenu.ts';

/** Full reading and initials of a Chinese text, lower case without blanks. */
export type PinyinOf = (text: string) => { full: string; initials: string };

/** Whether a page answers to what was typed: part of its title or trail, its pinyin, or the initials. */
export function matches(page: Pick<FoundPage, 'title' | 'trail' | 'path'>, typed: string, pinyinOf: PinyinOf | null): boolean {
  const wanted = typed.trim().toLowerCase().replaceAll(/\s+/g, '');
  if (wanted === '') return true;
  const title = page.title.toLowerCase();
  if (title.includes(wanted) || page.path.toLowerCase().includes(wanted) || page.trail.join('').toLowerCase().includes(wanted)) return true;
  if (!pinyinOf || !/^[a-z0-9]+$/.test(wanted)) return false;
  const { full, initials } = pinyinOf(page.title);
  return full.includes(wanted) || initials.includes(wanted);
}

/** Order of what was found: the title itself, a title that begins with the word, one that contains it, the rest. */
export function rankOf({ title }: Pick<FoundPage, 'title'>, typed: string): number {
  const wanted = typed.trim().toLowerCase();
  const name = title.toLowerCase();
  if (wanted === '' || name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  return name.includes(wanted) ? 2 : 3;
}
