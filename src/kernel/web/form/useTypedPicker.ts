import dayjs, { type Dayjs } from 'dayjs';
import { useContext, useEffect, useMemo, useState, type FocusEvent, type SyntheticEvent } from 'react';
import { TO } from './typedDay.ts';
import { TypedFault } from './typedFault.ts';
import { useUnread } from './unread.ts';
import type { Typed } from './useTyped.ts';

const textOf = ({ target, currentTarget }: SyntheticEvent): string | null =>
  target instanceof HTMLInputElement ? Array.from(currentTarget.querySelectorAll('input'), ({ value }) => value).join(TO) : null;

/** The value as the calendar takes it, the same one until it changes: of a new one it would throw away what is being typed. */
export const useCalendarDay = (text: string | null | undefined): Dayjs | null => useMemo(() => (text ? dayjs(text) : null), [text]);

/**
 * What is typed into a calendar. The library throws away what it cannot read and sends the value before it: here it stays as it was typed,
 * says why, and what it belongs to is not sent.
 * @param shown the value as the calendar shows it; of a range, with `TO` between
 */
export function useTypedPicker<T>(shown: string, read: (text: string) => Typed<T>, onChange: ((value: T | null) => void) | undefined) {
  const item = useContext(TypedFault);
  const [fault, setFault] = useState<string | null>(null);
  const [left, setLeft] = useState(true);
  useUnread(item === null ? fault : null);
  useEffect(() => {
    if (item === null) return undefined;
    item.current = fault;
    return () => {
      item.current = null;
    };
  }, [item, fault]);
  // Chosen, or set from outside.
  useEffect(() => setFault(null), [shown]);
  const hear = (text: string) => {
    const taken = read(text);
    const wrong = 'fault' in taken ? taken.fault : null;
    // The rule of the form item runs before the next render.
    if (item !== null) item.current = wrong;
    setFault(wrong);
    return taken;
  };
  return {
    /** Said once the field was left: what is being typed is no day yet. */
    told: left ? fault : null,
    /** Around the calendar, which tells nobody what is typed. */
    around: {
      onInput: (event: SyntheticEvent) => {
        const text = textOf(event);
        if (text === null) return;
        setLeft(false);
        hear(text);
      },
      onBlur: (event: FocusEvent) => {
        // From one day of a range to its other one.
        if (event.currentTarget.contains(event.relatedTarget)) return;
        const text = textOf(event);
        // What the calendar itself shows for the time being is not typed.
        if (text === null || left) return;
        setLeft(true);
        const taken = hear(text);
        // Read here, though not by the calendar.
        if (!('fault' in taken) && taken.text !== shown) onChange?.(taken.value);
      },
    },
    picker: {
      preserveInvalidOnBlur: true,
      ...(left && fault !== null && { status: 'error' as const }),
    },
    chosen: (value: T | null) => {
      if (item !== null) item.current = null;
      setFault(null);
      setLeft(true);
      onChange?.(value);
    },
  };
}
