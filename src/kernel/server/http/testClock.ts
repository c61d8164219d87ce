import type { FastifyInstance } from 'fastify';
import { dayOf } from '../../contract/time.ts';
import type { MovableClock } from '../clock.ts';
import type { DueRunner } from '../jobs/runDue.ts';

/**
 * Mode `test` only: `POST /test/clock {advanceMs}` moves the time and runs what falls due; committed work runs
 * at once, one piece after another.
 */
export function registerTestClock(app: FastifyInstance, clock: MovableClock, due: DueRunner) {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const after = (work: () => Promise<void>) => {
    running = running
      .then(() => (stopped ? undefined : work()))
      .catch((error: unknown) => {
        app.log.error(error);
      });
    return running;
  };

  app.post<{ Body: { advanceMs?: number } }>('/test/clock', async (request) => {
    await after(() => due.advance(request.body.advanceMs ?? 0));
    return { now: clock.now(), today: dayOf(clock.now()) };
  });

  return {
    /** What the start published is delivered meanwhile. */
    start: async () => void after(() => due.runDue()),
    // Its own commits without events wake it not again.
    wake: (published) => void (published && after(() => due.runDue())),
    async stop() {
      stopped = true;
      await running;
    },
  };
}
