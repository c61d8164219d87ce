import { useEffect, useMemo, useRef } from 'react';
import { toastError } from '../feedback/toast.ts';
import { failureText } from '../http/refusal.ts';
import { useCaseState } from './caseState.ts';

const SAVE_MS = 300;
export type SaveState = 'idle' | 'saving' | 'saved' | 'failed';
export const saveLabels: Readonly<Record<SaveState, string>> = { idle: '', saving: '正在保存…', saved: '已自动保存', failed: '保存失败' };

export interface Saving<Input> {
  /**
   * What waits to be stored, returned once: asked again it answers null until something else waits. Null too where the case is not one's
   * own.
   */
  take(): Input | null;
  save(input: Input): Promise<void>;
  onState(state: SaveState): void;
  /** It could not be stored: somebody else has the case, or the line is cut. */
  onFailure(error: unknown): void;
}

/** Stores what is typed a moment after it stopped, one save after the other, in the order in which it was typed. */
export function savedWork<Input>(saving: () => Saving<Input>) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flying: Promise<boolean> | null = null;
  /** @returns whether all is stored; what was on its way counts */
  const flush = async (): Promise<boolean> => {
    clearTimeout(timer);
    // Taken at once: the operator may be at the next case before the former save has ended.
    const { take, save, onState, onFailure } = saving();
    const input = take();
    const former = flying;
    if (input === null) return former ?? true;
    onState('saving');
    flying = (async () => {
      await former;
      try {
        await save(input);
        onState('saved');
        return true;
      } catch (error) {
        onState('failed');
        onFailure(error);
        return false;
      }
    })();
    return flying;
  };
  return {
    flush,
    later: () => {
      clearTimeout(timer);
      // What was stored before says nothing of what is typed now.
      saving().onState('idle');
      timer = setTimeout(() => void flush(), SAVE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

interface CaseWork<Input> {
  caseId: string | undefined;
  take(): Input | null;
  save(input: Input): Promise<void>;
  /** Told after a failure; the case is read again, and says whose it is. */
  onLost(): void;
}

/** The same for the shown case of a desk: `state` goes beside its title, `later` after each change, `flush` before the next step. */
export function useSavedWork<Input>(work: CaseWork<Input>) {
  const [state, setState] = useCaseState<SaveState>(work.caseId, 'idle');
  const latest = useRef({ work, setState });
  latest.current = { work, setState };
  const saver = useMemo(
    () =>
      savedWork<Input>(() => {
        const now = latest.current;
        return {
          take: now.work.take,
          save: now.work.save,
          // That of the case that was shown when it was taken; of another it says nothing.
          onState: now.setState,
          onFailure(error) {
            toastError(failureText(error));
            latest.current.work.onLost();
          },
        };
      }),
    [],
  );
  useEffect(() => saver.stop, [saver]);
  return { state, later: saver.later, flush: saver.flush };
}
