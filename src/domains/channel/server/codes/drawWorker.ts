import { parentPort, workerData } from 'node:worker_threads';
import type { CodeStyle } from '../../contract/calls/codeFields.ts';
import { drawPng } from './draw.ts';

// A thread of its own for the pictures of a batch, so that the event loop stays free for calls.
const { style, logo } = workerData as { style: CodeStyle; logo: Uint8Array | null };

parentPort?.on('message', (links: readonly string[]) => {
  void (async () => {
    const pictures: (Uint8Array | string)[] = [];
    for (const link of links)
      pictures.push(await drawPng(link, style, logo === null ? null : Buffer.from(logo)).catch((error: unknown) => String(error)));
    parentPort?.postMessage(pictures);
  })();
});
