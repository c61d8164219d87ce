import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import type { Call } from '../../contract/call.ts';
import { ZipStream } from '../documents/zipStream.ts';
import type { Handler } from '../handler.ts';
import type { Kernel } from '../kernel.ts';
import type { ExportReading, ExportSource } from './source.ts';

/** Bytes of an archive, piece by piece; files of equal names are distinguished by a number. */
export async function* renderArchive(
  source: ExportSource,
  reading: ExportReading,
  kernel: Kernel,
  onProgress: (done: number) => void | Promise<void>,
): AsyncGenerator<Buffer> {
  const zip = new ZipStream();
  const names = new Map<string, number>();
  let done = 0;
  for await (const { name, body } of source.entries!(reading, kernel)) {
    const times = (names.get(name) ?? 0) + 1;
    names.set(name, times);
    yield* zip.entry(times === 1 ? name : name.replace(/(\.[^.]*)?$/, `_${times}$1`), [body]);
    await onProgress((done += 1));
  }
  yield zip.end();
}

/** Implements the call of an archive: always a task of the download centre. @throws Refusal SCM02020 when there is nothing to pack. */
export const archiveHandler = (call: Call, source: ExportSource, kernel: Kernel): Handler => ({
  mode: 'command',
  call,
  async run(input, ctx) {
    const rowsTotal = await source.count({ db: ctx.tx, staff: ctx.staff, filter: input, now: ctx.now });
    if (rowsTotal === 0) throw refuse(fileErrors.NOTHING_TO_EXPORT);
    return kernel.ports.exportTasks.request(
      ctx,
      {
        source: source.call.name,
        title: source.title,
        routeKey: source.routeKey,
        params: input,
        columns: [],
        format: 'ZIP',
        plain: false,
        rowsTotal,
        staff: ctx.staff,
      },
      ctx.now,
    );
  },
});
