import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Kernel } from '#kernel/server/kernel.ts';
import { own } from '../database.ts';
import { corpOf } from './corps.ts';
import { decryptCallback, isSigned, xmlFields } from './port/crypt.ts';
import { type handleCallbacks, receiveEvent } from './events.ts';

const LIMIT = 256 * 1024;

interface Signed {
  Params: { corpId: string };
  Querystring: { msg_signature?: string; timestamp?: string; nonce?: string; echostr?: string };
}

/**
 * WeChat Work's callbacks: GET proves the address, POST hands over an event. Raw answers, no envelope; a wrong signature is
 * 400 and leaves nothing. The work is a job's, so the answer is quick.
 */
export function registerCallback(app: FastifyInstance, kernel: Kernel, handling: ReturnType<typeof handleCallbacks>): void {
  const url = `${kernel.config.prefixes.gateway}/WeChatWorkCallback/:corpId`;

  async function opened(corpId: string, query: Signed['Querystring'], encrypted: string) {
    const row = await own(kernel.db)
      .selectFrom('channelWecomCorp')
      .select('id')
      .where('corpId', '=', corpId)
      .where('state', '<>', 'DISABLED')
      .executeTakeFirst();
    if (!row) return null;
    const corp = await corpOf(kernel, kernel.db, row.id);
    if (!corp.callbackToken || !corp.encodingAesKey) return null;
    const { msg_signature: signature = '', timestamp = '', nonce = '' } = query;
    if (!isSigned(corp.callbackToken, { timestamp, nonce, encrypted, signature })) return null;
    try {
      return { corpRowId: row.id, message: decryptCallback(corp.encodingAesKey, encrypted, corpId) };
    } catch (error) {
      kernel.log.warn({ error }, 'a callback could not be decrypted');
      return null;
    }
  }

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: LIMIT }, (_request, body, done) => done(null, body));
    scope.get<Signed>(url, async (request, reply) => {
      const proof = await opened(request.params.corpId, request.query, request.query.echostr ?? '');
      return proof ? reply.type('text/plain').send(proof.message) : reply.status(400).type('text/plain').send('invalid signature');
    });
    scope.post<Signed>(url, async (request, reply) => {
      const encrypted = xmlFields(typeof request.body === 'string' ? request.body : '')['Encrypt'] ?? '';
      const proof = await opened(request.params.corpId, request.query, encrypted);
      if (!proof) return reply.status(400).type('text/plain').send('invalid signature');
      // The same message comes again, with the same content, until it is answered.
      const eventKey = createHash('sha256').update(proof.message).digest('hex');
      await kernel.transactions.run('callback', async (writing) => {
        const eventId = await receiveEvent(writing.tx, proof.corpRowId, eventKey, xmlFields(proof.message), kernel.clock.now());
        if (eventId !== null) await writing.enqueue(handling, { eventId });
      });
      return reply.type('text/plain').send('success');
    });
  });
}
