import { platformErrors, refuse } from '../../contract/errors.ts';
import type { Call } from '../../contract/call.ts';
import { KeyedTurns, NoTurn, Turns } from './concurrency.ts';

/** Of one record so many commands hold a connection: one works, the next stand ready at the lock. The rest waits in memory. */
const PER_RECORD = 3;
const WAITING_PER_RECORD = 100;
/** A command that has no turn by then is asked to try again. */
const PATIENCE_MS = 5_000;

/**
 * Who may hold the pool's connections in transactions, which may wait for locks of others: commands two fifths of them, jobs, consumers
 * and sockets three tenths. The rest is always there for sessions, reads and the log of refused calls, whoever waits for what.
 */
export interface Lanes {
  /** @throws Refusal SCM90061 */
  command<T>(record: string | null, work: () => Promise<T>): Promise<T>;
  background<T>(work: () => Promise<T>): Promise<T>;
}

export function makeLanes(connections: number): Lanes {
  const share = (part: number) => Math.max(1, Math.floor(connections * part));
  const records = new KeyedTurns(() => new Turns(PER_RECORD, WAITING_PER_RECORD));
  const commands = new Turns(share(0.4));
  const background = new Turns(share(0.3));
  return {
    async command(record, work) {
      const until = performance.now() + PATIENCE_MS;
      const done: (() => void)[] = [];
      try {
        if (record !== null) done.push(await records.take(record, PATIENCE_MS));
        done.push(await commands.take(until - performance.now()));
      } catch (error) {
        for (const end of done) end();
        if (error instanceof NoTurn) throw refuse(platformErrors.BUSY);
        throw error;
      }
      try {
        return await work();
      } finally {
        for (const end of done.toReversed()) end();
      }
    },
    async background(work) {
      const done = await background.take(null);
      return work().finally(done);
    },
  };
}

const NAMES_RECORD = /^id$|Id$|No$/;

/**
 * What a command is about, as far as its input says: the service and the ids in it; where there are none, the number under which it was
 * asked, so that a request that is sent many times waits for itself.
 */
export function recordOfCommand(call: Call, input: unknown, idempotencyKey: string | null): string | null {
  const ids = Object.entries(typeof input === 'object' && input !== null ? input : {}).filter(
    ([name, value]) => NAMES_RECORD.test(name) && typeof value === 'string',
  );
  if (ids.length > 0) return `${call.service} ${JSON.stringify(ids)}`;
  return idempotencyKey === null ? null : `${call.name} ${idempotencyKey}`;
}
