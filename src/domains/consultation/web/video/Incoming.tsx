import { useEffect, useState } from 'react';
import type { ImInvite } from '../../contract/im/client.ts';
import type { CallCenter } from './center.ts';

const PAUSE_MS = 2_000;
const TONES = [
  [660, 0],
  [880, 0.22],
] as const;

/** Rings until the returned function is called; silent where the browser allows no sound before a click. */
function ring(): () => void {
  const context = typeof AudioContext === 'undefined' ? null : new AudioContext();
  const once = () => {
    if (context?.state !== 'running') return;
    for (const [frequency, after] of TONES) {
      const tone = context.createOscillator();
      const volume = context.createGain();
      volume.gain.value = 0.08;
      tone.frequency.value = frequency;
      tone.connect(volume).connect(context.destination);
      tone.start(context.currentTime + after);
      tone.stop(context.currentTime + after + 0.2);
    }
  };
  once();
  const timer = setInterval(once, PAUSE_MS);
  navigator.vibrate?.([300, 200, 300]);
  return () => {
    clearInterval(timer);
    void context?.close();
  };
}

/** Somebody calls: who, take it or refuse it. */
export function Incoming({ center, invite, onTake, onRefuse }: { center: CallCenter; invite: ImInvite; onTake(): void; onRefuse(): void }) {
  const [nick, setNick] = useState('');
  useEffect(() => {
    let here = true;
    center.ports.client.getUserProfile({ userIDList: [invite.inviter] }).then(
      ({ data }) => here && setNick(data[0]?.nick ?? ''),
      () => {},
    );
    return () => void (here = false);
  }, [center, invite.inviter]);
  useEffect(ring, []);
  const role = invite.inviter.startsWith('D') ? '医生' : '';
  return (
    <div className="kq-video-incoming" role="alertdialog" aria-label="视频通话邀请">
      <span className="kq-video-face" aria-hidden>
        {nick.slice(0, 1) || '…'}
      </span>
      <p>
        <b>{nick ? `${nick}${role}` : '对方'}</b>
        <span>邀请您视频通话</span>
      </p>
      <div className="kq-video-row">
        <button type="button" className="kq-video-button kq-video-red" onClick={onRefuse}>
          拒绝
        </button>
        <button type="button" className="kq-video-button kq-video-green" autoFocus onClick={onTake}>
          接听
        </button>
      </div>
    </div>
  );
}
