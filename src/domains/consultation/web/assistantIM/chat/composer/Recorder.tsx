import { useEffect, useRef, useState } from 'react';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { useDesk } from '../../desk/useDesk.ts';

const LONGEST_SEC = 60;
const TYPES = ['audio/mp4', 'audio/webm'] as const;

/** Records a voice message of at most a minute; it is sent with 发送, thrown away with 取消. */
export function Recorder({ onClose }: { onClose(): void }) {
  const desk = useDesk();
  const [seconds, setSeconds] = useState(0);
  const recorder = useRef<MediaRecorder | null>(null);
  const wanted = useRef(false);
  const length = useRef(0);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    let stream: MediaStream | null = null;
    let gone = false;
    let timer: ReturnType<typeof setInterval> | undefined;
    const chunks: Blob[] = [];
    const begin = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (gone) return stream.getTracks().forEach((track) => track.stop());
      const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
      const made = new MediaRecorder(stream, mimeType ? { mimeType } : {});
      recorder.current = made;
      made.ondataavailable = ({ data }) => chunks.push(data);
      made.onstop = () => {
        stream?.getTracks().forEach((track) => track.stop());
        if (!wanted.current || chunks.length === 0) return;
        const ending = made.mimeType.includes('mp4') ? 'm4a' : 'webm';
        void desk.chat.sendFile('audio', new File(chunks, `语音.${ending}`, { type: made.mimeType }), Math.max(1, length.current));
      };
      made.start();
      timer = setInterval(() => {
        length.current += 1;
        setSeconds(length.current);
        if (length.current < LONGEST_SEC) return;
        wanted.current = true;
        close.current();
      }, 1000);
      return undefined;
    };
    begin().catch(() => {
      if (gone) return;
      toastError('浏览器未授权使用麦克风，请在地址栏左侧开启');
      close.current();
    });
    return () => {
      gone = true;
      clearInterval(timer);
      if (recorder.current?.state === 'recording') recorder.current.stop();
      else stream?.getTracks().forEach((track) => track.stop());
    };
  }, [desk]);
  return (
    <p className="im-recorder" role="status">
      <i aria-hidden /> 正在录音 <b className="kq-number">{seconds}″</b> / {LONGEST_SEC}″
      <span className="im-grow" />
      <button type="button" className="kq-link" onClick={onClose}>
        取消
      </button>
      <button type="button" className="im-send" disabled={seconds < 1} onClick={() => ((wanted.current = true), onClose())}>
        发送
      </button>
    </p>
  );
}
