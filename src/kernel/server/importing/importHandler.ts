import type { Handler } from '../handler.ts';
import type { Kernel } from '../kernel.ts';
import type { Importer } from './importer.ts';

/** Implements an importer's own call: the file's check begins, and the answer names its task. Null where it has none. */
export function importHandler({ call, code, admit }: Importer, kernel: Kernel): Handler | null {
  if (!call) return null;
  return {
    mode: 'command',
    call,
    async run(input, ctx) {
      // The schema of every import call contains the file, and the mode where there is a choice.
      const { fileId, mode = 'ALL_OR_NOTHING', ...params } = input as { fileId: string; mode?: 'ALL_OR_NOTHING' | 'VALID_ONLY' };
      await admit?.(ctx, params);
      return kernel.ports.importTasks.start(ctx, { importerCode: code, fileId, params, mode, staff: ctx.staff }, ctx.now);
    },
  };
}
