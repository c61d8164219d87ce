import { randomUUID } from 'node:crypto';
import type { Server } from 'socket.io';
import { Topics, type NodeBus } from './nodeBus.ts';

/** Over the stream that the sockets' adapter shares already. */
export function redisBus(io: Server): NodeBus {
  const node = randomUUID().slice(0, 8);
  const topics = new Topics();
  io.on('bus', (from: string, topic: string, payload: unknown) => topics.deliver(topic, payload, from));
  return {
    node,
    publish: (topic, payload) => void io.serverSideEmit('bus', node, topic, payload),
    subscribe: (topic, hear) => topics.subscribe(topic, hear),
    close: async () => {},
  };
}
