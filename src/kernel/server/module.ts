import type { FastifyInstance } from 'fastify';
import type { Server as SocketServer } from 'socket.io';
import type { AnyDictionary } from '../contract/dictionary.ts';
import type { PermissionDeclaration } from '../contract/permission.ts';
import type { RouteDeclaration } from '../contract/route.ts';
import type { EventDeclaration } from '../contract/event.ts';
import type { Db, Tx, Writing } from './context.ts';
import type { Handler } from './handler.ts';
import type { JobDeclaration } from './jobs/declaration.ts';
import type { Kernel } from './kernel.ts';
import type { Payee } from './pay/desk.ts';
import type { Ports } from './ports.ts';
import type { Consumer } from './outbox/consumer.ts';
import type { ExportSource } from './exporting/source.ts';
import type { NodeBus } from './realtime/nodeBus.ts';
import type { Importer } from './importing/importer.ts';
import type { Instant } from '../contract/time.ts';

/** Rows that come from code in every mode; written at start when `checksum` changed. */
export interface ReferenceData {
  name: string;
  /** Anything that changes when the rows do; it is hashed. */
  content: unknown;
  write(tx: Tx, now: Instant): Promise<void>;
}

/** Rows of the demonstration, only in demo and test mode on an empty database; dates are relative to `now`. */
export interface DemoContext {
  kernel: Kernel;
  now: Instant;
  db: Db;
  transaction<T>(work: (writing: Writing) => Promise<T>): Promise<T>;
}

/** The server half of a domain, as the composition root takes it. */
export interface ServerModule {
  domain: string;
  permissions: readonly PermissionDeclaration[];
  routes: readonly RouteDeclaration[];
  errors: Readonly<Record<string, { code: string; text: string }>>;
  dictionaries?: readonly AnyDictionary[];
  /** Events that this domain publishes. */
  events?: readonly EventDeclaration[];
  handlers: readonly Handler[];
  // A registry of jobs of different payloads: each is called with its own payload only.
  jobs?: readonly JobDeclaration<never>[];
  consumers?: readonly Consumer[];
  exports?: readonly ExportSource[];
  importers?: readonly Importer[];
  /** Payments that this domain takes. */
  payees?: readonly Payee[];
  /** Ports of the kernel that this domain fills. */
  ports?: Partial<Ports>;
  /** Routes that are no calls (signed uploads and downloads). */
  http?(app: FastifyInstance): void;
  /** Adds socket namespaces of its own; `bus` reaches the other processes. */
  sockets?(io: SocketServer, bus: NodeBus): { close(): Promise<void> };
  reference?: readonly ReferenceData[];
  demo?(ctx: DemoContext): Promise<void>;
  /** Rows of the demonstration that name those of domains which come later; after the `demo` of all. */
  demoAfter?(ctx: DemoContext): Promise<void>;
  /** Runs once per process after reference and demo data, before the first request. */
  started?(): Promise<void>;
}

export type ServerModuleFactory = (kernel: Kernel) => ServerModule;
