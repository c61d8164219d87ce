import { useEffect, useState } from 'react';
import { listDevices, listenLoudness, type Devices } from './call/media.ts';
import { Picture } from './Picture.tsx';
import type { CallPicture, CallSession } from './call/session.ts';

const NONE: Devices = { cameras: [], microphones: [] };

/** Before the call: do I see and hear myself, with which devices. */
export function Check({ session, picture, onCancel }: { session: CallSession; picture: CallPicture; onCancel(): void }) {
  const { local, note, phase } = picture;
  const [devices, setDevices] = useState(NONE);
  const [loudness, setLoudness] = useState(0);
  useEffect(() => {
    if (!local) return;
    let here = true;
    void listDevices().then((found) => here && setDevices(found));
    const quiet = listenLoudness(local, setLoudness);
    return () => {
      here = false;
      quiet();
    };
  }, [local]);
  const choice = (label: string, list: readonly MediaDeviceInfo[], kind: 'audio' | 'video', choose: (id: string) => void) =>
    list.length > 0 && (
      <label className="kq-video-choice">
        {label}
        <select
          value={
            local
              ?.getTracks()
              .find((track) => track.kind === kind)
              ?.getSettings().deviceId ?? ''
          }
          onChange={(event) => choose(event.target.value)}
        >
          {list.map(({ deviceId, label: name }, index) => (
            <option key={deviceId} value={deviceId}>
              {name || `${label}${index + 1}`}
            </option>
          ))}
        </select>
      </label>
    );
  const entering = phase === 'entering';
  return (
    <div className="kq-video kq-video-check" role="dialog" aria-modal aria-label="设备检测">
      <h3>{picture.soundOnly ? '语音通话' : '视频通话'}</h3>
      <div className="kq-video-preview">
        {local ? (
          <Picture stream={local} muted mirrored hidden={local.getVideoTracks().length === 0} label="我" />
        ) : (
          <p>正在打开摄像头和麦克风…</p>
        )}
      </div>
      <div
        className="kq-video-loudness"
        role="meter"
        aria-label="麦克风音量"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(loudness * 100)}
      >
        <i style={{ width: `${Math.round(loudness * 100)}%` }} />
      </div>
      {note && (
        <p className="kq-video-note" role="alert">
          {note}
        </p>
      )}
      {choice('摄像头', devices.cameras, 'video', (cameraId) => void session.prepare({ cameraId }))}
      {choice('麦克风', devices.microphones, 'audio', (microphoneId) => void session.prepare({ microphoneId }))}
      <div className="kq-video-row">
        <button type="button" className="kq-video-button" onClick={onCancel}>
          取消
        </button>
        <button type="button" className="kq-video-button kq-video-green" disabled={!local || entering} onClick={() => void session.start()}>
          {entering ? '正在进入…' : session.wish.kind === 'call' ? '开始通话' : '进入通话'}
        </button>
      </div>
    </div>
  );
}
