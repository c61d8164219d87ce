import { useEffect, useRef, useState } from 'react';

const LONGEST_SEC = 60;
const SHORTEST_SEC = 1;
const TYPES = [
  ['audio/mp4', 'm4a'],
  ['audio/webm;codecs=opus', 'webm'],
  ['audio/webm', 'webm'],
] as const;

/** Records the voice: first press begins, second sends; a minute at most. */
export function useVoice(onDone: (file: File, second: number) => void, onFault: (text: string) => void) {
  const [seconds, setSeconds] = useState<number | null>(null);
  const recorder = useRef<MediaRecorder | null>(null);
  const dropped = useRef(false);
  const end = () => recorder.current?.state === 'recording' && recorder.current.stop();
  useEffect(
    () => () => {
      dropped.current = true;
      end();
    },
    [],
  );
  const begin = async () => {
    const type = typeof MediaRecorder === 'undefined' ? undefined : TYPES.find(([name]) => MediaRecorder.isTypeSupported(name));
    const stream = type && (await navigator.mediaDevices?.getUserMedia({ audio: true }).catch(() => null));
    if (!type || !stream) return onFault(type ? '浏览器未授权使用麦克风，请在地址栏左侧开启' : '当前浏览器不支持录音');
    const made = new MediaRecorder(stream, { mimeType: type[0] });
    const chunks: Blob[] = [];
    const began = Date.now();
    const timer = setInterval(() => {
      const passed = Math.floor((Date.now() - began) / 1000);
      setSeconds(passed);
      if (passed >= LONGEST_SEC) end();
    }, 250);
    made.ondataavailable = ({ data }) => chunks.push(data);
    made.onstop = () => {
      clearInterval(timer);
      stream.getTracks().forEach((track) => track.stop());
      setSeconds(null);
      const length = Math.min(LONGEST_SEC, Math.round((Date.now() - began) / 1000));
      if (dropped.current) return;
      if (length < SHORTEST_SEC) return onFault('说话时间太短');
      onDone(new File(chunks, `voice-${began}.${type[1]}`, { type: type[0].split(';')[0] ?? '' }), length);
    };
    dropped.current = false;
    recorder.current = made;
    setSeconds(0);
    made.start();
  };
  return {
    /** Null while nothing is recorded. */
    seconds,
    toggle: async () => (recorder.current?.state === 'recording' ? end() : begin()),
    cancel: () => {
      dropped.current = true;
      end();
    },
  };
}
