import type { AnyDictionary } from '../contract/dictionary.ts';
import type { EventDeclaration } from '../contract/event.ts';
import type { PermissionDeclaration } from '../contract/permission.ts';
import type { RouteDeclaration } from '../contract/route.ts';
import { archiveHandler } from './exporting/archive.ts';
import { exportHandler } from './exporting/exportHandler.ts';
import type { ExportSource } from './exporting/source.ts';
import type { Handler } from './handler.ts';
import { importHandler, type ImportCall } from './importing/importHandler.ts';
import type { Importer } from './importing/importer.ts';
import type { Consumer, DemoContext, JobDeclaration, Kernel, ReferenceData, ServerModule, ServerModuleFactory } from './kernel.ts';
import type { Payee } from './pay/desk.ts';
import type { Ports } from './ports.ts';

/** A list, or what makes it of the kernel. */
type Listed<T> = readonly T[] | ((kernel: Kernel) => readonly T[]);

/** One room of a domain: what it registers. The domain's module lists its parts in the order in which their demonstration rows build on one another. */
export interface Part {
  handlers?: Listed<Handler>;
  /** Sources of exports; their calls are implemented with them. */
  exports?: Listed<ExportSource>;
  /** Import calls with their importers; the calls are implemented with them. */
  imports?: Listed<ImportCall>;
  /** Importers that no call of the domain starts (the general one does). */
  importers?: Listed<Importer>;
  jobs?: Listed<JobDeclaration<never>>;
  consumers?: Listed<Consumer>;
  payees?: Listed<Payee>;
  reference?: Listed<ReferenceData>;
  /** Registrations with the mechanisms of other domains (purposes and owners of files, blockers); once per assembly. */
  register?(kernel: Kernel): void;
  http?: ServerModule['http'] | ((app: Parameters<NonNullable<ServerModule['http']>>[0], kernel: Kernel) => void);
  sockets?(kernel: Kernel): NonNullable<ServerModule['sockets']>;
  demo?(ctx: DemoContext): Promise<void>;
  demoAfter?(ctx: DemoContext): Promise<void>;
  started?(kernel: Kernel): Promise<void>;
}

interface DomainSpec {
  domain: string;
  permissions: Readonly<Record<string, PermissionDeclaration>>;
  routes: readonly RouteDeclaration[];
  errors: ServerModule['errors'];
  /** Modules of the contract; their dictionaries and the dictionaries of their state machines are registered. */
  dictionaries?: readonly object[];
  events?: readonly EventDeclaration[];
  ports?(kernel: Kernel): Partial<Ports>;
  parts: readonly Part[];
}

const listed = <T>(kernel: Kernel, list: Listed<T> | undefined): readonly T[] => (typeof list === 'function' ? list(kernel) : (list ?? []));

const isDictionary = (value: unknown): value is AnyDictionary =>
  typeof value === 'object' && value !== null && 'options' in value && 'label' in value && 'name' in value;

const dictionariesIn = (module: object): AnyDictionary[] =>
  Object.values(module).flatMap((value: unknown) => {
    if (isDictionary(value)) return [value];
    if (Array.isArray(value)) return value.filter(isDictionary);
    return typeof value === 'object' && value !== null && 'dictionary' in value && isDictionary(value.dictionary) ? [value.dictionary] : [];
  });

/** Wires a domain's server half: one way for every domain. */
export const domainModule =
  (spec: DomainSpec): ServerModuleFactory =>
  (kernel) => {
    const { domain, permissions, routes, errors, events, parts } = spec;
    for (const part of parts) part.register?.(kernel);
    const all = <T>(of: (part: Part) => Listed<T> | undefined): T[] => parts.flatMap((part) => [...listed(kernel, of(part))]);
    const exports = all((part) => part.exports);
    const imports = all((part) => part.imports);
    const sockets = parts.flatMap((part) => part.sockets?.(kernel) ?? []);
    const each = (step: 'demo' | 'demoAfter') =>
      parts.some((part) => part[step]) && {
        async [step](ctx: DemoContext) {
          for (const part of parts) await part[step]?.(ctx);
        },
      };
    const dictionaries = new Set((spec.dictionaries ?? []).flatMap(dictionariesIn));
    return {
      domain,
      permissions: Object.values(permissions),
      routes,
      errors,
      dictionaries: [...dictionaries],
      ...(events && { events }),
      handlers: [
        ...all((part) => part.handlers),
        ...exports.map((source) => (source.entries ? archiveHandler(source.call, source, kernel) : exportHandler(source, kernel))),
        ...imports.map((one) => importHandler(one, kernel)),
      ],
      exports,
      importers: [...new Set([...imports.map(({ importer }) => importer), ...all((part) => part.importers)])],
      jobs: all((part) => part.jobs),
      consumers: all((part) => part.consumers),
      payees: all((part) => part.payees),
      reference: all((part) => part.reference),
      ...(spec.ports && { ports: spec.ports(kernel) }),
      http: (app) => parts.forEach((part) => part.http?.(app, kernel)),
      ...(sockets.length > 0 && {
        sockets(io, bus) {
          const opened = sockets.map((open) => open(io, bus));
          return {
            async close() {
              for (const one of opened) await one.close();
            },
          };
        },
      }),
      ...each('demo'),
      ...each('demoAfter'),
      async started() {
        for (const part of parts) await part.started?.(kernel);
      },
    };
  };
