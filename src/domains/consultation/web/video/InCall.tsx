import { useEffect, useState } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import { Picture } from './Picture.tsx';
import { barsOf } from './call/quality.ts';
import { isShort, type CallPicture, type CallSession } from './call/session.ts';

const two = (n: number) => String(n).padStart(2, '0');
const length = (seconds: number) =>
  `${seconds >= 3600 ? `${Math.floor(seconds / 3600)}:` : ''}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;

function useSeconds(since: number | null): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (since === null) return;
    const tick = () => setSeconds(Math.floor((Date.now() - since) / 1000));
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [since]);
  return seconds;
}

function Bars({ bars }: { bars: number | null }) {
  const words = ['', '网络很差', '网络较差', '网络一般', '网络良好'][bars ?? 0] ?? '';
  return (
    <span className={`kq-video-bars kq-video-bars-${bars ?? 0}`} role="img" aria-label={words} title={words}>
      {[1, 2, 3, 4].map((n) => (
        <i key={n} className={n <= (bars ?? 0) ? 'kq-on' : undefined} />
      ))}
    </span>
  );
}

/** Up to four tiles, the controls, and what goes wrong; small, the page below can be used. */
export function InCall({
  session,
  picture,
  small,
  onSmall,
  screen,
}: {
  session: CallSession;
  picture: CallPicture;
  small: boolean;
  onSmall(small: boolean): void;
  screen: boolean;
}) {
  const { partners, local, phase, trouble, audio, video, left } = picture;
  const seconds = useSeconds(picture.since);
  const manyCameras = typeof navigator !== 'undefined' && navigator.maxTouchPoints > 0;
  const control = (label: string, sign: IconName, act: () => void, off = false) => (
    <button type="button" className={off ? 'kq-video-control kq-off' : 'kq-video-control'} aria-pressed={off} onClick={act}>
      <Icon name={sign} />
      {label}
    </button>
  );
  return (
    <div className={small ? 'kq-video kq-video-small' : 'kq-video kq-video-call'} role="dialog" aria-label="视频通话">
      <header className="kq-video-head">
        <b>{phase === 'calling' ? '等待对方接听…' : length(seconds)}</b>
        <Bars bars={picture.bars} />
        {left !== null && (
          <span className={isShort(left) ? 'kq-video-short' : undefined}>
            {isShort(left) ? `本次问诊视频时长仅剩${left}秒` : `剩余视频时长 ${length(left)}`}
          </span>
        )}
        <button type="button" className="kq-video-link" onClick={() => onSmall(!small)}>
          {small ? '展开' : '最小化'}
        </button>
      </header>
      {trouble && (
        <p className="kq-video-trouble" role="alert">
          {trouble}
        </p>
      )}
      {picture.note && !trouble && (
        <p className="kq-video-trouble" role="status">
          {picture.note}
        </p>
      )}
      <div className={`kq-video-tiles kq-video-tiles-${partners.length + 1}`}>
        {partners.map(({ userID, nick, stream, facts, network, state }) => (
          <figure
            key={userID}
            className={facts.screen ? 'kq-video-tile kq-video-screen' : 'kq-video-tile'}
            data-user={userID}
            data-state={state}
          >
            <Picture stream={stream} label={nick.trim() || '对方'} hidden={!facts.video} />
            <figcaption>
              {nick}
              {userID.startsWith('D') && '医生'}
              {!facts.audio && <span title="已静音">（已静音）</span>}
              {network && <Bars bars={barsOf(network)} />}
            </figcaption>
          </figure>
        ))}
        {local && (
          <figure className="kq-video-tile kq-video-self" data-user="self">
            <Picture stream={local} muted mirrored label="我" hidden={!video || local.getVideoTracks().length === 0} />
            <figcaption>
              我{!audio && '（已静音）'}
              {picture.screen && '（正在共享屏幕）'}
            </figcaption>
          </figure>
        )}
      </div>
      <footer className="kq-video-controls">
        {control(audio ? '静音' : '取消静音', 'mic', () => session.toggleAudio(), !audio)}
        {!picture.soundOnly && control(video ? '关闭摄像头' : '打开摄像头', 'camera', () => void session.toggleVideo(), !video)}
        {!picture.soundOnly && manyCameras && control('切换摄像头', 'turn', () => void session.turnCamera())}
        {screen &&
          !picture.soundOnly &&
          'mediaDevices' in navigator &&
          'getDisplayMedia' in navigator.mediaDevices &&
          control(picture.screen ? '停止共享' : '共享屏幕', 'screen', () => void session.shareScreen(), picture.screen)}
        <button type="button" className="kq-video-button kq-video-red" onClick={() => void session.hangUp()}>
          挂断
        </button>
      </footer>
    </div>
  );
}
