import type { Socket } from 'socket.io';
import type { NodeBus } from '#kernel/server/realtime/nodeBus.ts';
import { NAMESPACE, type KickReason, type LiveSignal, type SignLife, type WireEvent, type WireMessage } from '../../../contract/im/wire.ts';

/** One user's numbered event; a message is named by its place among the parcel's, so that it travels once. */
export interface Delivery {
  to: string;
  n: number;
  message?: number;
  event?: WireEvent;
}

/** What one commit tells the sockets. */
export interface Parcel {
  messages: WireMessage[];
  deliveries: Delivery[];
  /** Conversation id → places of its messages, for those who watch. */
  watched?: [convId: string, messages: number[]][];
  /** A message that says something else now, or nothing any more, for those who watch its conversation. */
  changed?: [convId: string, message: WireMessage];
}

/** Whose sockets end; the narrower, the more is said. */
interface Kick {
  userID: string;
  /** What they are told; null = nothing. */
  reason: KickReason | null;
  clientId: string | null;
  /** Only those whose sign is not younger. */
  issuedBy: number | null;
}

/** Head of an event on the namespace, as Socket.IO frames it. */
const EVENT_FRAME = `2${NAMESPACE},`;

/** In the order of the commits, but after what waits to be sent to the database: it works while the sockets are written. */
const writeSoon = (word: () => void): void => void setImmediate(word);

/** Sockets of this process by user, and the way to those of the others. */
export class Hub {
  readonly #sockets = new Map<string, Set<Socket>>();
  readonly #watchers = new Map<string, Set<Socket>>();
  #bus: NodeBus | null = null;

  attach(bus: NodeBus): void {
    this.#bus = bus;
    bus.subscribe('im.parcel', (parcel: Parcel) => this.#deliverHere(parcel));
    bus.subscribe('im.live', ({ to, signal }: { to: string[]; signal: LiveSignal }) => this.liveHere(to, signal));
    bus.subscribe('im.kick', ({ userID, ...which }: Kick) => this.#kickHere(userID, which));
  }

  get node(): string {
    return this.#bus?.node ?? 'alone';
  }

  detach(): void {
    this.#bus = null;
  }

  add(userID: string, socket: Socket): void {
    const own = this.#sockets.get(userID) ?? new Set();
    own.add(socket);
    this.#sockets.set(userID, own);
  }

  remove(userID: string, socket: Socket): void {
    const own = this.#sockets.get(userID);
    own?.delete(socket);
    if (own?.size === 0) this.#sockets.delete(userID);
    for (const [convId, watchers] of this.#watchers) {
      watchers.delete(socket);
      if (watchers.size === 0) this.#watchers.delete(convId);
    }
  }

  watch(convId: string, socket: Socket, on: boolean): void {
    const watchers = this.#watchers.get(convId) ?? new Set();
    if (on) watchers.add(socket);
    else watchers.delete(socket);
    if (watchers.size > 0) this.#watchers.set(convId, watchers);
    else this.#watchers.delete(convId);
  }

  users(): string[] {
    return [...this.#sockets.keys()];
  }

  socketsOf(userID: string): ReadonlySet<Socket> {
    return this.#sockets.get(userID) ?? new Set();
  }

  /** After a commit: the same to the sockets here and to the other processes. */
  deliver(parcel: Parcel): void {
    writeSoon(() => {
      this.#deliverHere(parcel);
      this.#bus?.publish('im.parcel', parcel);
    });
  }

  live(to: readonly string[], signal: LiveSignal): void {
    writeSoon(() => {
      this.liveHere(to, signal);
      this.#bus?.publish('im.live', { to, signal });
    });
  }

  /** Ends a user's sockets whose signs were issued up to then. */
  kickSigned(userID: string, reason: KickReason, issuedBy: number): void {
    const which = { reason, clientId: null, issuedBy };
    writeSoon(() => {
      this.#kickHere(userID, which);
      this.#bus?.publish('im.kick', { userID, ...which } satisfies Kick);
    });
  }

  /** Ends the sockets of one client in the other processes, without a word. */
  kickElsewhere(userID: string, clientId: string): void {
    this.#bus?.publish('im.kick', { userID, reason: null, clientId, issuedBy: null } satisfies Kick);
  }

  #deliverHere({ messages, deliveries, watched, changed }: Parcel): void {
    // Everybody hears the same message under a number of his own: it is written as JSON once, and each account gets one frame.
    const texts: string[] = [];
    const bodies = new Map<string, string[]>();
    for (const { to, n, message, event } of deliveries) {
      if (!this.#sockets.has(to)) continue;
      const body =
        message === undefined
          ? JSON.stringify(event)
          : `{"n":${n},"type":"msg","message":${(texts[message] ??= JSON.stringify(messages[message]))}}`;
      const own = bodies.get(to);
      if (own) own.push(body);
      else bodies.set(to, [body]);
    }
    for (const [to, own] of bodies) {
      const frame = `${EVENT_FRAME}["ev",${own.length === 1 ? own[0] : `[${own.join(',')}]`}]`;
      for (const socket of this.#sockets.get(to) ?? []) if (socket.connected) socket.conn.write(frame);
    }
    for (const [convId, places] of watched ?? []) {
      for (const socket of this.#watchers.get(convId) ?? []) {
        for (const place of places) socket.emit('live', { type: 'watchMsg', message: messages[place]! } satisfies LiveSignal);
      }
    }
    if (changed)
      for (const socket of this.#watchers.get(changed[0]) ?? [])
        socket.emit('live', { type: 'watchChanged', message: changed[1] } satisfies LiveSignal);
  }

  /** The same for the sockets of this process alone. */
  liveHere(to: readonly string[], signal: LiveSignal): void {
    // A lost word of typing does no harm; a lost offer of a call would.
    for (const userID of to)
      for (const socket of this.#sockets.get(userID) ?? []) (signal.type === 'typing' ? socket.volatile : socket).emit('live', signal);
  }

  #kickHere(userID: string, { reason, clientId, issuedBy }: Omit<Kick, 'userID'>): void {
    for (const socket of this.#sockets.get(userID) ?? []) {
      const known = socket.data as { clientId?: string; sign?: SignLife };
      if (clientId !== null && known.clientId !== clientId) continue;
      if (issuedBy !== null && known.sign !== undefined && known.sign.issuedAt > issuedBy) continue;
      if (reason) socket.emit('kicked', { reason });
      socket.disconnect(true);
    }
  }
}
