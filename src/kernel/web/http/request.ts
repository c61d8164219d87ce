import type { Call } from '../../contract/call.ts';
import { queryOf, splitInput } from '../../contract/parameters.ts';
import { prefixOf } from '../config.ts';

export interface SendOptions {
  /** Version of the record that the operator saw; travels as `If-Match`. */
  version?: number;
  /** Same key, same act: a repetition answers the stored result. */
  idempotencyKey?: string;
  /** The caller shows refusals itself, `true` for all, or these codes: a read's are not toasted, an act throws them besides the toast. */
  quiet?: boolean | readonly string[];
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** Who is asking, as the three headers say it. */
export interface Caller {
  authorization: string | null;
  opNo: string | null;
  userRoleMenu: string | null;
}

/** 128 random bits in hex; `crypto.randomUUID` exists on secure origins only. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The request of a call, as the specification's HTTP layer sends it. */
export function requestOf(call: Call, input: unknown, caller: Caller, options: SendOptions): { url: string; init: RequestInit } {
  const headers: Record<string, string> = {};
  if (caller.authorization) headers['Authorization'] = caller.authorization;
  if (caller.opNo) headers['opNo'] = caller.opNo;
  if (caller.userRoleMenu) headers['userRoleMenu'] = caller.userRoleMenu;
  if (options.version !== undefined) headers['If-Match'] = String(options.version);
  const key = options.idempotencyKey ?? (call.idempotency === 'required' ? newKey() : undefined);
  if (key) headers['Idempotency-Key'] = key;
  const { query, body } = splitInput(call, (input ?? {}) as Readonly<Record<string, unknown>>);
  const url = `${prefixOf(call.host)}/${call.name}${queryOf(query)}`;
  if (call.method === 'GET') return { url, init: { method: 'GET', headers } };
  headers['Content-Type'] = 'application/json';
  return { url, init: { method: call.method, headers, body: JSON.stringify(body) } };
}
