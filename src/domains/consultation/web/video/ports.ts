import type { RoomEntry } from '../../contract/calls/videos.ts';
import type { ImClient, ImExtras } from '../../contract/im/client.ts';

/** The calls of video rooms, as this page makes them: staff and participants have their own. */
export interface VideoCalls {
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
