import type { SKRSContext2D } from '@napi-rs/canvas';

/** The red mark by which a picture of the demonstration is distinguished from a real paper; `at` is its middle, the angle in radians. */
export function drawStamp(pen: SKRSContext2D, text: string, at: readonly [x: number, y: number], angle: number): void {
  pen.save();
  pen.translate(...at);
  pen.rotate(angle);
  pen.strokeStyle = 'rgba(200, 40, 40, 0.6)';
  pen.fillStyle = 'rgba(200, 40, 40, 0.6)';
  pen.lineWidth = 3;
  pen.strokeRect(-88, -30, 176, 50);
  pen.textAlign = 'center';
  pen.fillText(text, 0, 3);
  pen.restore();
}
