import * as z from 'zod/mini';
import { int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { roomAdapters } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { videoRoomMachine } from '../states.ts';
import { groupId } from './shared.ts';

const service = declareService('VideoService');
const video = may['video.call'];
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

export const openVideoRoom = service.act({
  operation: 'openVideoRoom',
  label: '发起视频通话',
  access: video,
  secretOutput: true,
  input: { groupId, soundOnly: field('仅语音', z._default(z.boolean(), false)) },
  output: roomEntry,
});
export const joinVideoRoom = service.act({
  operation: 'joinVideoRoom',
  label: '加入视频通话',
  access: video,
  secretOutput: true,
  input: { roomId },
  output: roomEntry,
});
export const beatFields = { roomId, rttMs: field('网络延迟', z.optional(int4())), lostBp: field('丢包率', z.optional(int4())) };
export const beatVideoRoom = service.act({
  operation: 'beatVideoRoom',
  label: '保持视频通话',
  access: video,
  input: beatFields,
  output: z.strictObject({ state: videoRoomMachine.dictionary.schema, videoSecLeft: z.nullable(z.int()) }),
});
/** `all`: for everybody; else one leaves. */
export const endVideoRoom = service.act({
  operation: 'endVideoRoom',
  label: '结束视频通话',
  access: video,
  input: { roomId, all: field('结束全部', z._default(z.boolean(), false)) },
  output: z.strictObject({ state: videoRoomMachine.dictionary.schema, talkSec: z.int() }),
});
export const queryVideoList = service.list({
  operation: 'queryVideoList',
  label: '查询视频记录',
  access: video,
  filter: { groupId },
  output: z.strictObject({
    roomId: z.string(),
    state: videoRoomMachine.dictionary.schema,
    startedAt: z.string(),
    endedAt: z.nullable(z.string()),
    talkSec: z.int(),
    doctorPatientSec: z.int(),
    callerNick: z.string(),
  }),
});
