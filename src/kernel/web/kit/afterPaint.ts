/**
 * Does what can wait once the present change is on the screen.
 * @returns takes it back, as an effect's clean-up does.
 */
export function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A timer that is set within a frame fires after that frame was painted.
  const frame = requestAnimationFrame(() => (timer = setTimeout(act)));
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
