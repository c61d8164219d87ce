import { send } from '../../../../kernel/web/http/client.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { beatVideoRoom, endVideoRoom, joinVideoRoom, openVideoRoom } from '../../contract/calls/videos.ts';
import { CallCenter } from './center.ts';
import type { VideoPorts } from './ports.ts';

/** Calls of the console: as the assistant who is logged in; refusals are shown in the window. */
export const staffCenter = (client: VideoPorts['client'], userID: string): CallCenter =>
  new CallCenter({
    client,
    userID,
    screen: true,
    calls: {
      open: (groupId, soundOnly) =>
        send(openVideoRoom, { groupId, soundOnly }, { quiet: [errors.CALL_LIVE.code, errors.VIDEO_USED_UP.code] }),
      join: (roomId) => send(joinVideoRoom, { roomId }, { quiet: true }),
      beat: (beat) => send(beatVideoRoom, beat, { quiet: true }),
      end: (roomId) => send(endVideoRoom, { roomId }, { quiet: true }),
    },
  });
