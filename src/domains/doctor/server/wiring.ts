import type { FastifyInstance } from 'fastify';
import type { ExportSource } from '../../../kernel/server/exporting/source.ts';
import type { Handler } from '../../../kernel/server/handler.ts';
import type { Importer } from '../../../kernel/server/importing/importer.ts';
import type { JobDeclaration } from '../../../kernel/server/jobs/declaration.ts';
import type { Kernel } from '../../../kernel/server/kernel.ts';
import type { DemoContext, ReferenceData } from '../../../kernel/server/module.ts';
import type { Payee } from '../../../kernel/server/pay/desk.ts';
import type { Consumer } from '../../../kernel/server/outbox/consumer.ts';

/** A list, or what makes it of the kernel. */
type Listed<T> = readonly T[] | ((kernel: Kernel) => readonly T[]);
export const listed = <T>(kernel: Kernel, list: Listed<T> | undefined): readonly T[] =>
  typeof list === 'function' ? list(kernel) : (list ?? []);

/** One part of the domain, as module.ts joins them. */
export interface Part {
  handlers(kernel: Kernel): readonly Handler[];
  jobs?: Listed<JobDeclaration<never>>;
  consumers?: Listed<Consumer>;
  exports?: Listed<ExportSource>;
  importers?: Listed<Importer>;
  /** Who is told what pay channels say of trades. */
  payees?: Listed<Payee>;
  reference?: readonly ReferenceData[];
  http?(app: FastifyInstance, kernel: Kernel): void;
  /** Runs in the order of the parts, in demo and test mode on an empty database. */
  demo?(ctx: DemoContext): Promise<void>;
  /** Statements counting rows that break a rule, run every night: `select count(*)::int as n …`; `:today` is the day. */
  invariants?: readonly (readonly [name: string, statement: string])[];
}
