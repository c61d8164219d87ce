import type { Readable } from 'node:stream';
import type { LogKind } from '../contract/call.ts';
import type { Instant } from '../contract/time.ts';
import type { ApiClient, Db, Difference, Participant, Scope, Staff, Target, Tx, Writing } from './context.ts';

/** Ports of the kernel that domains fill in `server.ts`, so that the kernel imports no domain. */

export interface SessionRequest {
  token: string;
  /** Header `opNo`: the user whom the tab believes it acts for. */
  opNo: string | null;
  /** Header `userRoleMenu`: the assignment in which it acts. */
  userRoleMenu: string | null;
  ip: string;
  userAgent: string;
  now: Instant;
  /** The call may be made by a session that must first change its password; others refuse it there. */
  allowRestricted: boolean;
}

export interface SessionReader {
  /**
   * Reads session, assignment and role in one statement.
   * @throws Refusal SCM90002 or SCM90009 with the reason's own text; SCM90010 for an assignment that is not his.
   */
  read(db: Db, request: SessionRequest): Promise<{ staff: Staff; newToken?: string }>;
  /** Whether a session has not ended, for what was given out to it alone. */
  isLive(db: Db, sessionId: string, now: Instant): Promise<boolean>;
  /** Rights and scope of a stored assignment, for jobs that act for somebody; null when it is no longer valid. */
  contextOf(db: Db, userRoleId: string, now: Instant): Promise<Staff | null>;
}

export interface ParticipantReader {
  /** @throws Refusal SCM90002 for a token that is unknown, over or revoked. */
  read(db: Db, request: { token: string; ip: string; userAgent: string; now: Instant }): Promise<Participant>;
}

export interface SignedCallVerifier {
  /** @throws Refusal SCM01070, SCM01071, SCM90050, SCM90010. */
  verify(
    db: Db,
    request: { method: string; path: string; headers: Record<string, string | undefined>; body: Buffer; ip: string; now: Instant },
  ): Promise<ApiClient>;
}

export interface LogRow {
  at: Instant;
  traceId: string;
  durationMs: number;
  staff: Staff | null;
  apiClientId: string | null;
  jobName: string | null;
  call: string;
  label: string;
  kind: LogKind;
  targets: readonly Target[];
  diff: readonly Difference[];
  /** Request without secrets and file contents. */
  input: unknown;
  resultCode: string;
  message: string;
  ip: string;
  userAgent: string;
  menuRouteKey: string | null;
  /** The page of definitions that made the call, and the dataset for which it did. */
  pageToken?: string | null;
  datasetCode?: string | null;
  idempotencyKey: string | null;
}

interface People {
  /** Names of members of staff by their ids; whoever is unknown is left out. */
  names(db: Db | Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export interface OperationLogWriter {
  write(tx: Tx | Db, row: LogRow): Promise<void>;
}

export interface Notices {
  addTodo(
    tx: Tx,
    todo: { businessKey: string; title: string; body?: string; link?: string; permission?: string; userIds?: readonly string[] },
    now: Instant,
  ): Promise<void>;
  closeTodo(tx: Tx, businessKey: string, now: Instant): Promise<void>;
  addAlert(
    tx: Tx,
    alert: {
      businessKey: string;
      title: string;
      body?: string;
      link?: string;
      permission?: string;
      userIds?: readonly string[];
      roleCodes?: readonly string[];
    },
    now: Instant,
  ): Promise<void>;
  addResult(
    tx: Tx,
    result: { businessKey: string; title: string; body?: string; link?: string; userIds: readonly string[] },
    now: Instant,
  ): Promise<void>;
}

export interface FailureNotices {
  /** Tells whoever may see the failed jobs that one of this name failed for good; asked once per outage. */
  notify(tx: Tx, failure: { name: string; label: string; reason: string }, now: Instant): Promise<void>;
}

export interface StoredFile {
  fileId: string;
  fileNo: string;
  fileName: string;
  size: number;
  sha256: string;
}

export interface ProducedFile {
  purpose: string;
  name: string;
  body: Readable | Buffer;
  contentType: string;
  createdBy: string | null;
  retainUntil?: Instant;
  sensitive?: boolean;
}

export interface FileStore {
  /** Stores a produced file (`SYSTEM`, `EXPORT`, `IMPORT_RESULT`, anchors) and answers its record. */
  store(tx: Tx, file: ProducedFile, now: Instant): Promise<StoredFile>;
  /** Stores many in two statements; records in the order given. */
  storeAll(tx: Tx, files: readonly ProducedFile[], now: Instant): Promise<StoredFile[]>;
  /** Removes stored bytes that no row names, as a rolled-back transaction leaves them; for a start alone, while nobody else stores. */
  removeUnrecorded(db: Db): Promise<void>;
  /** Bytes of a READY file. */
  openRead(db: Db, fileId: string): Promise<{ body: Readable; fileName: string; contentType: string; size: number }>;
}

export interface ExportTasks {
  /** Queues an export that is too large to be answered at once. */
  request(
    writing: Writing,
    task: {
      source: string;
      title: string;
      routeKey: string;
      params: unknown;
      columns: readonly string[];
      format: 'XLSX' | 'CSV' | 'ZIP';
      plain: boolean;
      plainReason?: string;
      rowsTotal: number;
      staff: Staff;
    },
    now: Instant,
  ): Promise<{ exportTaskId: string; taskNo: string; rowsTotal: number }>;
}

export interface ImportTasks {
  /** Starts the validation of an uploaded table. */
  start(
    writing: Writing,
    task: { importerCode: string; fileId: string; params: Record<string, unknown>; mode: 'ALL_OR_NOTHING' | 'VALID_ONLY'; staff: Staff },
    now: Instant,
  ): Promise<{ importTaskId: string; batchNo: string }>;
}

export interface Ports {
  sessions: SessionReader;
  signedCalls: SignedCallVerifier;
  participants: ParticipantReader;
  operationLog: OperationLogWriter;
  people: People;
  notices: Notices;
  failureNotices: FailureNotices;
  files: FileStore;
  exportTasks: ExportTasks;
  importTasks: ImportTasks;
}

export const noScope: Scope = { own: false, region: null, insurer: null, channel: null };
