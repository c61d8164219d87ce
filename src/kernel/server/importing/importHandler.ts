import type { Call } from '../../contract/call.ts';
import type { Handler } from '../handler.ts';
import type { Kernel } from '../kernel.ts';
import type { Importer } from './importer.ts';

/** A domain's own import call and the importer that it starts; what the call takes beside file and mode are the importer's parameters. */
export interface ImportCall {
  call: Call;
  importer: Importer;
}

/** Implements an import call: the file's check begins, and the answer names its task. */
export const importHandler = ({ call, importer }: ImportCall, kernel: Kernel): Handler => ({
  mode: 'command',
  call,
  run(input, ctx) {
    // The schema of every import call contains `importFields`.
    const { fileId, mode, ...params } = input as { fileId: string; mode: 'ALL_OR_NOTHING' | 'VALID_ONLY' };
    return kernel.ports.importTasks.start(ctx, { importerCode: importer.code, fileId, params, mode, staff: ctx.staff }, ctx.now);
  },
});
