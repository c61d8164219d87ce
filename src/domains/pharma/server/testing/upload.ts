import { createCanvas } from '@napi-rs/canvas';
import type { TestApp } from '../../../../testing/testApp.ts';
import type { TestStaff } from '../../../../testing/staff.ts';
import type { Importer } from '../../../../kernel/server/importing/importer.ts';
import { MEDICINE_FILE, PHARMA_PAPER } from '../../contract/purposes.ts';
import { completeUpload, getPresignedUrl } from '../../../files/contract/calls/objects.ts';

let uploads = 0;

async function upload(app: TestApp, as: TestStaff, purpose: string, file: { fileName: string; contentType: string; bytes: Buffer }): Promise<string> {
  const { bytes, ...facts } = file;
  const [target] = await app.ok(getPresignedUrl, { purpose, files: [{ ...facts, size: bytes.length }] }, { as });
  if (!target!.instant) await app.inject({ method: 'PUT', url: target!.url, payload: bytes, headers: { 'content-type': file.contentType } });
  return (await app.ok(completeUpload, { fileId: target!.fileId }, { as })).fileId;
}

/** Uploads a table as CSV: labels of the columns, then rows. */
export const uploadTable = (app: TestApp, as: TestStaff, rows: readonly (readonly string[])[]): Promise<string> =>
  upload(app, as, 'IMPORT', {
    fileName: `导入${(uploads += 1)}.csv`, contentType: 'text/csv',
    bytes: Buffer.from(`\uFEFF${rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n')}\r\n`),
  });

/** A picture of a package, unlike the others. */
export const uploadPicture = (app: TestApp, as: TestStaff): Promise<string> => {
  const canvas = createCanvas(24, 24);
  const pen = canvas.getContext('2d');
  pen.fillStyle = `rgb(${(uploads += 1) % 256}, 90, 120)`;
  pen.fillRect(0, 0, 24, 24);
  return upload(app, as, MEDICINE_FILE, { fileName: `药盒${uploads}.png`, contentType: 'image/png', bytes: canvas.toBuffer('image/png') });
};

/** A licence paper: a small PDF. */
export const uploadPaper = (app: TestApp, as: TestStaff): Promise<string> =>
  upload(app, as, PHARMA_PAPER, {
    fileName: `协议${(uploads += 1)}.pdf`, contentType: 'application/pdf',
    bytes: Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\n%${uploads}\ntrailer<</Root 1 0 R>>\n%%EOF\n`),
  });

/** The importer's header and rows; cells that are left out are empty. */
export const tableOf = (importer: Importer, ...rows: readonly (readonly string[])[]): string[][] => [
  importer.columns.map((column) => column.label),
  ...rows.map((row) => importer.columns.map((_, index) => row[index] ?? '')),
];
