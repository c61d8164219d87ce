import { useCallback, useEffect, useRef, useState } from 'react';

/** Disables a button for `ms` (3 s) after a click. */
export function useAntiDoubleClick(ms = 3000) {
  const [blocked, setBlocked] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const block = useCallback(() => {
    setBlocked(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setBlocked(false), ms);
  }, [ms]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return { blocked, block };
}
