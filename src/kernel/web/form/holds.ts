import { createContext, useContext, useEffect, useId } from 'react';

/** Why a form cannot be submitted yet: a file is on its way, or one could not be stored. */
export type Hold = 'sending' | 'failed';

/** Told by the fields of a form; null = nothing (any more). */
export const HoldContext = createContext<((field: string, hold: Hold | null) => void) | null>(null);

/** Keeps the form around from being submitted: what is still on its way would be missing in the record. */
export function useHold(hold: Hold | null): void {
  const setHold = useContext(HoldContext);
  const field = useId();
  useEffect(() => {
    if (!setHold || !hold) return undefined;
    setHold(field, hold);
    return () => setHold(field, null);
  }, [setHold, field, hold]);
}

/** The message when the operator submits too early; null = nothing holds. */
export function holdText(holds: Iterable<Hold>): string | null {
  const all = new Set(holds);
  if (all.has('sending')) return '文件正在上传，请等上传完成后再提交';
  return all.has('failed') ? '有文件未上传成功，请重试或移除后再提交' : null;
}
