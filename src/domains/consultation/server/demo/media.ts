import { readFileSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import { FAMILY, useChineseFont } from '../../../../kernel/server/documents/chineseFont.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import { renderPdf } from '../../../../kernel/server/documents/pdf.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { AudioPayload, FilePayload, ImagePayload, VideoPayload } from '../../contract/im/types.ts';
import { CHAT_PURPOSE } from '../files.ts';

export interface Media {
  pictures: ImagePayload[];
  voice: AudioPayload;
  paper: FilePayload;
  clip: VideoPayload;
}

/** Two and a half seconds of a dot that moves. */
const CLIP = new URL('./clip.mp4', import.meta.url);
const CLIP_SECONDS = 3;
const [WIDTH, HEIGHT] = [720, 520];
type Row = readonly [item: string, value: string, range: string];
export const REPORTS: readonly (readonly [title: string, rows: readonly Row[]])[] = [
  ['血生化检验报告单', [['空腹血糖', '8.6 ↑', '3.9-6.1 mmol/L'], ['糖化血红蛋白', '7.8 ↑', '4.0-6.0 %'], ['谷丙转氨酶', '31', '9-50 U/L'], ['肌酐', '78', '57-97 μmol/L'], ['低密度脂蛋白', '2.6', '<3.4 mmol/L']]],
  ['血常规检验报告单', [['白细胞', '5.8', '3.5-9.5 10^9/L'], ['血红蛋白', '139', '130-175 g/L'], ['血小板', '186', '125-350 10^9/L'], ['中性粒细胞', '3.4', '1.8-6.3 10^9/L']]],
  ['肿瘤标志物检验报告单', [['癌胚抗原CEA', '4.2', '<5.0 ng/ml'], ['CA125', '18.6', '<35 U/ml'], ['CYFRA21-1', '2.1', '<3.3 ng/ml'], ['NSE', '11.4', '<16.3 ng/ml']]],
  ['胸部CT检查报告', [['检查部位', '胸部平扫', ''], ['右肺上叶', '结节9mm', ''], ['纵隔淋巴结', '未见肿大', ''], ['印象', '较前片大致相仿，建议随访', '']]],
];

/** A readable report, marked as one of the demonstration. */
export function drawReport(title: string, rows: readonly Row[]): Buffer {
  useChineseFont();
  const canvas = createCanvas(WIDTH, HEIGHT);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#fdfdfb';
  pen.fillRect(0, 0, WIDTH, HEIGHT);
  pen.fillStyle = '#222222';
  pen.textAlign = 'center';
  pen.font = `30px ${FAMILY}`;
  pen.fillText(title, WIDTH / 2, 60);
  pen.textAlign = 'left';
  pen.font = `21px ${FAMILY}`;
  for (const [index, [item, value, range]] of rows.entries()) {
    const y = 140 + index * 56;
    pen.fillText(item, 50, y);
    pen.fillStyle = value.includes('↑') ? '#b3261e' : '#222222';
    pen.fillText(value, 290, y, 200);
    pen.fillStyle = '#666666';
    pen.fillText(range, 500, y);
    pen.fillStyle = '#222222';
  }
  pen.strokeStyle = '#9aa7b4';
  pen.strokeRect(30, 90, WIDTH - 60, HEIGHT - 150);
  pen.fillStyle = '#9aa7b4';
  pen.fillText('演示样本，仅供展示', 50, HEIGHT - 26);
  return canvas.toBuffer('image/jpeg', 82);
}

const RATE = 8_000;
const SECONDS = 3;
const HEADER = 44;
/** A few seconds of a soft tone that swells and fades. */
export function voiceOf(): Buffer {
  const samples = RATE * SECONDS;
  const wav = Buffer.alloc(HEADER + samples * 2);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) {
    const swell = Math.sin((Math.PI * at) / samples);
    wav.writeInt16LE(Math.round(5_000 * swell * Math.sin((2 * Math.PI * (200 + 40 * Math.sin(at / 900)) * at) / RATE)), HEADER + at * 2);
  }
  return wav;
}

/** A few files that many messages show. */
export async function storeMedia(kernel: Kernel, tx: Tx, userId: string, now: Instant): Promise<Media> {
  const store = async (name: string, body: Buffer, contentType: string) => {
    const { fileId } = await kernel.ports.files.store(tx, { purpose: CHAT_PURPOSE, name, body, contentType, createdBy: userId, sensitive: true }, now);
    return { fileId, fileName: name, size: body.length };
  };
  const pictures: ImagePayload[] = [];
  for (const [title, rows] of REPORTS) pictures.push({ ...(await store(`${title}.jpg`, drawReport(title, rows), 'image/jpeg')), width: WIDTH, height: HEIGHT });
  const voice: AudioPayload = { ...(await store('语音消息.wav', voiceOf(), 'audio/wav')), second: SECONDS };
  const { size: fileSize, ...paper } = await store('出院小结.pdf', renderPdf({ title: '出院小结', watermark: '演示样本', footer: '演示样本，仅供展示', blocks: [{ kind: 'title', text: '出院小结' }, { kind: 'text', text: '患者一般情况良好，切口愈合佳，予以出院。出院后按时服药，四周后门诊复查。演示样本，仅供展示。' }] }), 'application/pdf');
  const clip: VideoPayload = { ...(await store('患处视频.mp4', readFileSync(CLIP), 'video/mp4')), second: CLIP_SECONDS };
  return { pictures, voice, paper: { ...paper, fileSize }, clip };
}

export const mediaIds = ({ pictures, voice, paper, clip }: Media): string[] => [...pictures.map(({ fileId }) => fileId), voice.fileId, paper.fileId, clip.fileId];
