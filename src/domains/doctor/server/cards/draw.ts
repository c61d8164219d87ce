import { createCanvas, loadImage, type Image, type SKRSContext2D } from '@napi-rs/canvas';
import { firstCharacters } from '#kernel/contract/plainText.ts';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';
import QRCode from 'qrcode';
import type { CardFacts } from './facts.ts';

export const POSTER = { width: 750, height: 1334 } as const;
export const CARD = { width: 1000, height: 600 } as const;
const THUMB = { width: 90, height: 160 } as const;

const palettes = {
  BLUE: { from: '#0B3D91', to: '#2F6FDE', accent: '#0B3D91', soft: '#EAF1FD', seal: '#FFFFFF' },
  GREEN: { from: '#0B6E5B', to: '#2FA98C', accent: '#0B6E5B', soft: '#E8F6F2', seal: '#FFFFFF' },
  GOLD: { from: '#3A2A12', to: '#8A6A2F', accent: '#6B4E1C', soft: '#FAF4E6', seal: '#F3D9A0' },
} as const;
type Palette = (typeof palettes)[keyof typeof palettes];

export interface Pictures {
  card: Buffer;
  poster: Buffer;
  /** Small picture of the poster, as a data address. */
  thumb: string;
}

type Pen = SKRSContext2D;
const write = (pen: Pen, text: string, x: number, y: number, size: number, colour: string, bold = false) => {
  pen.font = `${size}px ${FAMILY}`;
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
  // The embedded face has one weight: a hair's outline makes a heading.
  if (!bold) return;
  pen.strokeStyle = colour;
  pen.lineWidth = size / 28;
  pen.strokeText(text, x, y);
};

/** Lines of at most `width` pixels; the last of `most` ends in … where there is more. */
function linesOf(pen: Pen, text: string, size: number, width: number, most: number): string[] {
  pen.font = `${size}px ${FAMILY}`;
  const lines: string[] = [];
  let line = '';
  for (const sign of text.replaceAll(/\s+/g, ' ').trim()) {
    if (pen.measureText(line + sign).width <= width) {
      line += sign;
      continue;
    }
    lines.push(line);
    line = sign;
    if (lines.length === most) {
      lines[most - 1] = `${lines[most - 1]!.slice(0, -1)}…`;
      return lines;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** One line as large as it can be, which ends in … where even the smallest is too long. */
function heading(pen: Pen, text: string, at: { x: number; y: number; width: number; most: number; least: number; colour: string }): void {
  let size = at.most;
  for (; size > at.least; size -= 2) {
    pen.font = `${size}px ${FAMILY}`;
    if (pen.measureText(text).width <= at.width) break;
  }
  write(pen, linesOf(pen, text, size, at.width, 1)[0] ?? '', at.x, at.y, size, at.colour, true);
}

function paragraph(
  pen: Pen,
  text: string,
  at: { x: number; y: number; width: number; size: number; most: number; colour: string },
): number {
  const lines = linesOf(pen, text, at.size, at.width, at.most);
  for (const [index, line] of lines.entries()) write(pen, line, at.x, at.y + index * at.size * 1.55, at.size, at.colour);
  return at.y + lines.length * at.size * 1.55;
}

/** Modules of a code on white, with the quiet zone that readers want. */
function qr(pen: Pen, link: string, x: number, y: number, side: number): void {
  const { modules } = QRCode.create(link, { errorCorrectionLevel: 'M' });
  const margin = 3;
  const cells = modules.size + margin * 2;
  const at = (cell: number) => Math.floor(((cell + margin) * side) / cells);
  pen.fillStyle = '#FFFFFF';
  pen.fillRect(x, y, side, side);
  pen.fillStyle = '#000000';
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1)
      if (modules.get(row, column)) pen.fillRect(x + at(column), y + at(row), at(column + 1) - at(column), at(row + 1) - at(row));
  }
}

/** The face in a circle; without a picture the first sign of the name. */
function face(pen: Pen, facts: CardFacts, avatar: Image | null, x: number, y: number, radius: number, palette: Palette): void {
  pen.save();
  pen.beginPath();
  pen.arc(x, y, radius, 0, Math.PI * 2);
  pen.fillStyle = palette.soft;
  pen.fill();
  pen.clip();
  if (avatar) {
    const scale = Math.max((radius * 2) / avatar.width, (radius * 2) / avatar.height);
    pen.drawImage(avatar, x - (avatar.width * scale) / 2, y - (avatar.height * scale) / 2, avatar.width * scale, avatar.height * scale);
  } else {
    pen.textAlign = 'center';
    write(pen, firstCharacters(facts.name, 1), x, y + radius * 0.36, radius, palette.accent, true);
    pen.textAlign = 'left';
  }
  pen.restore();
}

function chips(pen: Pen, words: readonly string[], at: { x: number; y: number; width: number }, palette: Palette, size = 26): number {
  let [x, y] = [at.x, at.y];
  pen.font = `${size}px ${FAMILY}`;
  for (const word of words) {
    const width = Math.min(at.width, pen.measureText(word).width + size * 1.4);
    if (x > at.x && x + width > at.x + at.width) [x, y] = [at.x, y + size * 2.1];
    pen.fillStyle = palette.soft;
    pen.beginPath();
    pen.roundRect(x, y, width, size * 1.75, size * 0.4);
    pen.fill();
    write(pen, linesOf(pen, word, size, at.width - size * 1.4, 1)[0] ?? '', x + size * 0.7, y + size * 1.22, size, palette.accent);
    x += width + size * 0.6;
  }
  return words.length === 0 ? at.y : y + size * 2.3;
}

const band = (pen: Pen, palette: Palette, width: number, height: number) => {
  const colour = pen.createLinearGradient(0, 0, width, height);
  colour.addColorStop(0, palette.from);
  colour.addColorStop(1, palette.to);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, width, height);
};

function poster(facts: CardFacts, avatar: Image | null) {
  const palette = palettes[facts.template];
  const canvas = createCanvas(POSTER.width, POSTER.height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#FFFFFF';
  pen.fillRect(0, 0, POSTER.width, POSTER.height);
  band(pen, palette, POSTER.width, 430);
  write(pen, '康桥 · 在线咨询', 48, 78, 28, palette.seal);
  face(pen, facts, avatar, 138, 232, 90, palette);
  heading(pen, facts.name, { x: 258, y: 216, width: 444, most: 54, least: 26, colour: palette.seal });
  write(pen, facts.title, 258, 268, 30, palette.seal);
  paragraph(pen, [facts.hospital, facts.department].filter(Boolean).join(' · '), {
    x: 258,
    y: 318,
    width: 444,
    size: 28,
    most: 2,
    colour: palette.seal,
  });
  let y = 470;
  if (facts.headline) {
    pen.fillStyle = palette.accent;
    pen.fillRect(48, y + 4, 8, 40);
    y = paragraph(pen, facts.headline, { x: 74, y: y + 36, width: 620, size: 34, most: 2, colour: '#1F2329' }) + 8;
  }
  y = chips(pen, facts.diseases, { x: 48, y: y + 8, width: 654 }, palette);
  for (const [label, text, most] of [
    ['擅长', facts.specialty, 5],
    ['简介', facts.intro, 4],
  ] as const) {
    if (!text || y > 880) continue;
    write(pen, label, 48, y + 40, 30, palette.accent, true);
    y =
      paragraph(pen, text, {
        x: 48,
        y: y + 92,
        width: 654,
        size: 27,
        most: Math.max(1, Math.min(most, Math.floor((1_010 - y - 92) / 42))),
        colour: '#3D4551',
      }) + 4;
  }
  pen.fillStyle = palette.soft;
  pen.fillRect(0, 1_060, POSTER.width, POSTER.height - 1_060);
  qr(pen, facts.link, 48, 1_092, 210);
  write(pen, '微信扫一扫', 296, 1_170, 36, palette.accent, true);
  write(pen, '向医生咨询，查看开通的服务', 296, 1_222, 26, '#3D4551');
  write(pen, '本名片由康桥平台提供', 296, 1_272, 22, '#7B8794');
  return canvas;
}

function card(facts: CardFacts, avatar: Image | null) {
  const palette = palettes[facts.template];
  const canvas = createCanvas(CARD.width, CARD.height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#FFFFFF';
  pen.fillRect(0, 0, CARD.width, CARD.height);
  band(pen, palette, CARD.width, 250);
  face(pen, facts, avatar, 140, 125, 84, palette);
  heading(pen, facts.name, { x: 258, y: 112, width: 700, most: 52, least: 26, colour: palette.seal });
  write(pen, facts.title, 258, 162, 28, palette.seal);
  paragraph(pen, [facts.hospital, facts.department].filter(Boolean).join(' · '), {
    x: 258,
    y: 206,
    width: 700,
    size: 26,
    most: 1,
    colour: palette.seal,
  });
  let y = 282;
  if (facts.headline) y = paragraph(pen, facts.headline, { x: 48, y: y + 32, width: 640, size: 30, most: 1, colour: '#1F2329' });
  y = chips(pen, facts.diseases, { x: 48, y, width: 640 }, palette, 22);
  if (facts.specialty && y < 520)
    paragraph(pen, `擅长：${facts.specialty}`, {
      x: 48,
      y: y + 34,
      width: 640,
      size: 24,
      most: Math.max(1, Math.floor((580 - y - 34) / 37)),
      colour: '#3D4551',
    });
  qr(pen, facts.link, 742, 292, 210);
  pen.textAlign = 'center';
  write(pen, '微信扫一扫咨询', 847, 548, 24, palette.accent);
  return canvas;
}

/** Draws card and poster. The rasters are encoded outside of the event loop; whole batches are drawn in a thread of their own. */
export async function drawCard(facts: CardFacts, avatar: Buffer | null): Promise<Pictures> {
  useChineseFont();
  const picture = avatar === null ? null : await loadImage(avatar);
  const large = poster(facts, picture);
  const small = createCanvas(THUMB.width, THUMB.height);
  small.getContext('2d').drawImage(large, 0, 0, THUMB.width, THUMB.height);
  const [cardPng, posterPng, thumb] = await Promise.all([
    card(facts, picture).encode('png'),
    large.encode('png'),
    small.encode('webp', 70),
  ]);
  return { card: cardPng, poster: posterPng, thumb: `data:image/webp;base64,${thumb.toString('base64')}` };
}
