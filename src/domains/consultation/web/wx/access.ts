import type { AnswerOf, Call, InputOf } from '#kernel/contract/call.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import { SUCCESS, type Envelope } from '#kernel/contract/envelope.ts';
import { carriesEnvelope, timeoutOf } from '#kernel/web/http/errorLaw.ts';
import { RefusalError, TransportError } from '#kernel/web/http/refusal.ts';
import { requestOf } from '#kernel/web/http/request.ts';
import type { exchangeTicket } from '../../contract/calls/participants.ts';

export type Entered = AnswerOf<typeof exchangeTicket>;
export type Group = Entered['groups'][number];
/** What this tab remembers of its link; the session's own storage, so that nothing of the staff's is touched. */
interface Kept extends Omit<Entered, 'groups'> {
  ticket: string;
}

const KEY = 'kangqiao.wx.session';

export function keptSession(ticket: string | null): Kept | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Kept | null;
    return kept && (ticket === null || kept.ticket === ticket) && Date.parse(kept.expiresAt) > 0 ? kept : null;
  } catch {
    return null;
  }
}
export function keepSession(ticket: string, { groups: _, ...entered }: Entered): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...entered, ticket }));
}
export const forgetSession = (): void => sessionStorage.removeItem(KEY);

/** The same for all reloads of this tab. */
export function clientId(): string {
  const known = sessionStorage.getItem(`${KEY}.client`);
  if (known) return known;
  const made = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  sessionStorage.setItem(`${KEY}.client`, made);
  return made;
}

let onGone: () => void = () => {};
/** What happens when the link no longer opens anything. */
export const provideGone = (act: () => void): void => void (onGone = act);

/**
 * Makes a call as the participant of this tab.
 * @throws RefusalError, TransportError
 */
export async function sendMine<C extends Call>(call: C, input: InputOf<C>): Promise<AnswerOf<C>> {
  const { url, init } = requestOf(
    call,
    input,
    { authorization: keptSession(null)?.participantToken ?? null, opNo: null, userRoleMenu: null },
    {},
  );
  const timer = AbortSignal.timeout(timeoutOf(call));
  const response = await fetch(url, { ...init, signal: timer }).catch(() => {
    throw new TransportError(timer.aborted ? 'timeout' : 'connection');
  });
  if (!carriesEnvelope(response.status)) throw new TransportError('status');
  const envelope = (await response.json()) as Envelope;
  if (envelope.code === SUCCESS) return envelope.data as AnswerOf<C>;
  if (envelope.code === platformErrors.SESSION_EXPIRED.code) onGone();
  throw new RefusalError(envelope.code, envelope.fields?.[0]?.message ?? envelope.message, {
    data: envelope.data,
    ...(envelope.fields && { fields: envelope.fields }),
  });
}
