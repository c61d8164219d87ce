import type { FastifyInstance } from 'fastify';
import type { ExportSource } from './exporting/source.ts';
import type { Handler } from './handler.ts';
import type { Importer } from './importing/importer.ts';
import type { Consumer, DemoContext, JobDeclaration, Kernel, ReferenceData, ServerModule } from './kernel.ts';
import type { Payee } from './pay/desk.ts';

/** A list, or what makes it of the kernel. */
type Listed<T> = readonly T[] | ((kernel: Kernel) => readonly T[]);

/** One room of a large domain: what it registers. The domain's module joins its parts. */
export interface ModulePart {
  handlers?: Listed<Handler>;
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
  /** Statements counting rows that break a rule, for the domain's nightly job: `select count(*)::int as n …`; `:today` is the day. */
  invariants?: readonly (readonly [name: string, statement: string])[];
}

type Joined = Required<
  Pick<ServerModule, 'handlers' | 'jobs' | 'consumers' | 'exports' | 'importers' | 'payees' | 'reference' | 'http' | 'demo'>
>;

/** What the parts of a domain register together, in their order, in which their demonstration rows build on one another. */
export function joinParts(kernel: Kernel, parts: readonly ModulePart[]): Joined {
  const all = <T>(of: (part: ModulePart) => Listed<T> | undefined): T[] =>
    parts.flatMap((part) => {
      const list = of(part);
      return [...(typeof list === 'function' ? list(kernel) : (list ?? []))];
    });
  return {
    handlers: all((part) => part.handlers),
    jobs: all((part) => part.jobs),
    consumers: all((part) => part.consumers),
    exports: all((part) => part.exports),
    importers: all((part) => part.importers),
    payees: all((part) => part.payees),
    reference: all((part) => part.reference),
    http: (app) => parts.forEach((part) => part.http?.(app, kernel)),
    async demo(ctx) {
      for (const part of parts) await part.demo?.(ctx);
    },
  };
}
