import { lazy, Suspense, useSyncExternalStore } from 'react';
import type { CallCenter } from './center.ts';

const VideoWindow = lazy(() => import('./VideoWindow.tsx'));

/** Shows the call that is going on, over whatever page mounts it. */
export function VideoHost({ center }: { center: CallCenter }) {
  const wish = useSyncExternalStore(center.subscribe, center.snapshot);
  return (
    wish && (
      <Suspense>
        {
          <VideoWindow
            key={wish.kind === 'incoming' ? wish.invite.inviteID : wish.kind === 'join' ? wish.roomId : wish.groupID}
            center={center}
            wish={wish}
          />
        }
      </Suspense>
    )
  );
}
