import { useSigned } from './chat/signed.ts';

/** A picture that lies in the store; the name stands in until it is there. */
function StoredFace({ fileId, name }: { fileId: string; name: string }) {
  const { url } = useSigned(fileId, 'THUMB', { isOwn: true });
  return url ? <img src={url} alt="" /> : <>{name.slice(-2)}</>;
}

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
      {url && /^\d+$/.test(url) ? <StoredFace fileId={url} name={name} /> : url ? <img src={url} alt="" /> : name.slice(-2)}
      {online && <i title="在线" />}
    </span>
  );
}
