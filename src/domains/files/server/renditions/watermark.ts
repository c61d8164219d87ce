import { type Canvas, type SKRSContext2D, createCanvas, loadImage } from '@napi-rs/canvas';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';

const ANGLE = -Math.PI / 6;
const JPEG_QUALITY = 82;

function useFont(): void {
  useChineseFont();
}

/** Draws the text at 30° all over the picture, light enough to read through, dense enough not to be cut away. */
function drawMarks(context: SKRSContext2D, width: number, height: number, text: string): void {
  useFont();
  const size = Math.max(14, Math.round(Math.min(width, height) / 28));
  context.save();
  context.font = `${size}px ${FAMILY}`;
  context.rotate(ANGLE);
  const stepX = context.measureText(text).width + size * 4;
  const stepY = size * 6;
  const reach = Math.hypot(width, height);
  for (let row = 0, y = -reach; y < reach; y += stepY, row += 1) {
    for (let x = -reach + (row % 2) * (stepX / 2); x < reach; x += stepX) {
      context.fillStyle = 'rgba(255,255,255,0.28)';
      context.fillText(text, x + 1, y + 1);
      context.fillStyle = 'rgba(90,90,90,0.26)';
      context.fillText(text, x, y);
    }
  }
  context.restore();
}

export interface Picture {
  bytes: Buffer;
  width: number;
  height: number;
}

const jpeg = (canvas: Canvas): Buffer => canvas.toBuffer('image/jpeg', JPEG_QUALITY);

/** A picture scaled to at most `side` pixels, as JPEG on white. */
export async function scaled(bytes: Buffer, side: number): Promise<Picture> {
  const image = await loadImage(bytes);
  const ratio = Math.min(1, side / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * ratio));
  const height = Math.max(1, Math.round(image.height * ratio));
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  return { bytes: jpeg(canvas), width, height };
}

/** The same picture with the reader's name over it. */
export async function marked(bytes: Buffer, text: string): Promise<Buffer> {
  const image = await loadImage(bytes);
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  drawMarks(context, image.width, image.height, text);
  return jpeg(canvas);
}
