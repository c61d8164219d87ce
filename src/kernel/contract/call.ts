import type * as z from 'zod/mini';
import type { MachineParty } from './machine.ts';
import type { MachinePermission } from './permission.ts';

export type Host = 'admin' | 'gateway' | 'product' | 'intranet';
export type LogKind = 'WRITE' | 'REVEAL' | 'EXPORT' | 'DOWNLOAD' | 'IMPORT' | 'AUTH' | 'SYSTEM';

/** Who may make a call. Every call declares exactly one. */
export type Authorisation =
  | { kind: 'public' }
  | { kind: 'session' }
  | { kind: 'permission'; code: string }
  /** The value of an input field chooses the permission; a value not listed needs `otherwise`. */
  | { kind: 'byAction'; field: string; codes: Readonly<Record<string, string>>; otherwise: string }
  /** The handler resolves which of these codes applies (an importer's, a purpose's, a page's own). */
  | { kind: 'owner'; codes: readonly string[] }
  /** A machine of one of these parties that was given this permission. */
  | { kind: 'signed'; code: string; parties: readonly MachineParty[] }
  | { kind: 'participant' };

export const access = {
  public: { kind: 'public' },
  session: { kind: 'session' },
  participant: { kind: 'participant' },
  signed: (permission: MachinePermission, ...parties: readonly [MachineParty, ...MachineParty[]]) => ({
    kind: 'signed',
    code: permission.code,
    parties,
  }),
  permission: (permission: { code: string }) => ({ kind: 'permission', code: permission.code }),
  byAction: (field: string, codes: Record<string, { code: string }>, otherwise: { code: string }) => ({
    kind: 'byAction',
    field,
    codes: Object.fromEntries(Object.entries(codes).map(([value, permission]) => [value, permission.code])),
    otherwise: otherwise.code,
  }),
  owner: (...permissions: { code: string }[]) => ({ kind: 'owner', codes: permissions.map(({ code }) => code) }),
} as const satisfies Record<string, Authorisation | ((...args: never[]) => Authorisation)>;

/**
 * - `data`: one value
 * - `list`: `{rows, total}`; the envelope carries the rows and `totalRecordCount`
 * - `cursor`: `{rows, nextCursor}` for lists that grow without bound
 * - `file`: bytes for the browser to save, or the declared output in an envelope (a task that will make them)
 */
export type Shape = 'data' | 'list' | 'cursor' | 'file';

export interface CallSpec<I extends z.ZodMiniType, O extends z.ZodMiniType, S extends Shape> {
  host: Host;
  service: string;
  operation: string;
  method?: 'GET' | 'POST' | 'PUT';
  shape: S;
  /** `query` reads only; `command` runs in one transaction and is written to the operation log. */
  kind: 'query' | 'command';
  input: I;
  /** Input fields that a POST or PUT sends as query parameters, texts or lists of texts (`productCode`); a GET sends all of them so. */
  query?: readonly string[];
  /** Schema of the data (`data`, `file`) or of one row (`list`, `cursor`). */
  output: O;
  access: Authorisation;
  /** Chinese name of the act in the operation log. */
  label: string;
  log?: LogKind;
  /** Envelope message of a success; the page shows it after an addition. */
  message?: string;
  /** Every command honours the header `Idempotency-Key`; this one demands it. */
  idempotency?: 'required';
  /** Calls a minute and user (or address, where there is no session). */
  ratePerMinute?: number;
  /** A restricted session (must change its password) may make it. */
  restricted?: boolean;
  /** Input fields that never reach the log. */
  secrets?: readonly string[];
  /**
   * The answer holds what nobody may read a second time (a password, a token, a ticket): it is never stored. Reveals and authentication
   * calls always are.
   */
  secretOutput?: boolean;
  /** The page shows no toast for a refusal of this call (the specification's silent calls). */
  silent?: boolean;
}

export interface Call<
  I extends z.ZodMiniType = z.ZodMiniType,
  O extends z.ZodMiniType = z.ZodMiniType,
  S extends Shape = Shape,
> extends CallSpec<I, O, S> {
  method: 'GET' | 'POST' | 'PUT';
  /** Kind of its row in the operation log; null = leaves none (plain reads). */
  logged: LogKind | null;
  secretOutput: boolean;
  /** `Service/operation`, unique in the product. */
  name: string;
  /** `admin/Service/operation`, as the operation log writes it. */
  path: string;
}

/** What a caller sends, before defaults and conversions. */
export type InputOf<C> = C extends Call<infer I, infer _O, infer _S> ? z.input<I> : never;
/** What a handler gets, checked. */
export type CheckedInputOf<C> = C extends Call<infer I, infer _O, infer _S> ? z.output<I> : never;
/** Data, or one row of a list. */
export type OutputOf<C> = C extends Call<infer _I, infer O, infer _S> ? z.output<O> : never;

export interface Page<Row> {
  rows: Row[];
  /** Exact to 10,000; 10001 = more. */
  total: number;
}
export interface CursorPage<Row> extends Page<Row> {
  nextCursor?: string;
}

/** What the typed client answers for a call. */
export type AnswerOf<C> =
  C extends Call<infer _I, infer O, infer S>
    ? S extends 'list'
      ? Page<z.output<O>>
      : S extends 'cursor'
        ? CursorPage<z.output<O>>
        : z.output<O>
    : never;
