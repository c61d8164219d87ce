import { create } from 'zustand';
import { useEffect } from 'react';

/** Cases as the list shows them; J and K of the drawer walk along. */
interface Queue {
  ids: readonly string[];
  /** A case of it is open: it stays as it was, although decided ones leave the list. */
  working: boolean;
}
const useStore = create<Queue>(() => ({ ids: [], working: false }));

export const useQueue = (): readonly string[] => useStore(({ ids }) => ids);
export const setWorking = (working: boolean): void => useStore.setState({ working });
/** A case that came from elsewhere (the next one of the pool) joins behind the present one. */
export const joinQueue = (id: string, after: string | undefined): void =>
  useStore.setState(({ ids }) => {
    if (ids.includes(id)) return {};
    const at = after === undefined ? -1 : ids.indexOf(after);
    return { ids: [...ids.slice(0, at + 1), id, ...ids.slice(at + 1)] };
  });

/** Tells the drawer which cases the list shows. */
export function useListedCases(ids: readonly string[]): void {
  const text = ids.join();
  useEffect(() => {
    const { working, ids: known } = useStore.getState();
    if (!working || known.length === 0) useStore.setState({ ids: text === '' ? [] : text.split(',') });
  }, [text]);
}
