import { readFileSync } from 'node:fs';
import { drawReportPicture, REPORT_SIZE } from '#kernel/server/demo/reportPicture.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { renderPdf } from '#kernel/server/documents/pdf.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { AudioPayload, FilePayload, ImagePayload, VideoPayload } from '../../contract/im/types.ts';
import { CHAT_PURPOSE } from '../files.ts';
import { reportFile, reportNames, reportOf } from './talk/reports.ts';

export interface Media {
  /** By the name of a course's report. */
  pictures: ReadonlyMap<string, ImagePayload>;
  voice: AudioPayload;
  paper: FilePayload;
  clip: VideoPayload;
}

/** Two and a half seconds of a dot that moves. */
const CLIP = new URL('./clip.mp4', import.meta.url);
const CLIP_SECONDS = 3;
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
    const { fileId } = await kernel.ports.files.store(
      tx,
      { purpose: CHAT_PURPOSE, name, body, contentType, createdBy: userId, sensitive: true },
      now,
    );
    return { fileId, fileName: name, size: body.length };
  };
  const pictures = new Map<string, ImagePayload>();
  for (const name of reportNames)
    pictures.set(name, {
      ...(await store(reportFile(name), drawReportPicture(reportOf(name)), 'image/jpeg')),
      width: REPORT_SIZE[0],
      height: REPORT_SIZE[1],
    });
  const voice: AudioPayload = { ...(await store('语音消息.wav', voiceOf(), 'audio/wav')), second: SECONDS };
  const { size: fileSize, ...paper } = await store(
    '出院小结.pdf',
    renderPdf({
      title: '出院小结',
      watermark: '演示样本',
      footer: '演示样本，仅供展示',
      blocks: [
        { kind: 'title', text: '出院小结' },
        { kind: 'text', text: '患者一般情况良好，切口愈合佳，予以出院。出院后按时服药，四周后门诊复查。演示样本，仅供展示。' },
      ],
    }),
    'application/pdf',
  );
  const clip: VideoPayload = { ...(await store('患处视频.mp4', readFileSync(CLIP), 'video/mp4')), second: CLIP_SECONDS };
  return { pictures, voice, paper: { ...paper, fileSize }, clip };
}

export const mediaIds = ({ pictures, voice, paper, clip }: Media): string[] => [
  ...[...pictures.values()].map(({ fileId }) => fileId),
  voice.fileId,
  paper.fileId,
  clip.fileId,
];
