import type { TestApp } from '../../../../testing/testApp.ts';
import type { TestStaff } from '../../../../testing/staff.ts';
import { completeUpload, getPresignedUrl } from '../../../files/contract/calls/objects.ts';
import { fresh } from './fixtures.ts';

/** Uploads a table as CSV. */
export async function uploadTable(app: TestApp, as: TestStaff, rows: readonly (readonly string[])[]): Promise<string> {
  const lines = rows.map((cells) => cells.map((cell) => `"${cell}"`).join(','));
  const bytes = Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`);
  const file = { fileName: `${fresh('表格')}.csv`, size: bytes.length, contentType: 'text/csv' };
  const [target] = await app.ok(getPresignedUrl, { purpose: 'IMPORT', files: [file] }, { as });
  await app.inject({ method: 'PUT', url: target!.url, payload: bytes, headers: { 'content-type': 'text/csv' } });
  return (await app.ok(completeUpload, { fileId: target!.fileId }, { as })).fileId;
}
