import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import type { CallCenter } from './center.ts';
import type { VideoPorts } from './ports.ts';
import { staffCenter } from './staffCenter.ts';
import { VideoHost } from './VideoHost.tsx';

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
