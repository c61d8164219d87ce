const PAUSE_MS = 2_000;
const TONES = [
  [660, 0],
  [880, 0.22],
] as const;

/** Rings until the returned function is called; silent where the browser allows no sound before a click. */
export function ring(): () => void {
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
