import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { FAMILY, useChineseFont } from '../documents/chineseFont.ts';
import { drawStamp } from './stamp.ts';

/** Width and height of every report. */
export const REPORT_SIZE = [800, 1_060] as const;
const [WIDTH, HEIGHT] = REPORT_SIZE;
const LEFT = 60;
const RIGHT = WIDTH - LEFT;

/** A report of the demonstration. */
export interface ReportPicture {
  /** Without 报告单. */
  title: string;
  /** Measured values, or nothing: a picture of grey shades is drawn there. */
  rows: readonly (readonly [name: string, value: string, unit: string, reference: string])[];
  words: string;
}

const line = (pen: SKRSContext2D, y: number) => {
  pen.strokeStyle = '#8a8a82';
  pen.beginPath();
  pen.moveTo(LEFT, y);
  pen.lineTo(RIGHT, y);
  pen.stroke();
};

function drawValues(pen: SKRSContext2D, rows: ReportPicture['rows']): void {
  const columns = [LEFT, 340, 460, 590];
  pen.fillStyle = '#55554f';
  ['项目', '结果', '单位', '参考范围'].forEach((head, at) => pen.fillText(head, columns[at]!, 250));
  line(pen, 266);
  for (const [at, row] of rows.entries()) {
    row.forEach((cell, column) => {
      pen.fillStyle = cell.includes('↑') ? '#b3261e' : '#1f1f1c';
      pen.fillText(cell, columns[column]!, 304 + at * 40);
    });
  }
}

/** Shades as an image of the body has them. */
function drawShades(pen: SKRSContext2D): void {
  pen.fillStyle = '#111111';
  pen.fillRect(LEFT, 230, RIGHT - LEFT, 480);
  for (const [x, y, r, grey] of [
    [400, 470, 210, 70],
    [310, 460, 90, 20],
    [490, 460, 90, 20],
    [400, 590, 46, 190],
    [330, 430, 14, 150],
  ] as const) {
    const shade = pen.createRadialGradient(x, y, 2, x, y, r);
    shade.addColorStop(0, `rgb(${grey}, ${grey}, ${grey})`);
    shade.addColorStop(1, 'rgba(17, 17, 17, 0)');
    pen.fillStyle = shade;
    pen.beginPath();
    pen.arc(x, y, r, 0, Math.PI * 2);
    pen.fill();
  }
}

/** A readable report of the demonstration, marked as such; it names nobody, because several persons share it. */
export function drawReportPicture({ title, rows, words }: ReportPicture): Buffer {
  useChineseFont();
  const canvas = createCanvas(WIDTH, HEIGHT);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#fdfdfb';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = '#1f1f1c';
  pen.textAlign = 'center';
  pen.font = `34px ${FAMILY}`;
  pen.fillText(`${title}报告单`, WIDTH / 2, 100);
  pen.textAlign = 'left';
  pen.font = `20px ${FAMILY}`;
  pen.fillStyle = '#55554f';
  pen.fillText('姓名：演示患者　　科室：门诊　　样本：合格', LEFT, 170);
  line(pen, 200);
  if (rows.length > 0) drawValues(pen, rows);
  else drawShades(pen);
  line(pen, 780);
  pen.fillStyle = '#1f1f1c';
  pen.fillText('结论', LEFT, 820);
  words.match(/.{1,32}/g)?.forEach((part, at) => pen.fillText(part, LEFT, 860 + at * 34));
  drawStamp(pen, '演示报告', [WIDTH - 170, HEIGHT - 110], -0.25);
  return canvas.toBuffer('image/jpeg', 80);
}
