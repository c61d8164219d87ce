import { newKey } from '#kernel/web/http/request.ts';
import type { RtcSignal } from '../../../contract/im/client.ts';
import { measure, worst, type Network } from './quality.ts';
import { Peer, type MediaFacts, type PeerSignal } from './peer.ts';

const NO_PATH_MS = 15_000;
const STATS_MS = 2_000;

export interface MeshParts {
  me: string;
  roomId: string;
  iceServers: RTCIceServer[];
  local(): { audio: MediaStreamTrack | null; video: MediaStreamTrack | null };
  facts(): MediaFacts;
  send(signal: { roomId: number; to: string; kind: RtcSignal['kind']; data: unknown }): void;
  /** Somebody came, went or changed. */
  changed(): void;
  /** Somebody hung up. */
  left(userID: string): void;
  /** One connection found no way for so long that it must be begun anew. */
  lost(userID: string): void;
}

export interface Partner {
  userID: string;
  stream: MediaStream;
  state: RTCPeerConnectionState;
  facts: MediaFacts;
  network: Network | null;
  /** No way between the two was found. */
  noPath: boolean;
}

/** What a call needs of whatever carries it: browsers connected with each other, or the vendor's room. */
export type Room = Pick<Mesh, 'partners' | 'worst' | 'reach' | 'forget' | 'hear' | 'replace' | 'tellFacts' | 'restart' | 'close'>;

/** Everybody connected with everybody, at most four; signals travel through the chat. */
export class Mesh {
  readonly #parts: MeshParts;
  readonly #peers = new Map<string, Peer>();
  readonly #networks = new Map<string, Network>();
  readonly #noPath = new Set<string>();
  readonly #searching = new Map<string, ReturnType<typeof setTimeout>>();
  /** PeerSignal before the offer that it belongs to. */
  readonly #early = new Map<string, PeerSignal[]>();
  readonly #stats: ReturnType<typeof setInterval>;

  constructor(parts: MeshParts) {
    this.#parts = parts;
    this.#stats = setInterval(() => void this.#measure(), STATS_MS);
  }

  get partners(): Partner[] {
    return [...this.#peers].map(([userID, { stream, connection, facts }]) => ({
      userID,
      stream,
      state: connection.connectionState,
      facts,
      network: this.#networks.get(userID) ?? null,
      noPath: this.#noPath.has(userID),
    }));
  }
  get worst(): Network | null {
    return worst([...this.#networks.values()]);
  }

  /** Connects with who is in the room already: whoever comes later offers. */
  reach(userIDs: readonly string[]): void {
    for (const userID of userIDs) if (userID !== this.#parts.me) this.#begin(userID, newKey()).begin();
  }

  hear({ from, kind, data }: RtcSignal): void {
    if (kind === 'bye') {
      this.#drop(from);
      this.#parts.left(from);
      return;
    }
    const signal = data as PeerSignal;
    let peer = this.#peers.get(from);
    const isOffer = signal.description?.type === 'offer';
    if (peer?.link !== signal.link) {
      // Both begin at once: the greater id stays with its own offer.
      if (!isOffer) return void this.#early.set(signal.link, [...(this.#early.get(signal.link) ?? []), signal]);
      if (peer?.isFresh && this.#parts.me > from && peer.connection.connectionState === 'new') return;
      peer = this.#begin(from, signal.link);
    }
    void peer.take(signal);
    for (const early of this.#early.get(signal.link) ?? []) void peer.take(early);
    this.#early.delete(signal.link);
  }

  /** Other tracks of mine: camera off, another device, the screen. */
  async replace(kind: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void> {
    await Promise.all([...this.#peers.values()].map((peer) => peer.replace(kind, track)));
  }
  tellFacts(): void {
    for (const [userID, { link }] of this.#peers) this.#send(userID, 'media', { link, media: this.#parts.facts() });
  }
  /** Somebody is no longer in the room. */
  forget(userID: string): void {
    this.#drop(userID);
  }
  /** After a change of network. */
  restart(): void {
    for (const peer of this.#peers.values()) if (peer.connection.connectionState !== 'connected') peer.restart();
  }

  close(bye: boolean): void {
    clearInterval(this.#stats);
    for (const userID of this.#peers.keys()) {
      if (bye) this.#send(userID, 'bye', null);
      this.#drop(userID);
    }
  }

  #send(to: string, kind: RtcSignal['kind'], signal: PeerSignal | null): void {
    this.#parts.send({ roomId: Number(this.#parts.roomId), to, kind, data: signal });
  }

  #begin(userID: string, link: string): Peer {
    this.#drop(userID);
    const peer: Peer = new Peer({
      link,
      iceServers: this.#parts.iceServers,
      polite: this.#parts.me < userID,
      local: () => this.#parts.local(),
      send: (kind, signal) => this.#send(userID, kind, signal),
      changed: () => this.#onState(userID, peer),
    });
    this.#peers.set(userID, peer);
    this.#search(userID);
    this.#parts.changed();
    return peer;
  }

  #search(userID: string): void {
    if (this.#searching.has(userID)) return;
    this.#searching.set(
      userID,
      setTimeout(() => {
        this.#searching.delete(userID);
        this.#noPath.add(userID);
        this.#parts.changed();
        this.#parts.lost(userID);
      }, NO_PATH_MS),
    );
  }

  #onState(userID: string, peer: Peer): void {
    if (this.#peers.get(userID) !== peer) return;
    const { connectionState } = peer.connection;
    if (connectionState === 'connected') {
      clearTimeout(this.#searching.get(userID));
      this.#searching.delete(userID);
      this.#noPath.delete(userID);
      this.#send(userID, 'media', { link: peer.link, media: this.#parts.facts() });
      for (const one of this.#peers.values()) void one.limit(this.#peers.size + 1).catch(() => {});
    } else if (connectionState === 'disconnected' || connectionState === 'failed') this.#search(userID);
    this.#parts.changed();
  }

  #drop(userID: string): void {
    clearTimeout(this.#searching.get(userID));
    this.#searching.delete(userID);
    this.#networks.delete(userID);
    this.#noPath.delete(userID);
    this.#peers.get(userID)?.close();
    if (this.#peers.delete(userID)) this.#parts.changed();
  }

  async #measure(): Promise<void> {
    for (const [userID, { connection }] of this.#peers) {
      const network = connection.connectionState === 'connected' ? await measure(connection) : null;
      if (network) this.#networks.set(userID, network);
    }
    this.#parts.changed();
  }
}
