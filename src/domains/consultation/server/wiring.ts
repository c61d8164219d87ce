import type { ExportSource } from '../../../kernel/server/exporting/source.ts';
import type { Handler } from '../../../kernel/server/handler.ts';
import type { Importer } from '../../../kernel/server/importing/importer.ts';
import type { JobDeclaration } from '../../../kernel/server/jobs/declaration.ts';
import type { Kernel } from '../../../kernel/server/kernel.ts';
import type { DemoContext } from '../../../kernel/server/module.ts';
import type { Consumer } from '../../../kernel/server/outbox/consumer.ts';

/** One part of the domain, as module.ts joins them. */
export interface Part {
  handlers(kernel: Kernel): readonly Handler[];
  jobs?: readonly JobDeclaration<never>[];
  consumers?: readonly Consumer[];
  exports?: readonly ExportSource[];
  importers?: readonly Importer[];
  /** Runs in the order of the parts, in demo and test mode on an empty database. */
  demo?(ctx: DemoContext): Promise<void>;
}
