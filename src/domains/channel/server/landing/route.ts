import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Kernel } from '#kernel/server/kernel.ts';
import { readToken } from '../codes/token.ts';
import { answerOf, type LandingAnswer } from './answer.ts';
import { landingCode, verdictOf, type LandingCode } from './code.ts';
import { LANDING_CSP, refusals } from './pages.ts';
import { recordScan, type ChooseLive, type Recorded } from './record.ts';
import { signScan } from './scanToken.ts';
import { sharedReads } from './sharedReads.ts';
import { cookieOf, visitOf } from './visit.ts';
import { within } from '../within.ts';

const READ_MS = 400;
const RECORD_MS = 500;
/** A visitor waits no longer than this for what the database does not answer. */
export const MOST_WAIT_MS = READ_MS + RECORD_MS;
/** A limited code and a live one need the answer of the count, so they wait longer for it. */
const PATIENT_MS = 8_000;
/** What was read last stands in while the database does not answer. */
const STALE_MS = 30_000;
const MOST_REMEMBERED = 10_000;

function send(reply: FastifyReply, answer: LandingAnswer) {
  reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer').header('Content-Security-Policy', LANDING_CSP);
  if (answer.location) return reply.status(302).header('Location', answer.location).send();
  return reply.status(answer.status).type('text/html; charset=utf-8').send(answer.html);
}

/** `GET /q/{token}`: the public address of every code. No session, no envelope: a page or a redirect to the stored target. */
export function registerLanding(app: FastifyInstance, kernel: Kernel, chooseLive: ChooseLive): void {
  const remembered = new Map<string, { code: LandingCode; at: number }>();
  const read = sharedReads((token) => landingCode(kernel.db, token), READ_MS);

  async function codeOf(token: string): Promise<LandingCode | null> {
    try {
      const code = await within(read(token), READ_MS);
      if (code) {
        if (remembered.size >= MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
        remembered.set(token, { code, at: performance.now() });
      } else remembered.delete(token);
      return code;
    } catch (error) {
      const known = remembered.get(token);
      if (known && performance.now() - known.at <= STALE_MS) return known.code;
      throw error;
    }
  }

  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/q/:token',
    handler: async (request, reply) => {
      const token = readToken(request.params.token);
      if (token === null) {
        kernel.count('scan_malformed');
        return send(reply, refusals.UNKNOWN);
      }
      const now = kernel.clock.now();
      let code: LandingCode | null;
      try {
        code = await codeOf(token);
      } catch (error) {
        kernel.count('scan_lost');
        kernel.log.warn({ error }, 'a code could not be read');
        return send(reply, refusals.BUSY);
      }
      const verdict = code === null ? 'UNKNOWN' : verdictOf(code, now);
      const visit = visitOf(kernel.secrets, request.headers, request.ip, now);
      if (request.method === 'HEAD') return send(reply, verdict === 'OK' ? answerOf(code!, visit, null, null) : refusals[verdict]);
      let recorded: Recorded | null = null;
      try {
        const patient = code !== null && (code.scanLimit !== null || code.kind === 'LIVE');
        recorded = await within(recordScan(kernel, { code, token, visit, verdict }, now, chooseLive), patient ? PATIENT_MS : RECORD_MS);
      } catch (error) {
        kernel.count('scan_lost');
        kernel.log.warn({ error }, 'a scan could not be recorded');
      }
      if (code === null || verdict !== 'OK') return send(reply, refusals[verdict === 'OK' ? 'UNKNOWN' : verdict]);
      if (recorded?.result === 'LIMIT') return send(reply, refusals.LIMIT);
      if (!visit.isBot) reply.header('Set-Cookie', cookieOf(visit.visitorId));
      const proven = recorded !== null && recorded.result !== 'BOT';
      const scanToken = proven
        ? signScan(kernel.secrets, { scanId: recorded!.scanId, codeId: code.id, visitorId: visit.visitorId, issuedAt: now })
        : null;
      return send(reply, answerOf(code, visit, scanToken, recorded?.live ?? null));
    },
  });
}
