import type { TestApp } from '../../../../testing/testApp.ts';
import type { TestStaff } from '../../../../testing/staff.ts';
import type { Importer } from '../../../../kernel/server/importing/importer.ts';
import { completeUpload, getPresignedUrl } from '../../../files/contract/calls/objects.ts';
import { freshName } from './fixtures.ts';

/** Uploads a table for an importer as CSV; cells by the keys of its columns. */
export async function uploadRows(app: TestApp, as: TestStaff, importer: Importer, rows: readonly Readonly<Record<string, string>>[]): Promise<string> {
  const lines = [importer.columns.map(({ label }) => label), ...rows.map((row) => importer.columns.map(({ key }) => row[key] ?? ''))].map((cells) => cells.map((cell) => `"${cell}"`).join(','));
  const bytes = Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
  const [target] = await app.ok(getPresignedUrl, { purpose: 'IMPORT', files: [{ fileName: `${freshName('表')}.csv`, size: bytes.length, contentType: 'text/csv' }] }, { as });
  await app.inject({ method: 'PUT', url: target!.url, payload: bytes, headers: { 'content-type': 'text/csv' } });
  return (await app.ok(completeUpload, { fileId: target!.fileId }, { as })).fileId;
}
