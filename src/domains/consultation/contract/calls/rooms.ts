import * as z from 'zod/mini';
import { int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { roomAdapters } from '../dictionaries.ts';
import { videoRoomMachine } from '../states.ts';

// What a room is to the workbench and to the page of participants.
export const roomId = field('视频房间', z.string('缺少房间号').check(z.regex(/^[1-9]\d{0,9}$/, '房间号不正确')));
export const iceServers = z.array(
  z.strictObject({ urls: z.array(z.string()), username: z.optional(z.string()), credential: z.optional(z.string()) }),
);
export const roomEntry = z.strictObject({
  roomId: z.string(),
  conversationID: z.string(),
  adapter: roomAdapters.schema,
  state: videoRoomMachine.dictionary.schema,
  soundOnly: z.boolean(),
  iceServers,
  /** Sign for the vendor's room; null for the mesh. */
  trtcSign: z.nullable(z.string()),
  sdkAppID: z.nullable(z.int()),
  /** Seconds of video left in this inquiry; null = no limit. */
  videoSecLeft: z.nullable(z.int()),
  participants: z.array(z.strictObject({ userID: z.string(), nick: z.string(), joinedAt: z.string() })),
});
export type RoomEntry = z.output<typeof roomEntry>;
export const beatFields = { roomId, rttMs: field('网络延迟', z.optional(int4())), lostBp: field('丢包率', z.optional(int4())) };
