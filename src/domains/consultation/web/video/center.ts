import type { RoomEntry } from '../../contract/calls/rooms.ts';
import type { ImClient, ImExtras, ImInvite } from '../../contract/im/client.ts';

/** The calls of video rooms, as this page makes them: staff and participants have their own. */
interface VideoCalls {
  /** @throws RefusalError SCM10030 with the live room's number in `data.roomId`. */
  open(groupID: string, soundOnly: boolean): Promise<RoomEntry>;
  join(roomId: string): Promise<RoomEntry>;
  beat(beat: { roomId: string; rttMs?: number; lostBp?: number }): Promise<{ state: string; videoSecLeft: number | null }>;
  end(roomId: string): Promise<{ state: string; talkSec: number }>;
}

export interface VideoPorts {
  client: Pick<ImClient, 'on' | 'off' | 'inviteInGroup' | 'accept' | 'reject' | 'cancel' | 'getGroupMemberList' | 'getUserProfile'> &
    Pick<ImExtras, 'sendRtc'>;
  /** Own chat account. */
  userID: string;
  calls: VideoCalls;
  /** Screen sharing is offered (console). */
  screen: boolean;
}

/** What the window is asked to do. */
export type CallWish =
  | { kind: 'call'; groupID: string; soundOnly: boolean }
  | { kind: 'join'; roomId: string }
  | { kind: 'incoming'; invite: ImInvite; roomId: string };

/** Number of the room that an invitation names; null for invitations of another kind. */
function roomOfInvite(data: string): string | null {
  try {
    const invite = JSON.parse(data) as { businessID?: unknown; roomId?: unknown };
    return invite.businessID === 'video_call' && Number.isInteger(invite.roomId) ? String(invite.roomId) : null;
  } catch {
    return null;
  }
}
export const inviteData = (roomId: string): string => JSON.stringify({ businessID: 'video_call', roomId: Number(roomId) });

/** Hears of calls and holds the one that is going on; everything heavy is in the window, which is loaded when it is needed. */
export class CallCenter {
  readonly ports: VideoPorts;
  #wish: CallWish | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(ports: VideoPorts) {
    this.ports = ports;
    ports.client.on('onInvite', this.#onInvite);
  }

  get wish(): CallWish | null {
    return this.#wish;
  }
  readonly subscribe = (listen: () => void): (() => void) => {
    this.#listeners.add(listen);
    return () => void this.#listeners.delete(listen);
  };
  readonly snapshot = (): CallWish | null => this.#wish;

  /** Calls the patient and the doctor of a group. @returns false while another call is going on. */
  call(groupID: string, o: { soundOnly?: boolean } = {}): boolean {
    return this.#take({ kind: 'call', groupID, soundOnly: o.soundOnly ?? false });
  }
  /** Joins a call that the chat shows. */
  join(roomId: string): boolean {
    return this.#take({ kind: 'join', roomId });
  }
  /** The window is done. */
  readonly close = (): void => this.#set(null);
  stop(): void {
    this.ports.client.off('onInvite', this.#onInvite);
    this.#set(null);
  }

  #take(wish: CallWish): boolean {
    if (this.#wish !== null && this.#wish.kind !== 'incoming') return false;
    this.#set(wish);
    return true;
  }
  #set(wish: CallWish | null): void {
    this.#wish = wish;
    for (const listen of this.#listeners) listen();
  }

  readonly #onInvite = ({ data: invite }: { data: ImInvite }): void => {
    const roomId = roomOfInvite(invite.data);
    if (roomId === null || invite.inviter === this.ports.userID) return;
    const mine = this.#wish?.kind === 'incoming' && this.#wish.invite.inviteID === invite.inviteID;
    const over =
      invite.state === 'CANCELLED' || invite.state === 'TIMEOUT' || invite.state === 'REJECTED' || invite.by === this.ports.userID;
    if (invite.state === 'OPEN' && !over && this.#wish === null && Date.parse(invite.expiresAt) > 0)
      this.#set({ kind: 'incoming', invite, roomId });
    // Answered on another device of mine, or nobody waits any more.
    else if (mine && over && invite.by !== this.ports.userID) this.#set(null);
  };
}
