import { createCanvas } from '@napi-rs/canvas';
import type { FastifyInstance } from 'fastify';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { positions, type Position } from '../../contract/delivery/positions.ts';
import { pageCodes } from '../../contract/floors/clientPages.ts';

const PATH = '/content/default';

/** What a place of banners shows where no banner is for the viewer; other places show nothing. */
export const defaultPictureUrl = ({ kind, positionCode }: Position): string => (kind === 'BANNER' ? `${PATH}/${positionCode}.png` : '');

function draw({ widthPx, heightPx, pageCode }: Position): Buffer {
  useChineseFont();
  const canvas = createCanvas(widthPx, heightPx);
  const pen = canvas.getContext('2d');
  const shade = pen.createLinearGradient(0, 0, widthPx, heightPx);
  shade.addColorStop(0, '#1f7a6c');
  shade.addColorStop(1, '#3f9d8b');
  pen.fillStyle = shade;
  pen.fillRect(0, 0, widthPx, heightPx);
  pen.fillStyle = '#ffffff';
  pen.textBaseline = 'middle';
  pen.font = `56px ${FAMILY}`;
  pen.fillText('康桥健康', 48, heightPx / 2 - 30);
  pen.font = `28px ${FAMILY}`;
  pen.fillText(pageCodes.label(pageCode), 48, heightPx / 2 + 44);
  return canvas.toBuffer('image/png');
}

/** Drawn once by each process; they never change. */
export function serveDefaultPictures(app: FastifyInstance, _kernel: Kernel): void {
  const drawn = new Map<string, Buffer>();
  app.get<{ Params: { file: string } }>(`${PATH}/:file`, async (request, reply) => {
    const position = positions.find((one) => defaultPictureUrl(one) === `${PATH}/${request.params.file}`);
    if (!position) return reply.status(404).send();
    const picture = drawn.get(position.positionCode) ?? draw(position);
    drawn.set(position.positionCode, picture);
    return reply.type('image/png').header('Cache-Control', 'public, max-age=86400').send(picture);
  });
}
