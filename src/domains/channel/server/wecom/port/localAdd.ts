import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import type { Kernel } from '#kernel/server/kernel.ts';
import { readToken } from '../../codes/token.ts';
import { LANDING_CSP, page, refusals } from '../../landing/pages.ts';
import { readScan } from '../../landing/scanToken.ts';
import { handleCallback, receiveEvent } from '../events.ts';
import type { Corp, WecomPort } from './port.ts';
import { wayKeyOf } from '../codes/ways.ts';
import { welcomeOf } from '../contacts/welcome.ts';

interface Shown {
  liveCodeId: string;
  memberRowId: string;
  memberId: string;
  corpRowId: string;
  wecomUserId: string;
  mode: string;
}

/** The simulator's 添加 button: the proof of the scan says who added whom; the contact takes the way of a callback. */
export function registerLocalAdd(app: FastifyInstance, kernel: Kernel, portOf: (corp: Corp) => WecomPort): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 }, (_request, _body, done) => done(null, null));
    scope.post<{ Params: { token: string; proof: string } }>('/q/:token/add/:proof', async (request, reply) => {
      const send = (status: number, html: string) =>
        reply
          .status(status)
          .header('Cache-Control', 'no-store')
          .header('Referrer-Policy', 'no-referrer')
          .header('Content-Security-Policy', LANDING_CSP)
          .type('text/html; charset=utf-8')
          .send(html);
      const token = readToken(request.params.token);
      const facts = readScan(kernel.secrets, request.params.proof, kernel.clock.now());
      if (token === null || facts === null) return send(404, refusals.UNKNOWN.html);
      const { rows } = await sql<Shown>`
        select l.id as live_code_id, m.id as member_row_id, m.member_id, l.corp_row_id, w.wecom_user_id, k.mode
          from channel_qr_scan s
          join channel_live_code_member m on m.id = s.live_member_id
          join channel_live_code l on l.id = m.live_code_id
          join channel_wecom_member w on w.id = m.member_id
          join channel_wecom_corp k on k.id = l.corp_row_id
          where s.id = ${facts.scanId} and s.token = ${token}`.execute(kernel.db);
      const shown = rows[0];
      if (!shown || shown.mode !== 'LOCAL') return send(404, refusals.UNKNOWN.html);
      const now = kernel.clock.now();
      const name = `访客${facts.visitorId.slice(0, 4)}`;
      const fields = {
        Event: 'change_external_contact',
        ChangeType: 'add_external_contact',
        UserID: shown.wecomUserId,
        ExternalUserID: `wm_${facts.visitorId}`,
        State: wayKeyOf(shown.liveCodeId, shown.memberRowId),
        WelcomeCode: randomBytes(16).toString('hex'),
        CreateTime: String(Math.floor(Date.parse(now) / 1000)),
        NickName: name,
        visitorId: facts.visitorId,
        scanId: facts.scanId,
      };
      const eventId = await kernel.transactions.run('local-add', ({ tx }) =>
        receiveEvent(tx, shown.corpRowId, `local:${facts.scanId}`, fields, now),
      );
      if (eventId !== null)
        await handleCallback(
          kernel,
          { kernel, db: kernel.db, transaction: (work) => kernel.transactions.run('local-add', work) },
          portOf,
          eventId,
        );
      const welcome = await welcomeOf(kernel, shown.liveCodeId, shown.memberId, name);
      return send(200, page({ title: '添加成功', lines: welcome ? welcome.text.split('\n') : ['您已添加企业微信好友'], mark: '友' }));
    });
  });
}
