import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { videoRoomMachine } from '../states.ts';
import { beatFields, roomEntry, roomId } from './rooms.ts';
import { groupId } from './shared.ts';

const service = declareService('VideoService');
const video = may['video.call'];

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
