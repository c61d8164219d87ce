import type { RtcSignal } from '../../../contract/im/client.ts';
import { picture } from './quality.ts';

/** What travels between two browsers, through the chat's socket. */
export interface PeerSignal {
  /** Names one connection of a pair; another one means that the other side began anew. */
  link: string;
  description?: RTCSessionDescriptionInit;
  candidate?: RTCIceCandidateInit | null;
  media?: MediaFacts;
}
export interface MediaFacts {
  audio: boolean;
  video: boolean;
  screen: boolean;
}

export interface PeerParts {
  link: string;
  iceServers: RTCIceServer[];
  /** Gives way when both offer at once: the smaller user id. */
  polite: boolean;
  local(): { audio: MediaStreamTrack | null; video: MediaStreamTrack | null };
  send(kind: RtcSignal['kind'], signal: PeerSignal): void;
  changed(): void;
}

const BLIP_MS = 3_000;

/** One connection of the mesh, by perfect negotiation: either side may offer at any time, and one always gives way. */
export class Peer {
  readonly link: string;
  readonly connection: RTCPeerConnection;
  readonly stream = new MediaStream();
  facts: MediaFacts = { audio: true, video: true, screen: false };
  readonly #parts: PeerParts;
  #offering = false;
  #ignoring = false;
  #early: (RTCIceCandidateInit | null)[] = [];
  #blip: ReturnType<typeof setTimeout> | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: PeerParts) {
    this.#parts = parts;
    this.link = parts.link;
    this.connection = new RTCPeerConnection({ iceServers: parts.iceServers, bundlePolicy: 'max-bundle' });
    this.#hear();
  }

  /** True until a first answer or offer was taken. */
  get isFresh(): boolean {
    return this.connection.remoteDescription === null;
  }

  /** The side that came later offers; the other one answers on what it is offered. */
  begin(): void {
    const { audio, video } = this.#parts.local();
    this.connection.addTransceiver(audio ?? 'audio', { direction: 'sendrecv' });
    this.connection.addTransceiver(video ?? 'video', { direction: 'sendrecv' });
  }

  /** Sound or picture changed: camera off, another device, the screen. Nothing is negotiated anew. */
  async replace(kind: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void> {
    await this.connection
      .getTransceivers()
      .find(({ receiver }) => receiver.track.kind === kind)
      ?.sender.replaceTrack(track);
  }

  async limit(people: number): Promise<void> {
    const sender = this.connection.getTransceivers().find(({ receiver }) => receiver.track.kind === 'video')?.sender;
    const parameters = sender?.getParameters();
    if (!sender || !parameters?.encodings?.[0]) return;
    Object.assign(parameters.encodings[0], picture(people));
    await sender.setParameters(parameters);
  }

  restart(): void {
    if (this.connection.signalingState !== 'closed') this.connection.restartIce();
  }

  /** Takes what the other side said, in the order in which it came. */
  take(signal: PeerSignal): Promise<void> {
    this.#work = this.#work.then(() => this.#take(signal)).catch(() => {});
    return this.#work;
  }

  close(): void {
    if (this.#blip) clearTimeout(this.#blip);
    this.connection.onconnectionstatechange = null;
    this.connection.close();
  }

  async #take({ description, candidate, media }: PeerSignal): Promise<void> {
    const { connection } = this;
    if (connection.signalingState === 'closed') return;
    if (media) {
      this.facts = media;
      this.#parts.changed();
    }
    if (description) {
      const collision = description.type === 'offer' && (this.#offering || connection.signalingState !== 'stable');
      this.#ignoring = !this.#parts.polite && collision;
      if (this.#ignoring) return;
      await connection.setRemoteDescription(description);
      for (const early of this.#early.splice(0)) await connection.addIceCandidate(early ?? undefined);
      if (description.type === 'offer') {
        await this.#answerWithOwn();
        await connection.setLocalDescription();
        this.#parts.send('answer', { link: this.link, description: connection.localDescription!.toJSON() });
      }
    }
    if (candidate === undefined) return;
    if (connection.remoteDescription === null) this.#early.push(candidate);
    else
      await connection.addIceCandidate(candidate ?? undefined).catch((error: unknown) => {
        if (!this.#ignoring) throw error;
      });
  }

  async #answerWithOwn(): Promise<void> {
    const local = this.#parts.local();
    for (const transceiver of this.connection.getTransceivers()) {
      const own = transceiver.receiver.track.kind === 'audio' ? local.audio : local.video;
      if (transceiver.sender.track !== own) await transceiver.sender.replaceTrack(own);
      transceiver.direction = 'sendrecv';
    }
  }

  #hear(): void {
    const { connection } = this;
    connection.onnegotiationneeded = async () => {
      try {
        this.#offering = true;
        await connection.setLocalDescription();
        this.#parts.send('offer', { link: this.link, description: connection.localDescription!.toJSON() });
      } catch {
        // Closed meanwhile; whoever needs the connection begins anew.
      } finally {
        this.#offering = false;
      }
    };
    connection.onicecandidate = ({ candidate }) => this.#parts.send('ice', { link: this.link, candidate: candidate?.toJSON() ?? null });
    connection.ontrack = ({ track }) => {
      this.stream.addTrack(track);
      track.onunmute = () => this.#parts.changed();
      this.#parts.changed();
    };
    connection.onconnectionstatechange = () => {
      if (this.#blip) clearTimeout(this.#blip);
      this.#blip = null;
      if (connection.connectionState === 'failed') this.restart();
      // Most breaks heal by themselves within seconds.
      if (connection.connectionState === 'disconnected') this.#blip = setTimeout(() => this.restart(), BLIP_MS);
      this.#parts.changed();
    };
  }
}
