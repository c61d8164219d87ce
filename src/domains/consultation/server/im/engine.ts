import type { Kernel } from '#kernel/server/kernel.ts';
import { imLimits, type ImLimits } from '../../contract/im/limits.ts';
import { ConversationNames } from './conversations/conversations.ts';
import { standAlone, type ImHooks } from './hooks.ts';
import { Hub } from './sockets/hub.ts';
import { Presence } from './sockets/presence.ts';
import { ReadReports } from './conversations/reading.ts';
import { SendQueue } from './messages/sendQueue.ts';

/** Application id that stands in user signs of the embedded service. */
export const EMBEDDED_APP_ID = 1_400_000_001;

/** The chat of one process. */
export interface ImEngine {
  readonly kernel: Kernel;
  limits: ImLimits;
  hooks: ImHooks;
  readonly hub: Hub;
  readonly names: ConversationNames;
  readonly presence: Presence;
  readonly queue: SendQueue;
  readonly reads: ReadReports;
}

const engines = new WeakMap<Kernel, ImEngine>();

/** The engine of a kernel; made at the first call, the same ever after. */
export function imEngine(kernel: Kernel): ImEngine {
  const known = engines.get(kernel);
  if (known) return known;
  const parts = {
    kernel,
    limits: imLimits,
    hooks: standAlone,
    hub: new Hub(),
    names: new ConversationNames(),
    presence: new Presence(kernel),
    reads: new ReadReports(kernel),
  };
  // The queue reads limits and hooks through the engine, so that both may be set later.
  const engine: ImEngine = Object.assign(parts, { queue: new SendQueue(kernel, parts) });
  engines.set(kernel, engine);
  return engine;
}

/** Fills what the domain adds to the store; what is not given keeps its default. */
export function useImHooks(kernel: Kernel, hooks: Partial<ImHooks>): void {
  const engine = imEngine(kernel);
  engine.hooks = { ...engine.hooks, ...hooks };
}
