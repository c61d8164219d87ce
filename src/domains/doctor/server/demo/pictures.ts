import { createCanvas, type Canvas } from '@napi-rs/canvas';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';
import { drawStamp } from '#kernel/server/demo/stamp.ts';

export interface CertPicture {
  title: string;
  colour: string;
  rows: readonly (readonly [label: string, value: string])[];
}
const [WIDTH, HEIGHT] = [640, 420];

/** Canvases that are drawn on again: a new one for each picture would keep the memory's keeper busier than the pen. */
const free: Canvas[] = [];

/** A readable certificate of the demonstration, marked as such; the program goes on while it is packed. */
export async function drawCert({ title, colour, rows }: CertPicture): Promise<Buffer> {
  useChineseFont();
  const canvas = free.pop() ?? createCanvas(WIDTH, HEIGHT);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#fbfaf5';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, WIDTH, 68);
  pen.fillStyle = '#ffffff';
  pen.font = `30px ${FAMILY}`;
  pen.textAlign = 'center';
  pen.fillText(title, WIDTH / 2, 46);
  pen.textAlign = 'left';
  pen.font = `20px ${FAMILY}`;
  for (const [at, [label, value]] of rows.entries()) {
    pen.fillStyle = '#7a7a72';
    pen.fillText(label, 36, 116 + at * 38);
    pen.fillStyle = '#1f1f1c';
    pen.fillText(value, 176, 116 + at * 38, WIDTH - 212);
  }
  drawStamp(pen, '演示样证', [WIDTH - 120, HEIGHT - 76], -0.3);
  const body = await canvas.encode('jpeg', 80);
  free.push(canvas);
  return body;
}

const AT_ONCE = 6;

/** Many certificates, in the order given. */
export async function drawCerts(pictures: readonly CertPicture[]): Promise<Buffer[]> {
  const bodies: Buffer[] = [];
  for (let at = 0; at < pictures.length; at += AT_ONCE) bodies.push(...(await Promise.all(pictures.slice(at, at + AT_ONCE).map(drawCert))));
  return bodies;
}

const COLOURS = ['#1f7a8c', '#3a6b35', '#7a4e8f', '#9a5b13', '#2f5d9b', '#8c2f39'];

/** A portrait of the demonstration: the family name on a plain ground. */
export function drawAvatar(name: string, index: number): Buffer {
  useChineseFont();
  const canvas = createCanvas(240, 240);
  const pen = canvas.getContext('2d');
  pen.fillStyle = COLOURS[index % COLOURS.length]!;
  pen.fillRect(0, 0, 240, 240);
  pen.fillStyle = '#ffffff';
  pen.font = `120px ${FAMILY}`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(name.slice(0, 1), 120, 126);
  return canvas.toBuffer('image/jpeg', 80);
}
