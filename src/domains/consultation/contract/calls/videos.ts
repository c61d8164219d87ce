import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { paging, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { roomAdapters } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { videoRoomMachine } from '../states.ts';
import { groupId, host } from './shared.ts';

const service = 'VideoService';
const video = access.permission(may['video.call']);
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

export const openVideoRoom = call({
  host,
  service,
  operation: 'openVideoRoom',
  kind: 'command',
  shape: 'data',
  label: '发起视频通话',
  access: video,
  input: z.strictObject({ groupId, soundOnly: field('仅语音', z._default(z.boolean(), false)) }),
  secretOutput: true,
  output: roomEntry,
});
export const joinVideoRoom = call({
  host,
  service,
  operation: 'joinVideoRoom',
  kind: 'command',
  shape: 'data',
  label: '加入视频通话',
  access: video,
  input: z.strictObject({ roomId }),
  secretOutput: true,
  output: roomEntry,
});
export const beatFields = { roomId, rttMs: field('网络延迟', z.optional(int4())), lostBp: field('丢包率', z.optional(int4())) };
export const beatVideoRoom = call({
  host,
  service,
  operation: 'beatVideoRoom',
  kind: 'command',
  shape: 'data',
  label: '保持视频通话',
  access: video,
  input: z.strictObject(beatFields),
  output: z.strictObject({ state: videoRoomMachine.dictionary.schema, videoSecLeft: z.nullable(z.int()) }),
});
/** `all`: for everybody; else one leaves. */
export const endVideoRoom = call({
  host,
  service,
  operation: 'endVideoRoom',
  kind: 'command',
  shape: 'data',
  label: '结束视频通话',
  access: video,
  input: z.strictObject({ roomId, all: field('结束全部', z._default(z.boolean(), false)) }),
  output: z.strictObject({ state: videoRoomMachine.dictionary.schema, talkSec: z.int() }),
});
export const queryVideoList = call({
  host,
  service,
  operation: 'queryVideoList',
  kind: 'query',
  shape: 'list',
  label: '查询视频记录',
  access: video,
  input: z.strictObject({ ...paging, groupId }),
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
