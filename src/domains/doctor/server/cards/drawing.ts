import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Pictures } from './draw.ts';
import type { CardFacts } from './facts.ts';

export interface Drawing {
  /** One call at a time. @throws Error when it cannot be drawn. */
  draw(facts: CardFacts, avatar: Buffer | null): Promise<Pictures>;
  close(): Promise<unknown>;
}

/** Draws cards in a thread of its own. */
export function startDrawing(): Drawing {
  const worker = new Worker(new URL('./drawWorker.ts', import.meta.url));
  return {
    async draw(facts, avatar) {
      const answer = once(worker, 'message');
      worker.postMessage({ facts, avatar });
      const [drawn] = (await answer) as [{ card: Uint8Array; poster: Uint8Array; thumb: string } | string];
      if (typeof drawn === 'string') throw new Error(drawn);
      return { card: Buffer.from(drawn.card), poster: Buffer.from(drawn.poster), thumb: drawn.thumb };
    },
    close: () => worker.terminate(),
  };
}
