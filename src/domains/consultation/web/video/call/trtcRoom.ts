import { ImError } from '../../../contract/im/codes.ts';
import type { MeshParts, Partner, Room } from './mesh.ts';
import type { Network } from './quality.ts';

type Stream = 'main' | 'sub';

/** What this product uses of the vendor's room. */
export interface VendorRoom {
  enterRoom(o: { sdkAppId: number; userId: string; userSig: string; roomId: number; scene: 'rtc' }): Promise<void>;
  exitRoom(): Promise<void>;
  destroy(): void;
  startLocalAudio(o: { option: { audioTrack: MediaStreamTrack } }): Promise<void>;
  updateLocalAudio(o: { option: { audioTrack: MediaStreamTrack } }): Promise<void>;
  stopLocalAudio(): Promise<void>;
  startLocalVideo(o: { option: { videoTrack: MediaStreamTrack } }): Promise<void>;
  updateLocalVideo(o: { option: { videoTrack: MediaStreamTrack } }): Promise<void>;
  stopLocalVideo(): Promise<void>;
  startRemoteVideo(o: { userId: string; streamType: Stream }): Promise<void>;
  getVideoTrack(o: { userId: string; streamType: Stream }): MediaStreamTrack | null;
  on(event: string, handler: (event: never) => void): unknown;
}
interface RoomMaker {
  create(): VendorRoom;
}
const isMaker = (value: unknown): value is RoomMaker =>
  (typeof value === 'object' || typeof value === 'function') && value !== null && 'create' in value;

/** Loads the vendor's SDK, which is large: only a call in his mode needs it. */
async function loadRoom(): Promise<VendorRoom> {
  const loaded: { default: unknown } = await import('trtc-sdk-v5');
  const inner =
    typeof loaded.default === 'object' && loaded.default !== null && 'default' in loaded.default ? loaded.default.default : null;
  const maker = [loaded.default, inner].find(isMaker);
  if (!maker) throw new ImError(0, '视频组件加载失败，请刷新后重试');
  return maker.create();
}

interface Present {
  stream: MediaStream;
  audio: boolean;
  shown: Set<Stream>;
}
const BASIS_POINTS = 100;

/** The vendor's room in place of the mesh: he carries the media, so no signal travels through the chat. */
export class TrtcRoom implements Room {
  readonly #parts: MeshParts;
  readonly #present = new Map<string, Present>();
  readonly #published = { audio: false, video: false };
  readonly #room: Promise<VendorRoom>;
  #network: Network | null = null;
  #state: RTCPeerConnectionState = 'connecting';
  #steps: Promise<unknown>;
  #closed = false;

  constructor(parts: MeshParts, vendor: { sdkAppID: number; userSig: string }, load: () => Promise<VendorRoom> = loadRoom) {
    this.#parts = parts;
    this.#room = load();
    this.#steps = this.#room
      .then(async (room) => {
        this.#listen(room);
        await room.enterRoom({
          sdkAppId: vendor.sdkAppID,
          userId: parts.me,
          userSig: vendor.userSig,
          roomId: Number(parts.roomId),
          scene: 'rtc',
        });
        this.#state = 'connected';
        const { audio, video } = parts.local();
        await this.#publish(room, 'audio', audio);
        await this.#publish(room, 'video', video);
        parts.changed();
      })
      .catch(() => this.#fail());
  }

  get partners(): Partner[] {
    return [...this.#present].map(([userID, { stream, audio, shown }]) => ({
      userID,
      stream,
      state: this.#state,
      facts: { audio, video: shown.size > 0, screen: shown.has('sub') },
      network: this.#network,
      noPath: this.#state === 'failed',
    }));
  }
  get worst(): Network | null {
    return this.#network;
  }

  /** Who is there the vendor tells himself. */
  reach(): void {
    this.#parts.changed();
  }
  /** Who leaves the vendor tells himself too. */
  forget(userID: string): void {
    if (this.#present.delete(userID)) this.#parts.changed();
  }
  hear(): void {
    // His room needs no signals of ours.
  }
  replace(kind: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void> {
    return this.#next((room) => this.#publish(room, kind, track));
  }
  tellFacts(): void {
    // Whether camera and microphone are on is told by what is published; a muted microphone stays published and silent.
  }
  restart(): void {
    // He reconnects by himself.
  }
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#present.clear();
    void this.#steps
      .then(() => this.#room)
      .then(async (room) => {
        await room.exitRoom().catch(() => {});
        room.destroy();
      })
      .catch(() => {});
  }

  /** One step after another: his calls must not overlap. */
  #next(step: (room: VendorRoom) => Promise<void>): Promise<void> {
    const done = this.#steps.then(async () => {
      if (!this.#closed && this.#state !== 'failed') await step(await this.#room);
    });
    this.#steps = done.catch(() => {});
    return done;
  }
  async #publish(room: VendorRoom, kind: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void> {
    const isOn = this.#published[kind];
    this.#published[kind] = track !== null;
    if (kind === 'audio') {
      if (track)
        await (isOn ? room.updateLocalAudio({ option: { audioTrack: track } }) : room.startLocalAudio({ option: { audioTrack: track } }));
      else if (isOn) await room.stopLocalAudio();
    } else if (track)
      await (isOn ? room.updateLocalVideo({ option: { videoTrack: track } }) : room.startLocalVideo({ option: { videoTrack: track } }));
    else if (isOn) await room.stopLocalVideo();
  }
  #fail(): void {
    if (this.#closed) return;
    this.#state = 'failed';
    this.#parts.changed();
    this.#parts.lost(this.#parts.me);
  }

  #personOf(userID: string): Present {
    const known = this.#present.get(userID) ?? { stream: new MediaStream(), audio: false, shown: new Set<Stream>() };
    this.#present.set(userID, known);
    return known;
  }
  #change(work: () => void): void {
    if (this.#closed) return;
    work();
    this.#parts.changed();
  }
  #listen(room: VendorRoom): void {
    const on = <T>(name: string, hear: (event: T) => void) => room.on(name, hear as (event: never) => void);
    on<{ userId: string }>('remote-user-enter', ({ userId }) => this.#change(() => void this.#personOf(userId)));
    on<{ userId: string }>('remote-user-exit', ({ userId }) => {
      this.#change(() => void this.#present.delete(userId));
      if (!this.#closed) this.#parts.left(userId);
    });
    // Sound is played by the vendor; the picture comes as a track into our own tiles.
    on<{ userId: string }>('remote-audio-available', ({ userId }) => this.#change(() => void (this.#personOf(userId).audio = true)));
    on<{ userId: string }>('remote-audio-unavailable', ({ userId }) => this.#change(() => void (this.#personOf(userId).audio = false)));
    on<{ userId: string; streamType: Stream }>(
      'remote-video-available',
      ({ userId, streamType }) => void this.#next(() => this.#show(room, userId, streamType)).catch(() => {}),
    );
    on<{ userId: string; streamType: Stream }>('remote-video-unavailable', ({ userId, streamType }) =>
      this.#change(() => {
        const person = this.#personOf(userId);
        person.shown.delete(streamType);
        if (person.shown.size === 0) for (const track of person.stream.getVideoTracks()) person.stream.removeTrack(track);
      }),
    );
    on<{ uplinkRTT: number; uplinkLoss: number; downlinkLoss: number }>('network-quality', ({ uplinkRTT, uplinkLoss, downlinkLoss }) =>
      this.#change(() => {
        this.#network = { rttMs: Math.round(uplinkRTT), lostBp: Math.round(Math.max(uplinkLoss, downlinkLoss) * BASIS_POINTS) };
      }),
    );
    on<{ state: string }>('connection-state-changed', ({ state }) =>
      this.#change(() => {
        if (this.#state !== 'failed')
          this.#state = state === 'CONNECTED' ? 'connected' : state === 'CONNECTING' ? 'connecting' : 'disconnected';
      }),
    );
    on<unknown>('kicked-out', () => this.#fail());
  }
  async #show(room: VendorRoom, userId: string, streamType: Stream): Promise<void> {
    await room.startRemoteVideo({ userId, streamType });
    const track = room.getVideoTrack({ userId, streamType });
    this.#change(() => {
      const person = this.#personOf(userId);
      person.shown.add(streamType);
      if (!track || person.stream.getVideoTracks().includes(track)) return;
      for (const before of person.stream.getVideoTracks()) person.stream.removeTrack(before);
      person.stream.addTrack(track);
    });
  }
}
