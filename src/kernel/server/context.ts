import type { Kysely, Transaction } from 'kysely';
import type { Call } from '../contract/call.ts';
import type { FieldFault } from '../contract/envelope.ts';
import type { EventDeclaration, PayloadOf } from '../contract/event.ts';
import type { MachineParty } from '../contract/machine.ts';
import type { Day, Instant } from '../contract/time.ts';
import type { KernelTables } from './database/tables.ts';
import type { FileAnswer } from './fileAnswer.ts';
import type { JobKind, JobOptions } from './jobs/kind.ts';

/** Reading handle. A domain narrows it to its own tables by its handles (`handlesOf`). */
export type Db = Kysely<KernelTables>;
/** Writing handle: the one transaction of a command. */
export type Tx = Transaction<KernelTables>;

/** Which rows an assignment sees; null = not restricted in this dimension. */
export interface Scope {
  own: boolean;
  region: readonly string[] | null;
  insurer: readonly string[] | null;
  channel: readonly string[] | null;
}

/** A logged-in member of staff in the role in which the request acts. */
export interface Staff {
  userId: string;
  userName: string;
  displayName: string;
  opNo: string;
  sessionId: string;
  /** When the session ends unless it is used until then; null where nobody is logged in. */
  sessionEndsAt: Instant | null;
  restricted: boolean;
  /** Identity was confirmed by SMS (or password) at this time; good for ten minutes. */
  smsVerifiedAt: Instant | null;
  /** Active assignment; null for somebody without any role. */
  userRoleId: string | null;
  roleCode: string | null;
  roleName: string | null;
  permissions: ReadonlySet<string>;
  scope: Scope;
}

/** A machine that signed its request. */
export interface ApiClient {
  apiClientId: string;
  clientId: string;
  name: string;
  party: MachineParty;
  partyId: string | null;
  permissions: ReadonlySet<string>;
  /** What it was given, narrowed to the house it belongs to. */
  scope: Scope;
}

/** Somebody outside the staff who entered by a link: a patient or a doctor. */
export interface Participant {
  /** Account in the chat, with its prefix. */
  imUserId: string;
  ticketId: string;
  /** The one group that the link opens; null: all groups of that account. */
  groupId: string | null;
}

/** What every handler knows of the request. */
export interface Context {
  traceId: string;
  call: Call | null;
  now: Instant;
  today: Day;
  ip: string;
  userAgent: string;
  /** The staff user; throws where the call is public and nobody is logged in. */
  readonly staff: Staff;
  /** The same without the throw. */
  readonly staffOrNull: Staff | null;
  readonly client: ApiClient | null;
  /** Who entered by a link; there exactly in a participant's calls. */
  participant: Participant | null;
  /** Version that travelled as `If-Match`, where the specification fixes the body. */
  ifMatch: number | null;
  idempotencyKey: string | null;
  has(permission: string | { code: string }): boolean;
  /** Name of a member of staff; null where there is nobody of that id. */
  nameOf(userId: string): Promise<string | null>;
  /** Throws SCM90010 naming the permission. */
  requirePermission(permission: string | { code: string }): void;
  /** Token of the request in the clear, for the logout and rotation calls alone. */
  readonly token: string | null;
  /** A cookie of the request; null where it has none of that name. */
  cookie(name: string): string | null;
  /** Sets a response header (`X-New-Authorization`). */
  header(name: string, value: string): void;
}

/** Which page and which of its datasets a call was made for, where a page of definitions made it. */
export interface Origin {
  pageToken: string;
  datasetCode: string;
}

/** What a call made inside of another one travels with; its caller is the running request's. */
interface DispatchOptions {
  origin: Origin;
  idempotencyKey?: string;
  /** The version that the operator saw, where it travels as `If-Match`. */
  version?: number;
}

/** How a call ended that was made inside of another one; refusals too are answers. */
export interface Dispatched {
  code: string;
  message: string;
  data: unknown;
  total: number | null;
  fields: readonly FieldFault[];
  /** Bytes for the browser, where the call answered some. */
  file: FileAnswer | null;
}

/**
 * Makes a declared call as if the browser had sent it: permission, rate, schema, transaction, idempotency and operation log are
 * its own. A query may make queries alone.
 */
export type Dispatch = (call: Call, input: unknown, options: DispatchOptions) => Promise<Dispatched>;

export interface QueryContext extends Context {
  db: Db;
  dispatch: Dispatch;
}

/** One changed field, for the operation log and the page's before/after tables. */
export interface Difference {
  path: string;
  label: string;
  before: unknown;
  after: unknown;
}

export interface Target {
  type: string;
  id: string;
  no?: string;
  /** A transition named it, which says itself what it contributes (`audit/fourEyes.ts`). */
  moved?: true;
  /** Named for the log alone: nothing of it was written. */
  looked?: true;
}

/** What can be written beside the rows of a command, in its transaction. */
export interface Writing {
  tx: Tx;
  /** Publishes an event; it is delivered after the commit, at least once. */
  publish<E extends EventDeclaration>(event: E, aggregateId: string, payload: PayloadOf<E>): Promise<void>;
  /** The same event of many things, each published once, in few statements. */
  publishMany<E extends EventDeclaration>(event: E, all: readonly { aggregateId: string; payload: PayloadOf<E> }[]): Promise<void>;
  /** Adds a job that exists exactly when the transaction commits. */
  enqueue<D extends object>(job: JobKind<D>, data: D, options?: JobOptions): Promise<void>;
  /** Names what the operation log shows as touched. */
  target(target: Target): void;
  /** Adds to the before/after difference of the operation log. */
  changed(differences: readonly Difference[]): void;
  /** Runs after the commit; a failure is logged and does not undo anything. */
  afterCommit(work: () => void | Promise<void>): void;
}

export interface CommandContext extends Context, Writing {}

/** For work that cannot live in one transaction (file inspection, long imports): opens several, one after another. */
export interface ProcedureContext extends Context {
  db: Db;
  dispatch: Dispatch;
  transaction<T>(work: (ctx: CommandContext) => Promise<T>): Promise<T>;
  target(target: Target): void;
  changed(differences: readonly Difference[]): void;
}
