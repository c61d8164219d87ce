import type { Kernel } from '../kernel.ts';
import type { Instant } from '../../contract/time.ts';
import type { Tx, Writing } from '../context.ts';
import type { LogNotes } from '../http/context.ts';
import type { Lanes } from './lanes.ts';
import { writeEvent, writeEvents } from '../outbox/publish.ts';

/** What the kernel does for a transaction: knows the consumers of events and adds jobs to the queue. */
export interface WritingMechanisms {
  consumersOf(eventName: string): readonly string[];
  addJob(tx: Tx, name: string, data: object, options: { startAfter: Instant; singletonKey?: string }): Promise<void>;
  /** Turns of whoever opens a transaction. */
  lanes: Lanes;
  /** Called after a commit that left events or jobs, so that nobody waits for the next poll. */
  wake(published: boolean): void;
}

export interface OpenWriting {
  writing: Writing;
  /** Runs what waits for the commit; failures are logged. */
  committed(): Promise<void>;
}

type Work = () => void | Promise<void>;
const waiting = new WeakMap<Tx, (work: Work) => void>();

/** What waits for the commit of a transaction that the caller knows by its handle alone; for ports of the kernel. */
export function afterCommitOf(tx: Tx, work: Work): void {
  const wait = waiting.get(tx);
  if (!wait) throw new Error('no transaction of a command, job or consumer');
  wait(work);
}

/** Binds the writing mechanisms to one transaction. A retried transaction gets a new one, with fresh notes. */
export function openWriting(
  kernel: Kernel,
  mechanisms: WritingMechanisms,
  tx: Tx,
  facts: { now: Instant; traceId: string; notes: LogNotes },
): OpenWriting {
  const afterCommit: Work[] = [];
  waiting.set(tx, (work) => void afterCommit.push(work));
  let published = false;
  return {
    writing: {
      tx,
      async publish(event, aggregateId, payload) {
        published = true;
        await writeEvent(tx, mechanisms.consumersOf(event.name), event, {
          aggregateId,
          payload,
          at: facts.now,
          traceId: facts.traceId,
        });
      },
      async publishMany(event, all) {
        published = true;
        await writeEvents(tx, mechanisms.consumersOf(event.name), event, all, { at: facts.now, traceId: facts.traceId });
      },
      async enqueue(job, data, options) {
        published = true;
        await mechanisms.addJob(tx, job.name, data, {
          startAfter: options?.startAfter ?? facts.now,
          ...(options?.singletonKey ? { singletonKey: options.singletonKey } : {}),
        });
      },
      target: (target) => void facts.notes.targets.push(target),
      changed: (differences) => void facts.notes.differences.push(...differences),
      afterCommit: (work) => void afterCommit.push(work),
    },
    async committed() {
      mechanisms.wake(published);
      for (const action of afterCommit) {
        try {
          await action();
        } catch (error) {
          kernel.log.error({ error, traceId: facts.traceId }, 'work after a commit failed');
        }
      }
    },
  };
}
