import { RefusalError } from '#kernel/web/http/refusal.ts';
import type { RtcSignal } from '../../../contract/im/client.ts';
import type { RoomEntry } from '../../../contract/calls/rooms.ts';
import { consultationErrors as errors } from '../../../contract/errors.ts';
import { inviteData, type CallCenter, type CallWish } from '../center.ts';
import { openMedia, stopMedia, type Wanted } from './media.ts';
import { Mesh, type MeshParts, type Partner, type Room } from './mesh.ts';
import { barsOf } from './quality.ts';
import { TrtcRoom } from './trtcRoom.ts';

const BEAT_MS = 15_000;
const RING_SEC = 60;
/** So long somebody who lost the line may come back without a new ring. */
const BACK_MS = 60_000;
const WARN_SEC = 60;
const BYE_MS = 1_000;

type Phase = 'check' | 'entering' | 'calling' | 'talking' | 'over';
export interface CallPicture {
  phase: Phase;
  roomId: string | null;
  soundOnly: boolean;
  local: MediaStream | null;
  /** What the devices lack. */
  note: string | null;
  /** What is wrong now. */
  trouble: string | null;
  /** Why it ended. */
  ended: string | null;
  partners: readonly (Partner & { nick: string })[];
  audio: boolean;
  video: boolean;
  screen: boolean;
  bars: 1 | 2 | 3 | 4 | null;
  /** When the first partner came, in the browser's time. */
  since: number | null;
  /** Seconds of video that the inquiry still has; null without a limit. */
  left: number | null;
}

const ENDED: Readonly<Record<string, string>> = {
  ENDED: '通话已结束',
  MISSED: '对方未接听',
  REJECTED: '对方已拒绝',
  CANCELLED: '通话已取消',
  FAILED: '通话异常中断',
};
const wordsOf = (error: unknown): string => (error instanceof Error && error.message ? error.message : '操作未完成，请稍后重试');

/** One call from the check of the devices to its end. */
export class CallSession {
  readonly #center: CallCenter;
  readonly #wish: Exclude<CallWish, never>;
  #picture: CallPicture;
  readonly #listeners = new Set<() => void>();
  readonly #nicks = new Map<string, string>();
  #mesh: Room | null = null;
  #inviteID: string | null = null;
  #camera: MediaStreamTrack | null = null;
  #beat: ReturnType<typeof setInterval> | null = null;
  #wanted: Wanted;
  #signals: Promise<unknown> = Promise.resolve();
  #lostAt: number | null = null;
  #closed = false;

  constructor(center: CallCenter, wish: CallWish) {
    this.#center = center;
    this.#wish = wish;
    const soundOnly = wish.kind === 'call' && wish.soundOnly;
    this.#wanted = { soundOnly };
    this.#picture = {
      phase: 'check',
      roomId: wish.kind === 'call' ? null : wish.roomId,
      soundOnly,
      local: null,
      note: null,
      trouble: null,
      ended: null,
      partners: [],
      audio: true,
      video: !soundOnly,
      screen: false,
      bars: null,
      since: null,
      left: null,
    };
    const { client } = center.ports;
    client.on('onRtc', this.#onRtc);
    client.on('onInvite', this.#onInvite);
    client.on('netStateChange', this.#onNet);
  }

  readonly subscribe = (listen: () => void): (() => void) => {
    this.#listeners.add(listen);
    return () => void this.#listeners.delete(listen);
  };
  readonly snapshot = (): CallPicture => this.#picture;
  get wish(): CallWish {
    return this.#wish;
  }

  /** Opens camera and microphone, or other ones. */
  async prepare(wanted: Partial<Wanted> = {}): Promise<void> {
    this.#wanted = { ...this.#wanted, ...wanted };
    const before = this.#picture.local;
    // Phones give a camera to one user only.
    stopMedia(before);
    const { stream, note } = await openMedia(this.#wanted);
    if (this.#closed) return stopMedia(stream);
    this.#camera = stream.getVideoTracks()[0] ?? null;
    for (const track of stream.getAudioTracks()) track.enabled = this.#picture.audio;
    this.#set({ local: stream, note, screen: false, video: this.#picture.video && this.#camera !== null });
    await this.#mesh?.replace('audio', stream.getAudioTracks()[0] ?? null);
    await this.#mesh?.replace('video', this.#picture.video ? this.#camera : null);
    this.#mesh?.tellFacts();
  }

  /** From the check into the room. */
  async start(): Promise<void> {
    this.#set({ phase: 'entering', trouble: null });
    try {
      const entry = await this.#enter();
      if (this.#closed) return void this.#center.ports.calls.end(entry.roomId).catch(() => {});
      for (const { userID, nick } of entry.participants) this.#nicks.set(userID, nick);
      const others = entry.participants.map(({ userID }) => userID).filter((id) => id !== this.#center.ports.userID);
      this.#open(entry);
      this.#set({
        phase: others.length > 0 ? 'talking' : 'calling',
        roomId: entry.roomId,
        soundOnly: entry.soundOnly,
        left: entry.videoSecLeft,
      });
      if (entry.soundOnly && !this.#wanted.soundOnly) await this.prepare({ soundOnly: true });
      this.#mesh?.reach(others);
      if (others.length === 0 && this.#wish.kind === 'call') await this.#ring(this.#wish.groupID, entry.roomId);
    } catch (error) {
      this.#end(wordsOf(error));
    }
  }

  toggleAudio(): void {
    const audio = !this.#picture.audio;
    for (const track of this.#picture.local?.getAudioTracks() ?? []) track.enabled = audio;
    this.#set({ audio });
    this.#mesh?.tellFacts();
  }
  async toggleVideo(): Promise<void> {
    if (this.#camera === null) return;
    const video = !this.#picture.video;
    this.#camera.enabled = video;
    this.#set({ video });
    if (!this.#picture.screen) await this.#mesh?.replace('video', video ? this.#camera : null);
    this.#mesh?.tellFacts();
  }
  /** The camera on the other side of a phone. */
  async turnCamera(): Promise<void> {
    await this.prepare({ facing: this.#wanted.facing === 'environment' ? 'user' : 'environment', cameraId: undefined });
  }
  async shareScreen(): Promise<void> {
    if (this.#picture.screen) return this.#endScreen();
    const stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: 15 } }).catch(() => null);
    const track = stream?.getVideoTracks()[0];
    if (!track || !this.#mesh) return stopMedia(stream);
    track.onended = () => void this.#endScreen();
    this.#screen = track;
    await this.#mesh.replace('video', track);
    this.#set({ screen: true });
    this.#mesh.tellFacts();
  }
  #screen: MediaStreamTrack | null = null;
  async #endScreen(): Promise<void> {
    this.#screen?.stop();
    this.#screen = null;
    if (!this.#picture.screen) return;
    this.#set({ screen: false });
    await this.#mesh?.replace('video', this.#picture.video ? this.#camera : null);
    this.#mesh?.tellFacts();
  }

  /** Hang up, or leave the check. */
  async hangUp(): Promise<void> {
    const { roomId, phase } = this.#picture;
    const inRoom = roomId !== null && (phase === 'calling' || phase === 'talking');
    this.#mesh?.close(true);
    // The word of farewell goes out while one still stands in the room; a dead line must not hold the window open.
    await Promise.race([this.#signals, new Promise((resolve) => setTimeout(resolve, BYE_MS))]);
    if (this.#inviteID !== null && phase === 'calling')
      await this.#center.ports.client.cancel({ inviteID: this.#inviteID }).catch(() => {});
    this.#end(ENDED['ENDED']!);
    if (inRoom) await this.#center.ports.calls.end(roomId).catch(() => {});
  }

  /** The window goes away. */
  dispose(): void {
    this.#closed = true;
    const { client } = this.#center.ports;
    client.off('onRtc', this.#onRtc);
    client.off('onInvite', this.#onInvite);
    client.off('netStateChange', this.#onNet);
    this.#stop();
  }

  async #enter(): Promise<RoomEntry> {
    const { calls, client } = this.#center.ports;
    const wish = this.#wish;
    if (wish.kind === 'incoming') {
      await client.accept({ inviteID: wish.invite.inviteID }).catch(() => {});
      return calls.join(wish.roomId);
    }
    if (wish.kind === 'join') return calls.join(wish.roomId);
    try {
      return await calls.open(wish.groupID, wish.soundOnly);
    } catch (error) {
      const live =
        error instanceof RefusalError && error.code === errors.CALL_LIVE.code
          ? (error.data as { roomId?: string } | null)?.roomId
          : undefined;
      if (live === undefined) throw error;
      return calls.join(live);
    }
  }

  /** Rings for the patient and the doctors of the group; assistants see the card in the chat. */
  async #ring(groupID: string, roomId: string): Promise<void> {
    const { client, userID } = this.#center.ports;
    const { memberList } = (await client.getGroupMemberList({ groupID })).data;
    for (const member of memberList) this.#nicks.set(member.userID, member.nick);
    const inviteeList = memberList.map((member) => member.userID).filter((id) => id !== userID && !id.startsWith('A'));
    if (inviteeList.length > 0)
      this.#inviteID = (await client.inviteInGroup({ groupID, inviteeList, data: inviteData(roomId), timeout: RING_SEC })).data.inviteID;
  }

  #open(entry: RoomEntry): void {
    this.#mesh?.close(false);
    const parts: MeshParts = {
      me: this.#center.ports.userID,
      roomId: entry.roomId,
      iceServers: entry.iceServers.map(({ urls, username, credential }) => ({
        urls,
        ...(username === undefined ? {} : { username }),
        ...(credential === undefined ? {} : { credential }),
      })),
      local: () => ({
        audio: this.#picture.local?.getAudioTracks()[0] ?? null,
        video: this.#screen ?? (this.#picture.video ? this.#camera : null),
      }),
      facts: () => ({ audio: this.#picture.audio, video: this.#picture.video || this.#picture.screen, screen: this.#picture.screen }),
      // One after another: a candidate never overtakes its offer.
      send: (signal) => void (this.#signals = this.#signals.then(() => this.#center.ports.client.sendRtc(signal)).catch(() => {})),
      changed: () => this.#onMesh(),
      left: () => void this.#sign(),
      lost: () => void this.#comeBack(),
    };
    this.#mesh =
      entry.adapter === 'TRTC' && entry.trtcSign !== null && entry.sdkAppID !== null
        ? new TrtcRoom(parts, { sdkAppID: entry.sdkAppID, userSig: entry.trtcSign })
        : new Mesh(parts);
    this.#beat ??= setInterval(() => void this.#sign(), BEAT_MS);
  }

  #onMesh(): void {
    const partners = (this.#mesh?.partners ?? []).map((partner) => ({ ...partner, nick: this.#nicks.get(partner.userID) ?? '' }));
    const unknown = partners.filter(({ nick }) => nick === '').map(({ userID }) => userID);
    if (unknown.length > 0) void this.#learn(unknown);
    const connected = partners.some(({ state }) => state === 'connected');
    const shaky = partners.some(({ state }) => state === 'disconnected' || state === 'failed');
    if (connected) this.#lostAt = null;
    else if (shaky) this.#lostAt ??= Date.now();
    const noPath = partners.some((partner) => partner.noPath);
    const network = this.#mesh?.worst;
    this.#set({
      partners,
      bars: network ? barsOf(network) : null,
      since: this.#picture.since ?? (connected ? Date.now() : null),
      ...(partners.length > 0 && this.#picture.phase === 'calling' ? { phase: 'talking' as const } : {}),
      trouble: noPath ? '视频连接失败，请检查网络或联系管理员配置中继服务' : shaky ? '网络不稳定，正在重新连接…' : null,
    });
  }

  async #learn(userIDList: string[]): Promise<void> {
    for (const id of userIDList) this.#nicks.set(id, ' ');
    const profiles = (await this.#center.ports.client.getUserProfile({ userIDList }).catch(() => null))?.data ?? [];
    for (const { userID, nick } of profiles) this.#nicks.set(userID, nick);
    this.#onMesh();
  }

  /** A sign of life; the answer says whether the room still lives. */
  async #sign(): Promise<void> {
    const { roomId, phase } = this.#picture;
    if (roomId === null || phase === 'over') return;
    const network = this.#mesh?.worst;
    const answer = await this.#center.ports.calls
      .beat({ roomId, ...(network && { rttMs: network.rttMs, lostBp: network.lostBp }) })
      .catch(() => null);
    if (answer === null) return;
    const over = ENDED[answer.state];
    if (over !== undefined) this.#end(over);
    else this.#set({ left: answer.videoSecLeft });
  }

  /** Into the room once more, without a new ring. */
  async #comeBack(): Promise<void> {
    const { roomId, phase } = this.#picture;
    if (roomId === null || phase === 'over' || (this.#lostAt !== null && Date.now() - this.#lostAt > BACK_MS)) return;
    const entry = await this.#center.ports.calls.join(roomId).catch((error: unknown) => {
      if (error instanceof RefusalError) this.#end(error.message);
      return null;
    });
    if (!entry || this.#closed || this.#picture.phase === 'over') return;
    const lost = this.#mesh?.partners.filter(({ state }) => state !== 'connected').map(({ userID }) => userID) ?? [];
    const there = new Set(entry.participants.map(({ userID }) => userID));
    for (const userID of lost) if (!there.has(userID)) this.#mesh?.forget(userID);
    this.#mesh?.reach(lost.filter((id) => there.has(id)));
  }

  readonly #onRtc = ({ data }: { data: RtcSignal }): void => {
    if (String(data.roomId) === this.#picture.roomId && this.#picture.phase !== 'over') this.#mesh?.hear(data);
  };
  readonly #onInvite = ({ data }: { data: { inviteID: string; state: string } }): void => {
    if (data.inviteID !== this.#inviteID || this.#picture.phase !== 'calling') return;
    if (data.state === 'REJECTED' || data.state === 'TIMEOUT') void this.#giveUp(data.state === 'REJECTED' ? 'REJECTED' : 'MISSED');
  };
  async #giveUp(state: 'REJECTED' | 'MISSED'): Promise<void> {
    const { roomId } = this.#picture;
    this.#end(ENDED[state]!);
    if (roomId !== null) await this.#center.ports.calls.end(roomId).catch(() => {});
  }
  readonly #onNet = ({ data }: { data: { state: string } }): void => {
    if (data.state === 'connected') {
      this.#mesh?.restart();
      void this.#sign();
    }
  };

  #end(ended: string): void {
    if (this.#picture.phase === 'over') return;
    this.#stop();
    this.#set({ phase: 'over', ended, partners: [], local: null, trouble: null });
  }
  #stop(): void {
    if (this.#beat) clearInterval(this.#beat);
    this.#beat = null;
    this.#mesh?.close(false);
    this.#mesh = null;
    this.#screen?.stop();
    stopMedia(this.#picture.local);
  }
  #set(change: Partial<CallPicture>): void {
    this.#picture = { ...this.#picture, ...change };
    for (const listen of this.#listeners) listen();
  }
}

/** Whether the rest of the inquiry's video is so short that it is shown in red. */
export const isShort = (left: number | null): boolean => left !== null && left <= WARN_SEC;
