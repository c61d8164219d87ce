import { sql } from 'kysely';
import type { Instant } from '../../contract/time.ts';
import type { Kernel } from '../kernel.ts';
import type { JobDeclaration } from './declaration.ts';

/** When jobs that repeat themselves ended well last, kept for whoever asks whether one is late. */
export interface Successes {
  /** To be written with the next `write`: some run every second. */
  note(declaration: JobDeclaration<never>): void;
  writeNow(declaration: JobDeclaration<never>): Promise<void>;
  /** Writes what was noted, in one statement; the first time also which jobs there are. */
  write(): Promise<void>;
}

export function noteSuccesses(kernel: Kernel, jobs: ReadonlyMap<string, JobDeclaration<never>>): Successes {
  const noted = new Map<string, Instant>();
  const known = [...jobs.values()].filter(({ cron, everySeconds }) => cron ?? everySeconds).map(({ name }) => name);
  let areKnown = false;

  async function write(done: ReadonlyMap<string, Instant>): Promise<void> {
    const names = areKnown ? [...done.keys()] : known;
    if (names.length === 0) return;
    await sql`
      insert into kernel_job_state as s (name, known_since, succeeded_at)
        select name, ${kernel.clock.now()}, at::timestamptz
          from unnest(${names}::text[], ${names.map((name) => done.get(name) ?? null)}::text[]) as d (name, at)
          order by name
        on conflict (name) do update set succeeded_at = greatest(s.succeeded_at, excluded.succeeded_at)
          where excluded.succeeded_at is not null`.execute(kernel.db);
    areKnown = true;
  }

  return {
    note: ({ name }) => void noted.set(name, kernel.clock.now()),
    writeNow: ({ name }) => write(new Map([[name, kernel.clock.now()]])),
    async write() {
      const done = new Map(noted);
      await write(done);
      for (const [name, at] of done) if (noted.get(name) === at) noted.delete(name);
    },
  };
}
