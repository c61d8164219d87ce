import { dayOf, type Day, type Instant } from '../../../kernel/contract/time.ts';
import type { Staff } from '../../../kernel/server/context.ts';

/** Whoever reads a queue: what he sees, and what he may do with a case. */
export interface QueueReader {
  staff: Staff;
  now: Instant;
  today: Day;
  has(permission: string | { code: string }): boolean;
}

/** Exports have no request around them. */
export const readerOf = ({ staff, now }: { staff: Staff; now: Instant }): QueueReader => ({
  staff,
  now,
  today: dayOf(now),
  has: (permission) => staff.permissions.has(typeof permission === 'string' ? permission : permission.code),
});

export interface Slice {
  limit: number;
  offset: number;
}

const CHUNK = 1_000;
/** All rows of a queue, as its list shows them. */
export async function* chunksOf<Row>(read: (slice: Slice) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let offset = 0; ; offset += CHUNK) {
    const rows = await read({ limit: CHUNK, offset });
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
  }
}
