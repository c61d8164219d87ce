import type { Db, Tx } from '#kernel/server/context.ts';

/** Channels as the composition root lends them: orders may not ask that domain themselves. */
export interface Channels {
  names(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  byNo(db: Db | Tx, numbers: readonly string[]): Promise<ReadonlyMap<string, { id: string; name: string }>>;
}
