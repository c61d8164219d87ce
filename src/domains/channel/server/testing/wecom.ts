import { sql } from 'kysely';
import type { InputOf } from '#kernel/contract/call.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addLiveCode } from '../../contract/calls/liveCodes.ts';
import { saveCorp, testCorp } from '../../contract/calls/wecom.ts';
import { callbackSignature, encryptCallback } from '../wecom/port/crypt.ts';
import { fresh, makeChannel, operator } from './fixtures.ts';

export const AES_KEY = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
export const CALLBACK_TOKEN = 'kqCallback2026';

/** A connected company of the simulator. */
export async function makeCorp(app: TestApp) {
  const as = await operator(app);
  const corpId = fresh('wwtest');
  const { id } = await app.ok(
    saveCorp,
    { corpId, name: '康桥测试', mode: 'LOCAL', contactSecret: 'topsecret', callbackToken: CALLBACK_TOKEN, encodingAesKey: AES_KEY },
    { as },
  );
  await app.ok(testCorp, { id }, { as });
  return { id, corpId };
}

export async function makeMember(app: TestApp, corpRowId: string, change: { status?: number; mobileHash?: string } = {}): Promise<string> {
  const name = fresh('member');
  for (const table of ['channel_wecom_local_member', 'channel_wecom_member']) {
    const extra = table === 'channel_wecom_member' ? sql`, created_at, updated_at` : sql``;
    const timestamps = table === 'channel_wecom_member' ? sql`, ${app.clock.now()}, ${app.clock.now()}` : sql``;
    await sql`
      insert into ${sql.table(table)} (corp_row_id, wecom_user_id, name, status, can_contact, mobile_hash ${extra})
        values (${corpRowId}, ${name}, ${name}, ${change.status ?? 1}, true, ${change.mobileHash ?? null} ${timestamps})`.execute(app.db);
  }
  return (await sql<{ id: string }>`select id from channel_wecom_member where wecom_user_id = ${name}`.execute(app.db)).rows[0]!.id;
}

export async function makeLiveCode(app: TestApp, change: Partial<InputOf<typeof addLiveCode>> = {}) {
  const corpRowId = String(change.corpRowId ?? (await makeCorp(app)).id);
  const members = change.members ?? [{ memberId: await makeMember(app, corpRowId) }];
  const { id } = await app.ok(
    addLiveCode,
    {
      channelId: (await makeChannel(app)).id,
      name: fresh('活码'),
      strategy: 'ROUND',
      welcome: { text: '您好{客户昵称}，我是{成员姓名}' },
      ...change,
      corpRowId,
      members,
    },
    { as: await operator(app) },
  );
  await app.runDue();
  const { rows } = await sql<{
    token: string;
  }>`select q.token from channel_live_code l join channel_qr_code q on q.id = l.code_id where l.id = ${id}`.execute(app.db);
  return { id, corpRowId, token: rows[0]!.token };
}

/** Sends a callback as WeChat Work would. */
export async function callback(app: TestApp, corpId: string, fields: Record<string, string>, change: { signature?: string } = {}) {
  const xml = `<xml>${Object.entries(fields)
    .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
    .join('')}</xml>`;
  const encrypted = encryptCallback(AES_KEY, xml, corpId);
  const [timestamp, nonce] = ['1700000000', 'nonce1'];
  const signature = change.signature ?? callbackSignature(CALLBACK_TOKEN, timestamp, nonce, encrypted);
  return app.inject({
    method: 'POST',
    url: `/gateway/WeChatWorkCallback/${corpId}?msg_signature=${signature}&timestamp=${timestamp}&nonce=${nonce}`,
    headers: { 'content-type': 'text/xml' },
    payload: `<xml><ToUserName><![CDATA[${corpId}]]></ToUserName><Encrypt><![CDATA[${encrypted}]]></Encrypt></xml>`,
  });
}

export async function makeContact(app: TestApp, live: { id: string; corpRowId: string }): Promise<{ id: string; memberId: string }> {
  const { rows } = await sql<{ id: string; memberId: string }>`
    insert into channel_wecom_contact (
      corp_row_id, external_user_id, member_id, nick_cipher, nick_masked, added_at, live_code_id, created_at, updated_at
    )
      select ${live.corpRowId}, ${fresh('wm')}, member_id, ${app.kernel.secrets.encrypt('张建国')}, '张**', ${app.clock.now()}, ${live.id},
          ${app.clock.now()}, ${app.clock.now()}
        from channel_live_code_member
        where live_code_id = ${live.id} limit 1
        returning id, member_id`.execute(app.db);
  return rows[0]!;
}
