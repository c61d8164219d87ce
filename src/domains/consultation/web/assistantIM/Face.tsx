import { lazy, Suspense } from 'react';

const StoredFace = lazy(() => import('./StoredFace.tsx'));

interface FaceProps {
  name: string;
  role: 'PATIENT' | 'DOCTOR' | 'ASSISTANT' | 'DESK';
  url?: string | null | undefined;
  online?: boolean;
  size?: number;
}

/** A round picture, else the last two characters of the name on the colour of the role. */
export function Face({ name, role, url, online, size = 36 }: FaceProps) {
  return (
    <span className={`im-face im-face-${role}`} style={{ width: size, height: size, fontSize: Math.round(size / 2.9) }} aria-hidden>
      {url && /^\d+$/.test(url) ? (
        <Suspense fallback={name.slice(-2)}>
          <StoredFace fileId={url} name={name} />
        </Suspense>
      ) : url ? (
        <img src={url} alt="" />
      ) : (
        name.slice(-2)
      )}
      {online && <i title="在线" />}
    </span>
  );
}
