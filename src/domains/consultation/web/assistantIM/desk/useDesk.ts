import { createContext, use, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { GroupRow } from '../../../contract/calls/shared.ts';
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

/** Group of the open conversation as the queue knows it; null for single chats. */
export const useGroup = (): GroupRow | null =>
  useDeskState((state) => (state.chat ? (state.groups.get(state.chat.chosen.conversationID.slice(5)) ?? null) : null));

/** The person that the conversation is about, once its inquiry says so. */
export function usePatientId(): string | null {
  const person = useDeskState((state) => state.chat?.sections.person);
  return person?.state === 'ready' ? (person.data as { inquiryUserId: string }).inquiryUserId : null;
}
