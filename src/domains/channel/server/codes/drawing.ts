import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';

export interface Drawing {
  /** Pictures in the order of the links; an Error where one could not be drawn. One call at a time. */
  draw(links: readonly string[]): Promise<(Buffer | Error)[]>;
  close(): Promise<unknown>;
}

/** Draws the codes of a batch in a thread of its own. */
export function startDrawing(style: CodeStyle, logo: Buffer | null): Drawing {
  const worker = new Worker(new URL('./drawWorker.ts', import.meta.url), { workerData: { style, logo } });
  return {
    async draw(links) {
      const answer = once(worker, 'message');
      worker.postMessage(links);
      const [pictures] = (await answer) as [(Uint8Array | string)[]];
      return pictures.map((picture) => (typeof picture === 'string' ? new Error(picture) : Buffer.from(picture)));
    },
    close: () => worker.terminate(),
  };
}
