import { createCanvas, loadImage } from '@napi-rs/canvas';
import { refuse } from '#kernel/contract/errors.ts';
import { fileErrors } from '../../contract/errors.ts';
import type { Size } from './images.ts';

const COLUMNS = 9;
const ROWS = 8;
/** Larger pictures are not decoded for it: four bytes a pixel. */
const MAX_PIXELS = 25_000_000;

/**
 * 64-bit difference hash in hex: neighbouring brightness compared on a 9 x 8 grid. Copies that were scaled or
 * compressed again differ in a few bits only. Null for very large pictures.
 * @throws Refusal SCM02007 when the picture cannot be decoded.
 */
export async function perceptualHash(bytes: Buffer, size: Size): Promise<string | null> {
  if (size.width * size.height > MAX_PIXELS) return null;
  const image = await loadImage(bytes).catch(() => {
    throw refuse(fileErrors.UNREADABLE, { reason: '损坏' });
  });
  const context = createCanvas(COLUMNS, ROWS).getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, COLUMNS, ROWS);
  context.drawImage(image, 0, 0, COLUMNS, ROWS);
  const { data } = context.getImageData(0, 0, COLUMNS, ROWS);
  const light = (column: number, row: number) => {
    const at = (row * COLUMNS + column) * 4;
    return data[at]! * 299 + data[at + 1]! * 587 + data[at + 2]! * 114;
  };
  let hash = 0n;
  for (let row = 0; row < ROWS; row += 1) {
    for (let column = 0; column < COLUMNS - 1; column += 1) hash = (hash << 1n) | (light(column, row) < light(column + 1, row) ? 1n : 0n);
  }
  return hash.toString(16).padStart(16, '0');
}
