import { useEffect, useRef } from 'react';
import type { Socket } from 'socket.io-client';
import { forgetLost, noteLost, noteReached } from '../http/patience.ts';
import { noteBuild } from '../http/version.ts';
import { endSession } from '../session/expiry.ts';
import { callerOf } from '../session/store.ts';

type Hear = (payload: unknown) => void;
const listeners = new Map<string, Set<Hear>>();
let socket: Socket | undefined;
/** Counts openings and closings, so that a channel closed while its code was on the way is not opened. */
let era = 0;
let isOpen = false;

function deliver(topic: string, payload: unknown): void {
  if (topic === 'build') noteBuild((payload as { buildId?: string } | null)?.buildId);
  if (topic === 'sessionEnded') endSession((payload as { message: string }).message);
  for (const hear of listeners.get(topic) ?? []) hear(payload);
}

/** Opens the channel after login; its code is fetched only then. A refused or lost channel tries again by itself. */
export function openChannel(): void {
  if (isOpen) return;
  isOpen = true;
  const mine = ++era;
  import('socket.io-client')
    .then(({ io }) => {
      if (mine !== era) return;
      socket = io({
        transports: ['websocket'],
        // Read at every (re)connection: the token rotates.
        auth: (give) => {
          const { authorization, opNo, userRoleMenu } = callerOf();
          give({ token: authorization, opNo, userRoleMenu });
        },
        reconnectionDelay: 1000,
        reconnectionDelayMax: 30_000,
      });
      socket.onAny(deliver);
      socket.on('connect', () => {
        noteReached();
        deliver('connected', null);
      });
      socket.on('disconnect', (reason) => {
        // Whom the server sends away, its session's end tells.
        if (reason !== 'io server disconnect' && reason !== 'io client disconnect') noteLost();
      });
    })
    .catch(() => {
      if (mine === era) isOpen = false;
    });
}

/** Leaves the channel (logout). */
export function closeChannel(): void {
  era += 1;
  isOpen = false;
  socket?.disconnect();
  socket = undefined;
  forgetLost();
}

/** Whether pushes arrive; pages that must not wait ask by themselves while they do not. */
export const isChannelOpen = (): boolean => socket?.connected ?? false;

/** Hears a topic while the component is shown. `connected` is heard after every (re)connection: ask again then. */
export function useTopic<P>(topic: string, hear: (payload: P) => void): void {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const listener: Hear = (payload) => latest.current(payload as P);
    const there = listeners.get(topic) ?? new Set();
    there.add(listener);
    listeners.set(topic, there);
    return () => void there.delete(listener);
  }, [topic]);
}
