import { parentPort } from 'node:worker_threads';
import { drawCard } from './draw.ts';
import type { CardFacts } from './facts.ts';

// A thread of its own for the pictures of cards, so that the event loop stays free for calls.
parentPort?.on('message', ({ facts, avatar }: { facts: CardFacts; avatar: Uint8Array | null }) => {
  void drawCard(facts, avatar === null ? null : Buffer.from(avatar))
    .catch((error: unknown) => String(error))
    .then((answer) => parentPort?.postMessage(answer));
});
