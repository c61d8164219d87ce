/** What may ring, and when it may not. */
export interface RingPreference {
  sound: boolean;
  desktop: boolean;
  /** 免打扰时段, HH:mm; equal ends = none. */
  quietFrom: string;
  quietTo: string;
}
export const RINGING_KEY = 'table:assistantIM.ringing';
export const ringDefaults: RingPreference = { sound: true, desktop: false, quietFrom: '00:00', quietTo: '00:00' };

/** Whether a time of day lies in the quiet hours, also where they pass midnight. */
function isQuiet({ quietFrom, quietTo }: RingPreference, time: string): boolean {
  if (quietFrom === quietTo) return false;
  return quietFrom < quietTo ? time >= quietFrom && time < quietTo : time >= quietFrom || time < quietTo;
}

const timeOfDay = () =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit', hour12: false }).format(new Date());

let audio: AudioContext | undefined;
/** Two short tones; four higher ones when somebody needs help at once. */
function beep(urgent: boolean): void {
  audio ??= new AudioContext();
  const tones = urgent ? [988, 784, 988, 784] : [660, 880];
  for (const [index, frequency] of tones.entries()) {
    const start = audio.currentTime + index * 0.16;
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(0.12, start + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.15);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.16);
  }
}

/** Rings and shows a notice of the browser, as far as the person wants it. Urgent ones pass the quiet hours. */
export function ring(
  preference: RingPreference,
  notice: { title: string; body: string; tag: string; urgent?: boolean; onClick?: () => void },
): void {
  if (!notice.urgent && isQuiet(preference, timeOfDay())) return;
  if (preference.sound) beep(notice.urgent ?? false);
  if (!preference.desktop || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  const shown = new Notification(notice.title, { body: notice.body, tag: notice.tag });
  shown.onclick = () => {
    window.focus();
    notice.onClick?.();
    shown.close();
  };
}

/** Preference: whether Enter sends. */
export const ENTER_KEY = 'table:assistantIM.enter';
