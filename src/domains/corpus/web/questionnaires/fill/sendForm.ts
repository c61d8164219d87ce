import type { AnswerOf, Call, InputOf } from '#kernel/contract/call.ts';
import { SUCCESS, type Envelope } from '#kernel/contract/envelope.ts';
import { carriesEnvelope, timeoutOf } from '#kernel/web/http/errorLaw.ts';
import { RefusalError, TransportError } from '#kernel/web/http/refusal.ts';
import { requestOf } from '#kernel/web/http/request.ts';

/**
 * Makes a call of whoever holds the link; there is no session.
 * @throws RefusalError, TransportError
 */
export async function sendForm<C extends Call>(call: C, input: InputOf<C>): Promise<AnswerOf<C>> {
  const { url, init } = requestOf(call, input, { authorization: null, opNo: null, userRoleMenu: null }, {});
  const timer = AbortSignal.timeout(timeoutOf(call));
  const response = await fetch(url, { ...init, signal: timer }).catch(() => {
    throw new TransportError(timer.aborted ? 'timeout' : 'connection');
  });
  if (!carriesEnvelope(response.status)) throw new TransportError('status');
  const envelope = (await response.json()) as Envelope;
  if (envelope.code === SUCCESS) return envelope.data as AnswerOf<C>;
  throw new RefusalError(envelope.code, envelope.message, { data: envelope.data, ...(envelope.fields && { fields: envelope.fields }) });
}
