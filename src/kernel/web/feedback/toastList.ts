import type { ReactNode } from 'react';
import { create } from 'zustand';
import type { Show } from './toast.ts';

interface Shown {
  id: number;
  kind: Parameters<Show>[0];
  content: ReactNode;
}

let nextId = 1;

/** What is shown now. Each lives its own time, however many follow. */
export const useToastList = create<{ shown: readonly Shown[] }>(() => ({ shown: [] }));

export const showToast: Show = (kind, content, seconds) => {
  const id = nextId++;
  useToastList.setState(({ shown }) => ({ shown: [...shown, { id, kind, content }] }));
  setTimeout(() => useToastList.setState(({ shown }) => ({ shown: shown.filter((entry) => entry.id !== id) })), seconds * 1000);
};
