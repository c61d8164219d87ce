import { useEffect, useRef } from 'react';
import { create } from 'zustand';

/** Something that the finder of the shell leads to. */
export interface Found {
  key: string;
  title: string;
  /** Said at the right: where it stands, or its keys. */
  trail: string;
  act(): void;
}

/** What the page that is shown can find besides (conversations); the best first, few of them. */
type Finder = (text: string) => readonly Found[];

export const useFinders = create<{ finders: readonly { find: Finder }[] }>(() => ({ finders: [] }));

/** Lets Ctrl+K find things of the page as long as it is shown. */
export function useFinder(find: Finder): void {
  const latest = useRef(find);
  latest.current = find;
  useEffect(() => {
    const finder = { find: (text: string) => latest.current(text) };
    useFinders.setState(({ finders }) => ({ finders: [...finders, finder] }));
    return () => useFinders.setState(({ finders }) => ({ finders: finders.filter((one) => one !== finder) }));
  }, []);
}
