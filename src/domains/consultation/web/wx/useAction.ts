import { useRef, useState } from 'react';

/** Runs one action at a time and keeps what it was refused with. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const running = useRef(false);
  const run = async (action: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setFault(null);
    try {
      await action();
      return true;
    } catch (error) {
      setFault(error instanceof Error && error.message ? error.message : '操作未完成，请稍后重试');
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, fault, setFault, run };
}
