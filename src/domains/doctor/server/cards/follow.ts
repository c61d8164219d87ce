import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Writing } from '../../../../kernel/server/context.ts';

type Acting = Writing & { now: Instant; traceId: string };

/** Something printed on the doctor's card may have changed: a card that no longer tells the truth becomes STALE and is drawn again. */
export async function refreshCard(_ctx: Acting, _doctorId: string): Promise<void> {}

/** The doctor may not be shown any more. */
export async function disableCard(_ctx: Acting, _doctorId: string): Promise<void> {}
