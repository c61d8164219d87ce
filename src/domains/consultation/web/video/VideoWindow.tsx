import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { CallCenter, CallWish } from './center.ts';
import { Check } from './Check.tsx';
import { Incoming } from './Incoming.tsx';
import { InCall } from './InCall.tsx';
import { CallSession } from './call/session.ts';
import './video.css';

const CLOSE_MS = 2_000;

/** The session lives exactly as long as the window is mounted, also where React mounts twice. */
function useSession(center: CallCenter, wish: CallWish): CallSession | null {
  const [session, setSession] = useState<CallSession | null>(null);
  useEffect(() => {
    const made = new CallSession(center, wish);
    setSession(made);
    return () => made.dispose();
  }, [center, wish]);
  return session;
}

/** A call over the page: ring, check of the devices, talk, end. */
export default function VideoWindow({ center, wish }: { center: CallCenter; wish: CallWish }) {
  const session = useSession(center, wish);
  const [taken, setTaken] = useState(wish.kind !== 'incoming');
  if (!session) return null;
  if (!taken && wish.kind === 'incoming') {
    const refuse = async () => {
      center.close();
      await center.ports.client.reject({ inviteID: wish.invite.inviteID }).catch(() => {});
    };
    return <Incoming center={center} invite={wish.invite} onTake={() => setTaken(true)} onRefuse={() => void refuse()} />;
  }
  return <Call session={session} onClose={center.close} screen={center.ports.screen} />;
}

function Call({ session, onClose, screen }: { session: CallSession; onClose(): void; screen: boolean }) {
  const picture = useSyncExternalStore(session.subscribe, session.snapshot);
  const [small, setSmall] = useState(false);
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void session.prepare();
  }, [session]);
  const isOver = picture.phase === 'over';
  useEffect(() => {
    if (!isOver) return;
    const timer = setTimeout(onClose, CLOSE_MS);
    return () => clearTimeout(timer);
  }, [isOver, onClose]);
  if (picture.phase === 'check' || picture.phase === 'entering') {
    return <Check session={session} picture={picture} onCancel={() => void session.hangUp().then(onClose)} />;
  }
  if (isOver) {
    return (
      <div className="kq-video kq-video-over" role="status">
        <p>{picture.ended}</p>
        <button type="button" className="kq-video-button" onClick={onClose}>
          关闭
        </button>
      </div>
    );
  }
  return <InCall session={session} picture={picture} small={small} onSmall={setSmall} screen={screen} />;
}
