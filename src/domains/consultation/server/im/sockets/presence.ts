import { sql } from 'kysely';
import type { Socket } from 'socket.io';
import { instantOf } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { NodeBus } from '#kernel/server/realtime/nodeBus.ts';
import type { UserStatus } from '../../../contract/im/types.ts';
import type { LiveSignal } from '../../../contract/im/wire.ts';

const COALESCE_MS = 5_000;
/** A connection that was not confirmed for so long is gone with its process. */
export const LOST_MS = 70_000;

export const aliveSince = (kernel: Kernel): string => instantOf(Date.parse(kernel.clock.now()) - LOST_MS);

/** Who of these has a live connection anywhere. */
export async function statusOf(db: Db, userIDs: readonly string[], since: string): Promise<UserStatus[]> {
  if (userIDs.length === 0) return [];
  const { rows } = await sql<{ imUserId: string }>`
    select distinct im_user_id
      from consultation_im_connection
      where im_user_id = any(${userIDs}::text[]) and last_seen_at > ${since}::timestamptz`.execute(db);
  const online = new Set(rows.map(({ imUserId }) => imUserId));
  return userIDs.map((userID) => ({ userID, statusType: online.has(userID) ? 'ONLINE' : 'OFFLINE' }));
}

/** Tells the subscribers of this process who came and went, at most every five seconds. */
export class Presence {
  readonly #kernel: Kernel;
  readonly #subscribers = new Map<string, Set<Socket>>();
  readonly #changed = new Set<string>();
  #bus: NodeBus | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  attach(bus: NodeBus): void {
    this.#bus = bus;
    bus.subscribe('im.presence', (userID: string) => this.#note(userID));
  }

  /** A connection of this user came or went. */
  changed(userID: string): void {
    this.#note(userID);
    this.#bus?.publish('im.presence', userID);
  }

  /** Replaces what this socket wants to hear of. */
  subscribe(socket: Socket, userIDs: readonly string[]): void {
    this.forget(socket);
    for (const userID of userIDs) this.#subscribers.set(userID, (this.#subscribers.get(userID) ?? new Set()).add(socket));
  }

  forget(socket: Socket): void {
    for (const [userID, sockets] of this.#subscribers) {
      sockets.delete(socket);
      if (sockets.size === 0) this.#subscribers.delete(userID);
    }
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#bus = null;
  }

  #note(userID: string): void {
    if (!this.#subscribers.has(userID)) return;
    this.#changed.add(userID);
    this.#timer ??= setTimeout(
      () => void this.#publish().catch((error: unknown) => this.#kernel.log.warn({ error }, 'presence could not be told')),
      COALESCE_MS,
    );
  }

  async #publish(): Promise<void> {
    this.#timer = null;
    const userIDs = [...this.#changed];
    this.#changed.clear();
    const list = await statusOf(this.#kernel.db, userIDs, aliveSince(this.#kernel));
    const bySocket = new Map<Socket, UserStatus[]>();
    for (const status of list)
      for (const socket of this.#subscribers.get(status.userID) ?? []) bySocket.set(socket, [...(bySocket.get(socket) ?? []), status]);
    for (const [socket, own] of bySocket) socket.emit('live', { type: 'presence', list: own } satisfies LiveSignal);
  }
}
