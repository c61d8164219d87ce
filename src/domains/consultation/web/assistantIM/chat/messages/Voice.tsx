import { useEffect, useRef, useState } from 'react';
import type { AudioPayload } from '../../../../contract/im/types.ts';
import { useSigned } from './signed.ts';

const WIDEST_SEC = 60;

/** A voice message: its length, and play and stop. */
export function Voice({ payload }: { payload: AudioPayload }) {
  const [wanted, setWanted] = useState(false);
  const [playing, setPlaying] = useState(false);
  const { url, failed, retry } = useSigned(payload.fileId, 'PREVIEW', { wanted });
  const player = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    if (url && wanted) void player.current?.play().catch(() => setPlaying(false));
  }, [url, wanted]);
  const toggle = () => {
    if (failed) return retry();
    if (!wanted) return setWanted(true);
    const audio = player.current;
    if (!audio) return undefined;
    if (playing) audio.pause();
    else void audio.play();
    return undefined;
  };
  return (
    <button
      type="button"
      className={playing ? 'im-voice im-playing' : 'im-voice'}
      style={{ width: 90 + (Math.min(payload.second, WIDEST_SEC) / WIDEST_SEC) * 130 }}
      onClick={toggle}
      aria-label={`语音 ${payload.second} 秒`}
    >
      {failed ? (
        '加载失败，点击重试'
      ) : (
        <>
          <i aria-hidden>{playing ? '❚❚' : '▶'}</i> {payload.second}″
        </>
      )}
      {url && (
        <audio ref={player} src={url} onPlay={() => setPlaying(true)} onPause={() => setPlaying(false)} onEnded={() => setPlaying(false)} />
      )}
    </button>
  );
}
