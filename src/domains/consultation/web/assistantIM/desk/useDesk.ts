import { createContext, use, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { Desk } from './desk.ts';
import type { DeskState } from './state.ts';

export const DeskContext = createContext<Desk | null>(null);

export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (!desk) throw new Error('No desk around this component');
  return desk;
}
export const useDeskState = <T>(select: (state: DeskState) => T): T => useStore(useDesk().store, select);

/** The time, again every `ms`; for limits that run down. */
export function useNow(ms = 1000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return now;
}
