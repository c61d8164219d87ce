import { useCaseState } from './caseState.ts';

const STEP = 1.25;
const LIMITS = { min: 0.5, max: 6 };
const WHOLE = { scale: 1, turn: 0 };
const QUARTER = 90;

/** How a picture stands in its stage; what is shown anew (by another `shown`) stands whole again. */
export function useStageView(shown: string) {
  const [view, setView] = useCaseState(shown, WHOLE);
  const zoom = (by: number) => setView((now) => ({ ...now, scale: Math.min(LIMITS.max, Math.max(LIMITS.min, now.scale * by)) }));
  return {
    view,
    larger: () => zoom(STEP),
    smaller: () => zoom(1 / STEP),
    whole: () => setView(WHOLE),
    rotate: () => setView((now) => ({ ...now, turn: (now.turn + QUARTER) % (4 * QUARTER) })),
  };
}
