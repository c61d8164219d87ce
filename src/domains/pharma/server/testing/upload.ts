import { createCanvas } from '@napi-rs/canvas';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadFile, uploadPaper as paperOf } from '#testing/uploads.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import { MEDICINE_FILE, PHARMA_PAPER } from '../../contract/purposes.ts';

let uploads = 0;

/** A picture of a package, unlike the others. */
export const uploadPicture = (app: TestApp, as: TestStaff): Promise<string> => {
  const canvas = createCanvas(24, 24);
  const pen = canvas.getContext('2d');
  pen.fillStyle = `rgb(${(uploads += 1) % 256}, 90, 120)`;
  pen.fillRect(0, 0, 24, 24);
  return uploadFile(app, as, MEDICINE_FILE, {
    fileName: `药盒${uploads}.png`,
    contentType: 'image/png',
    bytes: canvas.toBuffer('image/png'),
  });
};

/** A licence paper. */
export const uploadPaper = (app: TestApp, as: TestStaff): Promise<string> => paperOf(app, as, PHARMA_PAPER);

/** The importer's header and rows; cells that are left out are empty. */
export const tableOf = (importer: Importer, ...rows: readonly (readonly string[])[]): string[][] => [
  importer.columns.map((column) => column.label),
  ...rows.map((row) => importer.columns.map((_, index) => row[index] ?? '')),
];
