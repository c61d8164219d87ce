import { createCanvas } from '@napi-rs/canvas';
import { FAMILY, useChineseFont } from '#kernel/server/documents/chineseFont.ts';
import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { attach } from '#domains/files/server/index.ts';
import { MEDICINE_FILE, PHARMA_PAPER } from '../../contract/purposes.ts';
import { ownTx } from '../database.ts';

const COLOURS = ['#1f7a8c', '#3a6b35', '#7a4e8f', '#9a5b13', '#2f5d9b', '#8c2f39'];
const SIDE = 240;
/** Every second medicine has a picture, as in life. */
const PICTURED = 2;

/** A package or a sign of the demonstration: a name on a coloured ground. */
function draw(lines: readonly string[], colour: string): Buffer {
  const canvas = createCanvas(SIDE, SIDE);
  const pen = canvas.getContext('2d');
  pen.fillStyle = colour;
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.fillStyle = '#ffffff';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  for (const [at, line] of lines.entries()) {
    pen.font = `${at === 0 ? 56 : 30}px ${FAMILY}`;
    pen.fillText(line, SIDE / 2, SIDE / 2 + (at - (lines.length - 1) / 2) * 64, SIDE - 24);
  }
  return canvas.toBuffer('image/jpeg', 80);
}

/** Signs of the companies, pictures of packages. */
export async function writePictures(kernel: Kernel, tx: Tx, now: Instant): Promise<void> {
  useChineseFont();
  const own = ownTx(tx);
  const { rows: staff } = await sql<{
    id: string;
  }>`select id from identity_staff_user order by (user_name = 'product_a') desc, id limit 1`.execute(tx);
  const uploader = staff[0]!.id;
  const keep = async (purpose: string, owner: { type: string; id: string; field: string }, name: string, body: Buffer) => {
    const { fileId } = await kernel.ports.files.store(tx, { purpose, name, body, contentType: 'image/jpeg', createdBy: uploader }, now);
    await attach(tx, { fileIds: [fileId], purpose, ownerType: owner.type, ownerId: owner.id, field: owner.field, userId: uploader }, now);
    return fileId;
  };
  const companies = await own.selectFrom('pharmaCompany').select(['id', 'shortName']).orderBy('id').execute();
  for (const [index, { id, shortName }] of companies.entries()) {
    const logoFileId = await keep(
      PHARMA_PAPER,
      { type: 'pharma.company', id, field: 'logo' },
      `${shortName}.jpg`,
      draw([shortName.slice(0, 2)], COLOURS[index % COLOURS.length]!),
    );
    await own.updateTable('pharmaCompany').set({ logoFileId }).where('id', '=', id).execute();
  }
  const medicines = await own.selectFrom('pharmaMedicine').select(['id', 'genericName', 'strength']).orderBy('id').execute();
  for (const [index, { id, genericName, strength }] of medicines.entries()) {
    if (index % PICTURED !== 0) continue;
    const fileId = await keep(
      MEDICINE_FILE,
      { type: 'pharma.medicine', id, field: 'image' },
      `${genericName}.jpg`,
      draw([genericName.slice(0, 4), strength ?? ''], COLOURS[index % COLOURS.length]!),
    );
    await own
      .updateTable('pharmaMedicine')
      .set({ imageFileIds: [fileId] })
      .where('id', '=', id)
      .execute();
  }
}
