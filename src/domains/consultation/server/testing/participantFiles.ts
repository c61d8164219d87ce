import { createCanvas } from '@napi-rs/canvas';
import type { TestApp } from '#testing/testApp.ts';
import { completeMyFile, presignMyFile } from '../../contract/calls/participants.ts';
import type { Served } from './inquiryWorld.ts';
import type { Guest } from './participantWorld.ts';

let serial = 0;
/** A picture like no other. */
function pictureBytes(): Buffer {
  const canvas = createCanvas(64, 64);
  const pen = canvas.getContext('2d');
  pen.fillStyle = `#${String(100_000 + (serial += 1) * 37)}`;
  pen.fillRect(0, 0, 64, 64);
  pen.fillStyle = '#ffffff';
  pen.fillText(String(serial), 10, 30);
  return canvas.toBuffer('image/png');
}

/** A picture that a participant has put in place; what it is for is ended by his page. */
async function put(app: TestApp, { groupId }: Pick<Served, 'groupId'>, guest: Guest, use: 'CHAT' | 'REPORT'): Promise<string> {
  const bytes = pictureBytes();
  const { fileId, headers, parts } = await app.ok(
    presignMyFile,
    { groupId, use, fileName: `照片${serial}.png`, contentType: 'image/png', size: bytes.length },
    guest.options,
  );
  await app.inject({ method: 'PUT', url: parts[0]!.url, headers: { ...headers, 'content-length': String(bytes.length) }, payload: bytes });
  return fileId;
}
export const putChatFile = (app: TestApp, served: Pick<Served, 'groupId'>, guest: Guest): Promise<string> =>
  put(app, served, guest, 'CHAT');
export async function storedChatFile(app: TestApp, served: Pick<Served, 'groupId'>, guest: Guest): Promise<string> {
  const fileId = await put(app, served, guest, 'CHAT');
  await app.ok(completeMyFile, { groupId: served.groupId, fileId }, guest.options);
  return fileId;
}
export async function storedReport(app: TestApp, served: Pick<Served, 'groupId'>, guest: Guest): Promise<string> {
  const fileId = await put(app, served, guest, 'REPORT');
  await app.ok(completeMyFile, { groupId: served.groupId, use: 'REPORT', fileId }, guest.options);
  return fileId;
}
