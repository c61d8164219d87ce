import { useSigned } from './chat/messages/signed.ts';

/** A portrait that lies in the store; the name stands in until it is there. */
export default function StoredFace({ fileId, name }: { fileId: string; name: string }) {
  const { url } = useSigned(fileId, 'THUMB', { isOwn: true });
  return url ? <img src={url} alt="" /> : <>{name.slice(-2)}</>;
}
