import { lockKeys } from '../command/lockKeys.ts';
import { sql } from 'kysely';
import type { Db, Tx, Writing } from '../context.ts';
import type { Kernel } from '../kernel.ts';

/** What a start leaves behind of something that it wrote: the same value means that nothing is to do. */
export interface Mark {
  name: string;
  value: string;
}

/** Values of the marks with these names. */
export async function readMarks(db: Db, prefix: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; value: string }>`
    select name, value from kernel_setting where starts_with(name, ${prefix})`.execute(db);
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Waits for its turn as long as another process writes: the limits of requests hold no start. */
async function waitForOtherStarts(tx: Tx): Promise<void> {
  await sql`
    select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx);
  // Any process of a deployment may start first; the others wait here and then find everything written.
  await lockKeys(tx, 'kernel.start');
}

/**
 * Runs `work` unless its mark exists, in one transaction with the mark: a start that is interrupted leaves all of it or nothing.
 * Of processes that start together one writes and the others wait.
 * @returns whether it ran.
 */
export function writeOnce(kernel: Kernel, { name, value }: Mark, work: (writing: Writing) => Promise<void>): Promise<boolean> {
  return kernel.transactions.run('start', async (writing) => {
    const { tx } = writing;
    await waitForOtherStarts(tx);
    if ((await readMarks(tx, name)).get(name) === value) return false;
    await work(writing);
    await sql`
      insert into kernel_setting (name, value, at) values (${name}, ${value}, ${kernel.clock.now()})
      on conflict (name) do update set value = excluded.value, at = excluded.at`.execute(tx);
    return true;
  });
}
