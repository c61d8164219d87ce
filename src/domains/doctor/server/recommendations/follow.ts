import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Writing } from '../../../../kernel/server/context.ts';

/** Takes a doctor off all positions, by the system. */
export async function offRecommendations(_ctx: Writing & { now: Instant; traceId: string }, _doctorId: string, _opinion: string): Promise<void> {}
