import type { FastifyInstance } from 'fastify';
import { exportHandler } from './exporting/exportHandler.ts';
import type { ExportSource } from './exporting/source.ts';
import type { Handler } from './handler.ts';
import type { Importer } from './importing/importer.ts';
import { importHandler } from './importing/importHandler.ts';
import type { Consumer, DemoContext, JobDeclaration, Kernel, ReferenceData, ServerModule } from './kernel.ts';
import type { Payee } from './pay/desk.ts';

/** A list, or what makes it of the kernel. */
type Listed<T> = readonly T[] | ((kernel: Kernel) => readonly T[]);

/** What one feature of a large domain registers: `server/<feature>/module.ts` exports `<feature>Module`, the domain's module joins them. */
export interface FeatureModule {
  handlers?: Listed<Handler>;
  jobs?: Listed<JobDeclaration<never>>;
  consumers?: Listed<Consumer>;
  /** Each brings the handler of its call; an archive's call begins its task itself. */
  exports?: Listed<ExportSource>;
  /** Each brings the handler of its call, where it has one of its own. */
  importers?: Listed<Importer>;
  /** Receivers of what pay channels report of trades. */
  payees?: Listed<Payee>;
  reference?: readonly ReferenceData[];
  http?(app: FastifyInstance, kernel: Kernel): void;
  /** Runs in the order of the features, in demo and test mode on an empty database. */
  demo?(ctx: DemoContext): Promise<void>;
  /** Statements counting rows that break a rule, for the domain's nightly job: `select count(*)::int as n …`; `:today` is the day. */
  invariants?: readonly (readonly [name: string, statement: string])[];
}

type Joined = Required<
  Pick<ServerModule, 'handlers' | 'jobs' | 'consumers' | 'exports' | 'importers' | 'payees' | 'reference' | 'http' | 'demo'>
>;

/** What the features of a domain register together, in their order, in which their demonstration rows build on one another. */
export function joinFeatures(kernel: Kernel, features: readonly FeatureModule[]): Joined {
  const all = <T>(of: (feature: FeatureModule) => Listed<T> | undefined): T[] =>
    features.flatMap((feature) => {
      const list = of(feature);
      return [...(typeof list === 'function' ? list(kernel) : (list ?? []))];
    });
  const exports = all((feature) => feature.exports);
  const importers = all((feature) => feature.importers);
  return {
    handlers: [
      ...all((feature) => feature.handlers),
      ...exports.filter(({ entries }) => !entries).map((source) => exportHandler(source, kernel)),
      ...importers.flatMap((importer) => importHandler(importer, kernel) ?? []),
    ],
    jobs: all((feature) => feature.jobs),
    consumers: all((feature) => feature.consumers),
    exports,
    importers,
    payees: all((feature) => feature.payees),
    reference: all((feature) => feature.reference),
    http: (app) => features.forEach((feature) => feature.http?.(app, kernel)),
    async demo(ctx) {
      for (const feature of features) await feature.demo?.(ctx);
    },
  };
}
