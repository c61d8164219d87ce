import { bufferOf } from '#kernel/server/documents/xlsxStream.ts';
import type { Importer } from '#kernel/server/importing/importer.ts';
import { type RawRow, readTable } from '#kernel/server/importing/readTable.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { FileRow } from '../objects/fileRows.ts';

/** Rows of an uploaded table. @throws Refusal SCM02007, SCM02030 to SCM02035. */
export async function rowsOf(kernel: Kernel, file: FileRow, importer: Importer): Promise<RawRow[]> {
  const bytes = await bufferOf((await kernel.storage.get(file.storageKey)).body as AsyncIterable<Buffer>);
  return readTable(bytes, file.detectedType === 'csv' ? 'csv' : 'xlsx', importer);
}
