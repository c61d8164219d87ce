import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MeshParts } from './mesh.ts';
import { TrtcRoom, type VendorRoom } from './trtcRoom.ts';

interface Track {
  kind: string;
  id: string;
}
class Stream {
  readonly tracks: Track[] = [];
  getVideoTracks = () => this.tracks;
  addTrack = (track: Track) => void this.tracks.push(track);
  removeTrack = (track: Track) => void this.tracks.splice(this.tracks.indexOf(track), 1);
}
beforeAll(() => void vi.stubGlobal('MediaStream', Stream));
afterAll(() => void vi.unstubAllGlobals());

const track = (id: string, kind = 'video') => ({ id, kind }) as MediaStreamTrack;

function makeRoom(
  local: { audio: MediaStreamTrack | null; video: MediaStreamTrack | null },
  enter: () => Promise<void> = () => Promise.resolve(),
) {
  const asked: [string, unknown][] = [];
  const handlers = new Map<string, (event: never) => void>();
  const note = (name: string) => (o?: unknown) => {
    asked.push([name, o]);
    return Promise.resolve();
  };
  const vendor: VendorRoom = {
    enterRoom: (o) => note('enterRoom')(o).then(enter),
    exitRoom: note('exitRoom'),
    destroy: () => void asked.push(['destroy', undefined]),
    startLocalAudio: note('startLocalAudio'),
    updateLocalAudio: note('updateLocalAudio'),
    stopLocalAudio: note('stopLocalAudio'),
    startLocalVideo: note('startLocalVideo'),
    updateLocalVideo: note('updateLocalVideo'),
    stopLocalVideo: note('stopLocalVideo'),
    startRemoteVideo: note('startRemoteVideo'),
    getVideoTrack: ({ userId, streamType }) => track(`${userId}-${streamType}`),
    on: (name, handler) => handlers.set(name, handler),
  };
  const heard: string[] = [];
  const parts: MeshParts = {
    me: 'A1',
    roomId: '4294967294',
    iceServers: [],
    local: () => local,
    facts: () => ({ audio: true, video: true, screen: false }),
    send: () => void heard.push('send'),
    changed: () => void heard.push('changed'),
    left: (id) => void heard.push(`left ${id}`),
    lost: () => void heard.push('lost'),
  };
  const room = new TrtcRoom(parts, { sdkAppID: 1_400_000_123, userSig: 'signed' }, () => Promise.resolve(vendor));
  return { room, asked, heard, tell: (name: string, event: object = {}) => handlers.get(name)?.(event as never) };
}

describe('the vendor room', () => {
  it('is entered with number and sign, publishes our own tracks, and is left once', async () => {
    const camera = track('camera');
    const { room, asked } = makeRoom({ audio: track('mic', 'audio'), video: camera });
    await room.replace('video', null);
    await room.replace('video', track('screen'));
    await room.replace('video', camera);
    room.close();
    room.close();
    await expect
      .poll(() => asked.map(([name]) => name))
      .toEqual([
        'enterRoom',
        'startLocalAudio',
        'startLocalVideo',
        'stopLocalVideo',
        'startLocalVideo',
        'updateLocalVideo',
        'exitRoom',
        'destroy',
      ]);
    expect(asked[0]).toEqual([
      'enterRoom',
      { sdkAppId: 1_400_000_123, userId: 'A1', userSig: 'signed', roomId: 4_294_967_294, scene: 'rtc' },
    ]);
  });

  it('shows who is there, with picture and sound, and says who left', async () => {
    const { room, heard, tell } = makeRoom({ audio: null, video: null });
    await room.replace('audio', null);
    tell('remote-user-enter', { userId: 'P1' });
    tell('remote-audio-available', { userId: 'P1' });
    tell('remote-video-available', { userId: 'P1', streamType: 'main' });
    tell('network-quality', { uplinkRTT: 80, uplinkLoss: 2, downlinkLoss: 5 });
    await expect
      .poll(() => room.partners)
      .toMatchObject([
        {
          userID: 'P1',
          state: 'connected',
          facts: { audio: true, video: true, screen: false },
          network: { rttMs: 80, lostBp: 500 },
          noPath: false,
        },
      ]);
    expect(room.partners[0]!.stream.getVideoTracks()).toEqual([{ id: 'P1-main', kind: 'video' }]);
    tell('remote-video-unavailable', { userId: 'P1', streamType: 'main' });
    expect(room.partners[0]!.facts.video).toBe(false);
    tell('connection-state-changed', { state: 'RECONNECTING' });
    expect(room.partners[0]!.state).toBe('disconnected');
    tell('remote-user-exit', { userId: 'P1' });
    expect(room.partners).toEqual([]);
    expect(heard).toContain('left P1');
    expect(heard).not.toContain('send');
  });

  it('says so when it cannot be entered', async () => {
    const { heard } = makeRoom({ audio: null, video: null }, () => Promise.reject(new Error('no')));
    await expect.poll(() => heard).toContain('lost');
  });
});
