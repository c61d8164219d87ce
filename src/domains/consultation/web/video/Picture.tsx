import { useEffect, useRef } from 'react';

interface Props {
  stream: MediaStream;
  label: string;
  muted?: boolean;
  mirrored?: boolean;
  /** Sound goes on, the picture is covered by the name. */
  hidden?: boolean;
}

/** One person's picture and sound. */
export function Picture({ stream, label, muted = false, mirrored = false, hidden = false }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    if (element.srcObject !== stream) element.srcObject = stream;
    // Browsers that wait for a click play as soon as there was one.
    element.play().catch(() => document.addEventListener('click', () => void element.play().catch(() => {}), { once: true }));
  });
  return (
    <>
      <video ref={video} autoPlay playsInline muted={muted} aria-label={label} className={mirrored ? 'kq-video-mirrored' : undefined} />
      {hidden && (
        <span className="kq-video-cover" aria-hidden>
          <span className="kq-video-face">{label.slice(0, 1)}</span>
        </span>
      )}
    </>
  );
}
