/** What the browser gave, and what the operator reads where it gave less. */
export interface Media {
  stream: MediaStream;
  note: string | null;
}
export interface Devices {
  cameras: MediaDeviceInfo[];
  microphones: MediaDeviceInfo[];
}
export interface Wanted {
  soundOnly: boolean;
  cameraId?: string | undefined;
  microphoneId?: string | undefined;
  /** Phones: the camera on this side. */
  facing?: 'user' | 'environment';
}

const DENIED = '浏览器未授权使用摄像头或麦克风，请在地址栏左侧开启';
const NO_CAMERA = '未检测到摄像头，将仅使用语音';
const NOTHING = '未检测到摄像头和麦克风，您只能观看';
const INSECURE = '当前网址不是安全连接（https），浏览器不允许使用摄像头和麦克风';

const isDenied = (error: unknown) => error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'SecurityError');
const exact = (id: string | undefined) => (id === undefined ? {} : { deviceId: { exact: id } });

/**
 * Camera and microphone, or what there is of them. A refusal of the person or the browser leaves him watching, and says how to change it.
 */
export async function openMedia({ soundOnly, cameraId, microphoneId, facing }: Wanted): Promise<Media> {
  const devices = globalThis.navigator?.mediaDevices;
  if (!devices) return { stream: new MediaStream(), note: INSECURE };
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, ...exact(microphoneId) };
  const video = {
    width: { ideal: 1280 },
    height: { ideal: 720 },
    frameRate: { ideal: 24, max: 30 },
    ...exact(cameraId),
    ...(facing && { facingMode: facing }),
  };
  try {
    if (!soundOnly) return { stream: await devices.getUserMedia({ audio, video }), note: null };
  } catch (error) {
    if (isDenied(error)) return { stream: new MediaStream(), note: DENIED };
  }
  try {
    return { stream: await devices.getUserMedia({ audio }), note: soundOnly ? null : NO_CAMERA };
  } catch (error) {
    return { stream: new MediaStream(), note: isDenied(error) ? DENIED : NOTHING };
  }
}

export async function listDevices(): Promise<Devices> {
  const all = (await globalThis.navigator?.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
  const of = (kind: MediaDeviceKind) => all.filter((device) => device.kind === kind && device.deviceId !== '');
  return { cameras: of('videoinput'), microphones: of('audioinput') };
}

export const stopMedia = (stream: MediaStream | null): void => stream?.getTracks().forEach((track) => track.stop());

/** Loudness of a microphone, 0 to 1, many times a second. @returns how to end it. */
export function listenLoudness(stream: MediaStream, onLevel: (level: number) => void): () => void {
  if (stream.getAudioTracks().length === 0) return () => {};
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 256;
  context.createMediaStreamSource(stream).connect(analyser);
  const bytes = new Uint8Array(analyser.frequencyBinCount);
  const timer = setInterval(() => {
    analyser.getByteFrequencyData(bytes);
    onLevel(Math.min(1, bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length / 96));
  }, 120);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}
