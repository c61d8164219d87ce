import { completeUpload, getPresignedUrl } from '#domains/files/contract/calls/objects.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import type { TestStaff } from './staff.ts';
import type { TestApp } from './testApp.ts';

let made = 0;
/** No two uploads are alike: equal bytes would be known already. */
const serial = () => (made += 1);

/** Uploads a file as the browser does. @returns its id. */
export async function uploadFile(
  app: TestApp,
  as: TestStaff,
  purpose: string,
  { bytes, ...file }: { fileName: string; contentType: string; bytes: Buffer; sha256?: string },
): Promise<string> {
  const [target] = await app.ok(getPresignedUrl, { purpose, files: [{ ...file, size: bytes.length }] }, { as });
  if (!target!.instant)
    await app.inject({ method: 'PUT', url: target!.url, payload: bytes, headers: { 'content-type': file.contentType } });
  return (await app.ok(completeUpload, { fileId: target!.fileId }, { as })).fileId;
}

/** Uploads a table to be imported, as CSV: labels of the columns, then rows. */
export const uploadTable = (app: TestApp, as: TestStaff, rows: readonly (readonly string[])[]): Promise<string> =>
  uploadFile(app, as, 'IMPORT', {
    fileName: `导入${serial()}.csv`,
    contentType: 'text/csv',
    bytes: Buffer.from(`\uFEFF${rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\r\n')}\r\n`),
  });

/** The same for an importer, cells by the keys of its columns. */
export const uploadRows = (
  app: TestApp,
  as: TestStaff,
  { columns }: Pick<Importer, 'columns'>,
  rows: readonly Readonly<Record<string, string>>[],
): Promise<string> =>
  uploadTable(app, as, [columns.map(({ label }) => label), ...rows.map((row) => columns.map(({ key }) => row[key] ?? ''))]);

/** Uploads a paper: a small PDF. */
export const uploadPaper = (app: TestApp, as: TestStaff, purpose: string): Promise<string> => {
  const n = serial();
  return uploadFile(app, as, purpose, {
    fileName: `材料${n}.pdf`,
    contentType: 'application/pdf',
    bytes: Buffer.from(
      `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>endobj\n%${n}\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
    ),
  });
};
