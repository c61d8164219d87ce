import { io, type Socket } from 'socket.io-client';
import { ImError, imCodes, imError } from '../../../contract/im/codes.ts';
import {
  type Answers,
  type KickReason,
  type LiveSignal,
  NAMESPACE,
  PROTOCOL,
  type Ready,
  type RequestName,
  type SignLife,
  type WireEvent,
} from '../../../contract/im/wire.ts';

/** What a connection tells the core; a tab that does not lead hears the same from the one that does. */
export type LinkEvent =
  | { type: 'state'; state: 'connecting' | 'disconnected' }
  | { type: 'ready'; ready: Ready }
  | { type: 'ev'; event: WireEvent }
  | { type: 'tick'; n: number }
  | { type: 'live'; signal: LiveSignal }
  | { type: 'kicked'; reason: KickReason };

/** The way to the chat service. */
export interface Link {
  /** @throws ImError with the service's number, or one of the network. */
  request<N extends RequestName>(name: N, data: unknown, timeoutMs?: number): Promise<Answers[N]>;
  /** Sent when there is a connection, else forgotten. */
  typing(data: unknown): void;
  readonly isOpen: boolean;
  close(): void;
}

export type LinkListener = (event: LinkEvent) => void;

const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/** Pause before the next try to connect: half a second, doubled up to ten, half more or less by chance. */
const pauseBefore = (tries: number, chance: () => number = Math.random): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 10)) * (0.5 + chance());

export interface SocketFacts {
  /** Origin of the service; empty for the page's own. */
  address: string;
  userID: string;
  sdkAppID: number;
  device: 'console' | 'wx' | 'bot';
  clientId: string;
  /** Read at every (re)connection. */
  userSig(): string;
  cursor(): number | null;
  /** A new sign, before this one is over or where the service refused it; null when there is none to be had. */
  renewSign?: (() => Promise<string | null>) | undefined;
}

const ANSWER_MS = 10_000;
/** Part of a sign's life after which a new one is asked for. */
const RENEW_AT = 0.8;
const RENEW_AGAIN_MS = 60_000;
/** Longest pause that a timer can wait. */
const TIMER_MS = 2 ** 31 - 1;

/** The connection of the leading tab. It comes back by itself after jittered pauses, never after being kicked out. */
export class SocketLink implements Link {
  readonly #socket: Socket;
  readonly #facts: SocketFacts;
  readonly #listen: LinkListener;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #renewal: ReturnType<typeof setTimeout> | null = null;
  #closed = false;
  #renewed = false;
  #ready = false;
  readonly #waiting = new Set<(error: ImError) => void>();

  constructor(facts: SocketFacts, listen: LinkListener) {
    this.#facts = facts;
    this.#listen = listen;
    const { userID, sdkAppID, device, clientId } = facts;
    this.#socket = io(`${facts.address}${NAMESPACE}`, {
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      autoConnect: false,
      auth: (give) =>
        give({
          v: PROTOCOL,
          userID,
          sdkAppID,
          device,
          clientId,
          userSig: facts.userSig(),
          ...(facts.cursor() === null ? {} : { cursor: facts.cursor() }),
        }),
    });
    this.#hear();
    listen({ type: 'state', state: 'connecting' });
    this.#socket.connect();
  }

  get isOpen(): boolean {
    return this.#ready;
  }

  async request<N extends RequestName>(name: N, data: unknown, timeoutMs = ANSWER_MS): Promise<Answers[N]> {
    if (!this.#ready) throw imError('OFFLINE');
    let drop: ((error: ImError) => void) | undefined;
    // A broken connection ends the wait at once; the answer may have been lost after the deed, which is why sends can be repeated.
    const lost = new Promise<never>((_, reject) => {
      drop = reject;
      this.#waiting.add(reject);
    });
    const answered = this.#socket
      .timeout(timeoutMs)
      .emitWithAck(name, data)
      .catch(() => {
        throw imError('NO_ANSWER');
      }) as Promise<{ code: 0; data: Answers[N] } | { code: number; message: string; data?: unknown }>;
    try {
      const answer = await Promise.race([answered, lost]);
      if ('message' in answer) throw new ImError(answer.code, answer.message, answer.data);
      return answer.data;
    } finally {
      answered.catch(() => {});
      if (drop) this.#waiting.delete(drop);
    }
  }

  typing(data: unknown): void {
    if (this.#ready) this.#socket.volatile.emit('typing', data);
  }

  /** Ends the connection as a lost network would; the link comes back. */
  cut(): void {
    this.#socket.io.engine?.close();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#renewal) clearTimeout(this.#renewal);
    this.#socket.disconnect();
    this.#fail();
  }

  #hear(): void {
    const socket = this.#socket;
    socket.on('ready', (ready: Ready) => {
      this.#tries = 0;
      this.#renewed = false;
      this.#ready = true;
      this.#planRenewal(ready.sign, Date.parse(ready.serverTime), 0);
      this.#listen({ type: 'ready', ready });
    });
    socket.on('ev', (events: WireEvent | WireEvent[]) => {
      for (const event of [events].flat()) this.#listen({ type: 'ev', event });
    });
    socket.on('tick', ({ n }: { n: number }) => this.#listen({ type: 'tick', n }));
    socket.on('live', (signal: LiveSignal) => this.#listen({ type: 'live', signal }));
    socket.on('kicked', ({ reason }: { reason: KickReason }) => {
      this.close();
      this.#listen({ type: 'kicked', reason });
    });
    socket.on('disconnect', () => this.#lost());
    socket.on('connect_error', (error: Error & { data?: { code?: number } }) => void this.#refused(error.data?.code));
  }

  async #refused(code: number | undefined): Promise<void> {
    if (code === imCodes.SIG_REFUSED[0] || code === imCodes.DISABLED[0] || code === imCodes.REPLACED[0]) {
      const fresh = code === imCodes.SIG_REFUSED[0] && !this.#renewed ? await this.#facts.renewSign?.().catch(() => null) : null;
      if (this.#closed) return;
      if (!fresh) {
        this.close();
        this.#listen({ type: 'kicked', reason: code === imCodes.REPLACED[0] ? 'multipleDevice' : 'userSigExpired' });
        return;
      }
      this.#renewed = true;
    }
    this.#lost();
  }

  /** By the service's clock, since the browser's may be wrong. */
  #planRenewal({ issuedAt, endsAt }: SignLife, now: number, atLeastMs: number): void {
    this.#renewLater(Math.max(atLeastMs, issuedAt + (endsAt - issuedAt) * RENEW_AT - now));
  }

  #renewLater(ms: number): void {
    if (this.#renewal) clearTimeout(this.#renewal);
    if (!this.#closed && this.#facts.renewSign) this.#renewal = setTimeout(() => void this.#renew(), Math.min(ms, TIMER_MS));
  }

  /** The connection goes on with a new sign; without a connection the next one brings it. */
  async #renew(): Promise<void> {
    const userSig = await this.#facts.renewSign?.().catch(() => null);
    const life = userSig && this.#ready ? await this.request('renew', { userSig }).catch(() => null) : null;
    if (life) this.#planRenewal(life, life.issuedAt, RENEW_AGAIN_MS);
    else this.#renewLater(RENEW_AGAIN_MS);
  }

  #lost(): void {
    this.#fail();
    if (this.#closed || this.#timer) return;
    this.#listen({ type: 'state', state: 'disconnected' });
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#listen({ type: 'state', state: 'connecting' });
      this.#socket.connect();
    }, pauseBefore(this.#tries));
    this.#tries += 1;
  }

  #fail(): void {
    this.#ready = false;
    for (const reject of this.#waiting) reject(imError('BROKEN'));
    this.#waiting.clear();
  }
}
