import type { Logger } from '../logger.ts';
import { isAway } from './away.ts';

/** Farewells of connections that were lost before the database came back still arrive for so long. */
const LATE_MS = 5_000;

export interface OutageLog extends Logger {
  /** A connection to the database was opened. */
  reached(): void;
}

/**
 * A log in which the database's absence is one line when it begins and one when it ends, however many calls, jobs and connections report
 * it meanwhile; the last line says how many did.
 * @param elapsed milliseconds on a clock that only goes forward.
 */
export function outageLog(log: Logger, elapsed: () => number = () => performance.now()): OutageLog {
  let began: number | null = null;
  let reachedAt = -Infinity;
  let left = 0;
  const through = (write: Logger['warn']) => (facts: object, message: string) => {
    if (!('error' in facts && isAway(facts.error))) return write(facts, message);
    if (began === null && elapsed() - reachedAt < LATE_MS) return;
    if (began !== null) return void (left += 1);
    began = elapsed();
    left = 0;
    log.error({ error: facts.error, first: message }, 'The database is not reached; what fails by it is not logged until it is back');
  };
  return {
    info: (facts, message) => log.info(facts, message),
    warn: through((facts, message) => log.warn(facts, message)),
    error: through((facts, message) => log.error(facts, message)),
    reached() {
      reachedAt = elapsed();
      if (began === null) return;
      log.info({ seconds: Math.round((reachedAt - began) / 100) / 10, notLogged: left }, 'The database is reached again');
      began = null;
    },
  };
}
