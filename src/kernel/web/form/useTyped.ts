import { useContext, useEffect, useState } from 'react';
import { TypedFault } from './typedFault.ts';
import { useUnread } from './unread.ts';

/** What was typed: a value with its text, or the reason why it is none. */
export type Typed<T> = { value: T | null; text: string } | { fault: string };

interface TypedOptions<T> {
  /** As the field shows it when nobody types. */
  shown: string;
  /** Whether a value was set from outside that is not what an unread text left behind. */
  isSet: boolean;
  read(typed: string): Typed<T>;
  onChange?(value: T | null): void;
}

/**
 * The text of a field that holds something else than text. What cannot be read is not taken: it stays as it was typed, says why, and what
 * it belongs to is not sent.
 */
export function useTyped<T>({ shown, isSet, read, onChange }: TypedOptions<T>) {
  /** As it is being typed; null: as the value is. */
  const [typing, setTyping] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const item = useContext(TypedFault);
  // Set from outside since. Some forms make zero of nothing: that replaces nothing.
  const isReplaced = fault !== null && isSet;
  const shownFault = isReplaced ? null : fault;
  useUnread(item === null ? shownFault : null);
  useEffect(() => {
    if (item === null) return undefined;
    item.current = shownFault;
    return () => {
      item.current = null;
    };
  }, [item, shownFault]);
  return {
    text: isReplaced ? shown : (typing ?? shown),
    /** Said at the field itself where no form item says it. */
    told: item === null ? shownFault : null,
    isFaulty: shownFault !== null,
    type(typed: string): void {
      const taken = read(typed);
      const wrong = 'fault' in taken ? taken.fault : null;
      // The rule of the form item runs before the next render.
      if (item !== null) item.current = wrong;
      setFault(wrong);
      setTyping('fault' in taken ? typed : taken.text);
      // The value before it is not sent in its place.
      onChange?.('fault' in taken ? null : taken.value);
    },
    leave(): void {
      if (fault === null) setTyping(null);
    },
  };
}
