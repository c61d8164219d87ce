import type { Call } from '../../contract/call.ts';
import type { LogRow } from '../ports.ts';
import type { LogNotes, RequestFacts } from './context.ts';
import { storable } from './validate.ts';

/** `filterText` repeats in words what may be secret as a filter. */
const ALWAYS_SECRET = ['password', 'oldPassword', 'newPassword', 'smsCode', 'captcha', 'secret', 'token', 'filterText'];

/** The request without what must never reach the log. A refused one may hold what no column takes; it is cleaned. */
function loggedInput(call: Call, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return storable(input ?? {});
  const secret = new Set([...ALWAYS_SECRET, ...(call.secrets ?? [])]);
  return storable(Object.fromEntries(Object.entries(input).filter(([key]) => !secret.has(key))));
}

/** The page from which the request came: the path of the browser's Referer. */
function menuOf(referer: string | undefined): string | null {
  try {
    return referer ? new URL(referer).pathname.slice(1) || null : null;
  } catch {
    return null;
  }
}

/** Operation-log row of a request. */
export function logRowOf(
  facts: RequestFacts & { referer: string | undefined; startedAt: number },
  input: unknown,
  notes: LogNotes,
  outcome: { code: string; message: string },
): LogRow {
  return {
    at: facts.now,
    traceId: facts.traceId,
    durationMs: Math.round(performance.now() - facts.startedAt),
    staff: facts.staff,
    apiClientId: facts.client?.apiClientId ?? null,
    jobName: null,
    call: facts.call.path,
    label: facts.call.label,
    kind: facts.call.logged ?? 'WRITE',
    targets: notes.targets,
    diff: notes.differences,
    input: loggedInput(facts.call, input),
    resultCode: outcome.code,
    message: outcome.message,
    ip: facts.ip,
    userAgent: facts.userAgent,
    menuRouteKey: facts.origin?.pageToken ?? menuOf(facts.referer),
    pageToken: facts.origin?.pageToken ?? null,
    datasetCode: facts.origin?.datasetCode ?? null,
    idempotencyKey: facts.idempotencyKey,
  };
}
