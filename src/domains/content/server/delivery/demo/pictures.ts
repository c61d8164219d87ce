import { createCanvas } from '@napi-rs/canvas';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { CONTENT_IMAGE } from '../../../contract/delivery/files.ts';
import type { Position } from '../../../contract/delivery/positions.ts';

const COLOURS = [
  ['#1f7a6c', '#58b09c'],
  ['#35507a', '#7295c9'],
  ['#8a4b2f', '#d08a5b'],
  ['#6a3f73', '#a97fb4'],
  ['#2f6b3a', '#7fb069'],
] as const;

export interface DemoPicture {
  title: string;
  words: string;
  /** Written into its corner; an advertisement says that it is one. */
  corner: string;
}

function draw({ title, words, corner }: DemoPicture, { widthPx: width, heightPx: height }: Position, turn: number): Buffer {
  const [from, to] = COLOURS[turn % COLOURS.length] ?? COLOURS[0];
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  const shade = pen.createLinearGradient(0, 0, width, height);
  shade.addColorStop(0, from);
  shade.addColorStop(1, to);
  pen.fillStyle = shade;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = 'rgba(255, 255, 255, 0.14)';
  pen.beginPath();
  pen.arc(width * 0.86, height * 0.3, Math.min(width, height) * 0.5, 0, Math.PI * 2);
  pen.fill();
  const big = Math.max(22, Math.round(Math.min(width / 11, height / 5)));
  const left = Math.round(width * 0.06);
  pen.fillStyle = '#ffffff';
  pen.textBaseline = 'middle';
  pen.font = `${big}px ${FAMILY}`;
  pen.fillText(title, left, height * 0.42, width - 2 * left);
  pen.font = `${Math.round(big * 0.5)}px ${FAMILY}`;
  pen.fillText(words, left, height * 0.42 + big * 1.1, width - 2 * left);
  pen.font = `20px ${FAMILY}`;
  pen.fillText(corner, left, height - 22, width - 2 * left);
  return canvas.toBuffer('image/jpeg', 82);
}

/** Pictures of the demonstration in the size of their places; their files in the order given. */
export async function storePictures(
  kernel: Kernel,
  tx: Tx,
  wanted: readonly { picture: DemoPicture; position: Position }[],
  createdBy: string,
  now: Instant,
): Promise<string[]> {
  useChineseFont();
  const files = await kernel.ports.files.storeAll(
    tx,
    wanted.map(({ picture, position }, turn) => ({
      purpose: CONTENT_IMAGE,
      name: `${picture.title}.jpg`,
      body: draw(picture, position, turn),
      contentType: 'image/jpeg',
      createdBy,
    })),
    now,
  );
  return files.map(({ fileId }) => fileId);
}
