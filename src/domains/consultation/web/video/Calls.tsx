import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { send } from '#kernel/web/http/client.ts';
import { beatVideoRoom, endVideoRoom, joinVideoRoom, openVideoRoom } from '../../contract/calls/videos.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { CallCenter, type VideoPorts } from './center.ts';
import { VideoHost } from './VideoHost.tsx';

/** Calls of the console: as the assistant who is logged in; refusals are shown in the window. */
const staffCenter = (client: VideoPorts['client'], userID: string): CallCenter =>
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

const CallsContext = createContext<CallCenter | null>(null);

/** Calls of the console, or null where none can be made (the vendor's client carries no signals of ours). */
export const useCalls = (): CallCenter | null => use(CallsContext);

/** Hears of calls for everything below, and shows the one that is going on. */
export function Calls({
  client,
  children,
}: {
  client: Omit<VideoPorts['client'], 'sendRtc'> & Partial<Pick<VideoPorts['client'], 'sendRtc'>> & { userID: string };
  children: ReactNode;
}) {
  const [center, setCenter] = useState<CallCenter | null>(null);
  useEffect(() => {
    if (!client.sendRtc) return;
    const made = staffCenter(client as VideoPorts['client'], client.userID);
    setCenter(made);
    return () => made.stop();
  }, [client]);
  return (
    <CallsContext value={center}>
      {children}
      {center && <VideoHost center={center} />}
    </CallsContext>
  );
}
