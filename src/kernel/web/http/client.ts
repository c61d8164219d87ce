import type { AnswerOf, Call, InputOf } from '../../contract/call.ts';
import type { Envelope } from '../../contract/envelope.ts';
import { platformErrors } from '../../contract/errors.ts';
import { toastError } from '../feedback/toast.ts';
import { endSession, rotateToken } from '../session/expiry.ts';
import { noteRoleGone } from '../session/roleGone.ts';
import { asksIdentity, confirmIdentity } from '../session/stepUp.ts';
import { callerOf } from '../session/store.ts';
import { carriesEnvelope, judge, timeoutOf } from './errorLaw.ts';
import { noteReached, patiently, withoutWord } from './patience.ts';
import { RefusalError, TransportError } from './refusal.ts';
import { requestOf } from './request.ts';
import type { SendOptions } from './request.ts';
import { noteBuild } from './version.ts';

const refusalHandlers = new Map<string, (message: string) => void>();

/** A code that means something to the whole product; called besides the toast's place. */
export const onRefusal = (code: string, act: (message: string) => void): void => void refusalHandlers.set(code, act);

/** A read's place may show its refusal instead of a toast; an act's refusal is always said, whatever the form marks besides. */
const isQuiet = (call: Call, code: string, quiet: SendOptions['quiet']): boolean =>
  call.silent === true || (call.kind === 'query' && (quiet === true || (Array.isArray(quiet) && quiet.includes(code))));

/** Says that no answer came; only the specification's silent lists fail without a message. */
function transportFailure(call: Call, kind: TransportError['kind']): TransportError {
  const failure = new TransportError(kind);
  if (!(call.silent && call.shape === 'list')) toastError(failure.message);
  return failure;
}

const timedOut = (cause: unknown): boolean => cause instanceof DOMException && cause.name === 'TimeoutError';

/**
 * Reads an answer's body, which can fail as the request itself can.
 * @throws TransportError, and the reason of the caller's own signal
 */
async function readBody<T>(call: Call, read: () => Promise<T>, { signal }: SendOptions): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    // A body that came whole and is no JSON is a wrong answer; everything else broke on its way.
    throw transportFailure(call, timedOut(cause) ? 'timeout' : cause instanceof SyntaxError ? 'status' : 'connection');
  }
}

/** Calls that mean nothing without a token; a patient's page and partners prove themselves otherwise. */
const needsSession = ({ access: { kind } }: Call): boolean => kind !== 'public' && kind !== 'signed' && kind !== 'participant';

async function exchange(call: Call, input: unknown, options: SendOptions): Promise<Response> {
  const caller = callerOf();
  if (!caller.authorization && needsSession(call)) {
    // Nobody is asked who it was: after a logout nothing follows, on a page whose session ended elsewhere the dialog.
    const { code, text } = platformErrors.SESSION_EXPIRED;
    endSession(text);
    throw new RefusalError(code, text);
  }
  const { url, init } = requestOf(call, input, caller, options);
  const timer = AbortSignal.timeout(timeoutOf(call));
  const signal = options.signal ? AbortSignal.any([timer, options.signal]) : timer;
  let response: Response;
  try {
    response = await fetch(url, { ...init, signal });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw transportFailure(call, timer.aborted ? 'timeout' : 'connection');
  }
  noteBuild(response.headers.get('X-Build'));
  const renewed = response.headers.get('X-New-Authorization');
  if (renewed) rotateToken(renewed);
  if (!carriesEnvelope(response.status)) throw transportFailure(call, 'status');
  noteReached();
  return response;
}

/** Reads the envelope and applies the error law. @throws RefusalError */
async function readEnvelope(call: Call, response: Response, options: SendOptions): Promise<Envelope> {
  const envelope = await readBody(call, async () => (await response.json()) as Envelope, options);
  const verdict = judge(envelope.code, isQuiet(call, envelope.code, options.quiet));
  if (verdict === 'success') return envelope;
  const refusal = new RefusalError(envelope.code, envelope.message, {
    data: envelope.data,
    ...(envelope.fields && { fields: envelope.fields }),
    ...(envelope.traceId && { traceId: envelope.traceId }),
  });
  noteRoleGone(refusal);
  if (verdict === 'sessionEnded') endSession(refusal.message);
  else if (asksIdentity(refusal.code)) throw refusal;
  else if (refusalHandlers.has(refusal.code)) refusalHandlers.get(refusal.code)?.(refusal.message);
  else if (verdict === 'toast') toastError(firstFault(refusal) ?? refusal.message);
  throw refusal;
}

/** A malformed request names its first field in the toast, where no form shows it inline. */
function firstFault(refusal: RefusalError): string | undefined {
  return refusal.code === platformErrors.MALFORMED.code ? refusal.fields[0]?.message : undefined;
}

/** What a call answered, with the message that the page shows after an addition. */
export interface Answer<Data> {
  data: Data;
  message: string;
}

function dataOf(call: Call, envelope: Envelope): unknown {
  if (call.shape === 'list') return { rows: envelope.data ?? [], total: envelope.totalRecordCount ?? 0 };
  if (call.shape === 'cursor') {
    const page = envelope.data ?? { rows: [] };
    return { ...page, total: envelope.totalRecordCount ?? 0 };
  }
  return envelope.data;
}

/** As `send`, with the server's message. */
export async function sendForAnswer<C extends Call>(call: C, input: InputOf<C>, options: SendOptions = {}): Promise<Answer<AnswerOf<C>>> {
  const waits = call.kind === 'query';
  const how = waits ? withoutWord(options) : options;
  const once = async () => readEnvelope(call, await exchange(call, input, how), how);
  const envelope = await (waits ? patiently(once, options.signal) : once()).catch(async (error: unknown) => {
    if (!(error instanceof RefusalError) || !asksIdentity(error.code) || !(await confirmIdentity())) throw error;
    return once();
  });
  // The server checks every answer against the call's output schema; the browser trusts the type.
  return { data: dataOf(call, envelope) as AnswerOf<C>, message: envelope.message };
}

/**
 * Makes a declared call. Lists answer `{rows, total}`, everything else its data.
 * Failures are shown by the error law (toast, expiry dialog) unless the call is silent; a quiet read's refusal is left to its place.
 * @throws RefusalError code other than 0000000
 * @throws TransportError 请求超时, 网络连接错误, 网络异常
 */
export async function send<C extends Call>(call: C, input: InputOf<C>, options: SendOptions = {}): Promise<AnswerOf<C>> {
  return (await sendForAnswer(call, input, options)).data;
}

export { exchange, readBody, readEnvelope };
