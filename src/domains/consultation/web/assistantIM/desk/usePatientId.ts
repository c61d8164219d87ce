import { useDeskState } from './useDesk.ts';

/** The person that the conversation is about, once its inquiry says so. */
export function usePatientId(): string | null {
  const person = useDeskState((state) => state.chat?.sections.person);
  return person?.state === 'ready' ? (person.data as { inquiryUserId: string }).inquiryUserId : null;
}
