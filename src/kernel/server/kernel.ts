import type { FastifyInstance } from 'fastify';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Server as SocketServer } from 'socket.io';
import type { Call } from '../contract/call.ts';
import type { AnyDictionary } from '../contract/dictionary.ts';
import type { DeliveredEvent, EventDeclaration } from '../contract/event.ts';
import type { PermissionDeclaration } from '../contract/permission.ts';
import type { RouteDeclaration } from '../contract/route.ts';
import type { Instant } from '../contract/time.ts';
import type { BankDesk } from './bank/bank.ts';
import type { Clock } from './clock.ts';
import type { Transactions } from './command/transactions.ts';
import type { Config } from './config/config.ts';
import type { Db, Tx, Writing } from './context.ts';
import type { RowChanges } from './database/rowChanges.ts';
import type { PageWindow } from '../contract/pageWindow.ts';
import type { BuiltinPage, Dataset } from './datasets/dataset.ts';
import type { ExportSource } from './exporting/source.ts';
import type { Handler } from './handler.ts';
import type { Importer } from './importing/importer.ts';
import type { JobKind } from './jobs/kind.ts';
import type { Logger } from './logger.ts';
import type { Logistics } from './logistics/port.ts';
import type { Oms } from './oms/port.ts';
import type { ObjectType } from './objectTypes.ts';
import type { Ocr } from './ocr/ocr.ts';
import type { Payee, PayDesk } from './pay/desk.ts';
import type { Ports } from './ports.ts';
import type { NodeBus } from './realtime/nodeBus.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Secrets } from './sensitive/secrets.ts';
import type { Status, StatusSource } from './status/figure.ts';
import type { ObjectStorage } from './storage/objectStorage.ts';
import type { TaxPlatform } from './tax/port.ts';

// The kernel is given to what domains hand to it, and knows all of that: these types name each other, so they stand in one file.

/** Everything that a domain's server half is given at start. */
export interface Kernel {
  config: Config;
  clock: Clock;
  log: Logger;
  /** Pool of the primary database, as the application's role. */
  db: Db;
  /** Pool of `DATABASE_READ_URL`, else the same as `db`; for exports and previews. */
  readDb: Db;
  /** For what is kept in memory of the database between requests. */
  rowChanges: RowChanges;
  secrets: Secrets;
  storage: ObjectStorage;
  realtime: Realtime;
  /** Pay channels. */
  pay: PayDesk;
  /** Payments that go out. */
  bank: BankDesk;
  /** Invoices, ours and those of others. */
  tax: TaxPlatform;
  /** Suppliers who ship. */
  oms: Oms;
  /** Carriers. */
  logistics: Logistics;
  /** Reads what is printed on documents. */
  ocr: Ocr;
  transactions: Transactions;
  /** Figures about the running product. */
  status: Status;
  /** Counts an incident that operations should see in the metrics (`scan_lost`). */
  count(incident: string): void;
  /** Filled from the modules before the first request. */
  ports: Ports;
  /** Everything that the modules registered; complete once all are built. */
  registry: Registry;
}

export interface JobContext {
  kernel: Kernel;
  now: Instant;
  traceId: string;
  db: Db;
  /** Aborted when the process stops; long work ends at its next chunk. */
  signal: AbortSignal;
  transaction<T>(work: (writing: Writing) => Promise<T>): Promise<T>;
  /** Of a job that repeats itself: nothing is due for so many milliseconds, unless this process commits something meanwhile. */
  idleFor(ms: number): void;
}

/** One kind of background work. */
export interface JobDeclaration<Data extends object = Record<string, never>> extends JobKind<Data> {
  run(data: Data, ctx: JobContext): Promise<void>;
}

export interface ConsumerContext extends Writing {
  kernel: Kernel;
  now: Instant;
  traceId: string;
}

/**
 * A domain's reaction to an event; runs once per event, in a transaction that it may share with others. It writes through that one alone.
 */
export interface Consumer {
  /** `{domain}` that consumes; with the event name it is unique. */
  domain: string;
  event: EventDeclaration;
  run(event: DeliveredEvent<unknown>, ctx: ConsumerContext): Promise<void>;
}

/** Rows that come from code in every mode; written at start when `checksum` changed. */
export interface ReferenceData {
  name: string;
  /** Anything that changes when the rows do; it is hashed. */
  content: unknown;
  write(tx: Tx, now: Instant): Promise<void>;
}

/**
 * For rows of the demonstration, only in demo and test mode on a database without them; dates are relative to `now`. All that a domain
 * writes is committed together with the mark that it was written, so every handle here reads and writes in that one transaction.
 */
export interface DemoContext {
  kernel: Kernel;
  now: Instant;
  db: Db;
  /** Goes on in the open transaction. */
  transaction<T>(work: (writing: Writing) => Promise<T>): Promise<T>;
}

/** What the administrator of a new system does first, as a line of the list that is shown to him until all is done. */
export interface FirstStep {
  /** Chinese: `新增医院`. */
  label: string;
  /** Page on which it is done. */
  path: string;
  /** Whoever has not this right is not asked to do it. */
  permission: string;
  /** Whether it is done: a fact of the domain's own tables. */
  fact: RawBuilder<SqlBool>;
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
  /** Kinds of things of this domain that carry marks. */
  objectTypes?: readonly ObjectType[];
  /** What pages of definitions may name of this domain, and such pages that ship with its code. */
  datasets?: readonly Dataset[];
  builtinPages?: readonly BuiltinPage[];
  /** Windows of this domain that such pages may open. */
  pageWindows?: readonly PageWindow[];
  /** Ports of the kernel that this domain fills. */
  ports?: Partial<Ports>;
  /** Routes that are no calls (signed uploads and downloads). */
  http?(app: FastifyInstance): void;
  /** Adds socket namespaces of its own; `bus` reaches the other processes. */
  sockets?(io: SocketServer, bus: NodeBus): { close(): Promise<void> };
  reference?: readonly ReferenceData[];
  firstSteps?: readonly FirstStep[];
  /** Figures of this domain for `/metrics` and the page 系统状态. */
  status?: readonly StatusSource[];
  demo?(ctx: DemoContext): Promise<void>;
  /** Rows of the demonstration that name those of domains which come later; after the `demo` of all. */
  demoAfter?(ctx: DemoContext): Promise<void>;
  /** What ends the work of others (a closed month); after the `demoAfter` of all. */
  demoLast?(ctx: DemoContext): Promise<void>;
  /** Runs once per process after reference and demo data, before the first request. */
  started?(): Promise<void>;
}

export type ServerModuleFactory = (kernel: Kernel) => ServerModule;

/** What the modules registered, gathered and checked for doubles. */
export interface Registry {
  readonly modules: readonly ServerModule[];
  readonly handlers: readonly Handler[];
  readonly calls: readonly Call[];
  readonly permissions: readonly PermissionDeclaration[];
  readonly routes: readonly RouteDeclaration[];
  readonly jobs: ReadonlyMap<string, JobDeclaration<never>>;
  readonly consumers: ReadonlyMap<string, Consumer>;
  readonly exports: readonly ExportSource[];
  readonly importers: readonly Importer[];
  /** By their codes. */
  readonly objectTypes: ReadonlyMap<string, ObjectType>;
  /** By their codes, with the domain that owns them. */
  readonly datasets: ReadonlyMap<string, Dataset & { domain: string }>;
  readonly builtinPages: readonly (BuiltinPage & { domain: string })[];
  /** By their names. */
  readonly pageWindows: ReadonlyMap<string, PageWindow>;
  /** Keys of the consumers of an event. */
  consumersOf(eventName: string): readonly string[];
  /** Chinese label of a permission code; the code itself when it is not registered. */
  permissionLabel(code: string): string;
}
