import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hours, plusMs } from '#kernel/contract/time.ts';
import { mobileHash } from '#domains/identity/server/index.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addContactTransfer,
  addLiveCode,
  exportContactList,
  modifyLiveCode,
  queryContactList,
  queryContactTransferList,
  queryLiveCodeList,
  revealContactName,
  saveLiveCodeMembers,
} from '../../contract/calls/liveCodes.ts';
import {
  autoBindMember,
  bindMember,
  queryCorpList,
  queryMemberList,
  querySyncRunList,
  saveCorp,
  saveCorpApp,
  syncWeChatWork,
  testCorp,
} from '../../contract/calls/wecom.ts';
import { cookieOf, makeChannel, operator, scan } from '../testing/fixtures.ts';
import { AES_KEY, callback, CALLBACK_TOKEN, makeContact, makeCorp, makeLiveCode, makeMember } from '../testing/wecom.ts';
import { chooseMember, isInSpans, type LiveCandidate } from './codes/choose.ts';
import { callbackSignature, encryptCallback } from './port/crypt.ts';
import { readWayKey, wayKeyOf } from './codes/ways.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const NOW = '2026-11-20T02:00:00.000Z'; // a Friday, 10:00 in Shanghai
const candidate = (id: string, change: Partial<LiveCandidate> = {}): LiveCandidate => ({
  id,
  memberId: id,
  status: 1,
  canContact: true,
  wayState: 'READY',
  weight: 1,
  dailyLimit: 0,
  spans: [],
  isBackup: false,
  lastShownAt: null,
  shown: 0,
  added: 0,
  ...change,
});

describe('the choice of a live code', () => {
  it('shares by weight, then by id', () => {
    const members = [candidate('1', { weight: 3 }), candidate('2', { weight: 1 })];
    for (let index = 0; index < 8; index += 1) chooseMember(members, 'WEIGHT', NOW)!.shown += 1;
    expect(members.map(({ shown }) => shown)).toEqual([6, 2]);
  });

  it('goes round, to the least busy, and back to whom the visitor knows', () => {
    const members = [
      candidate('1', { lastShownAt: '2026-11-20T01:00:00.000Z', added: 0 }),
      candidate('2', { lastShownAt: '2026-11-20T00:30:00.000Z', added: 2 }),
      candidate('3', { status: 2 }),
    ];
    expect(chooseMember(members, 'ROUND', NOW)?.id).toBe('2');
    expect(chooseMember(members, 'LEAST', NOW)?.id).toBe('1');
    expect(chooseMember(members, 'SAME', NOW, '3')?.id).toBe('3');
    expect(chooseMember(members, 'SAME', NOW, '9')?.id).toBe('2');
    // Nobody is led to a member who has left.
    expect(chooseMember([...members, candidate('4', { status: 5 })], 'SAME', NOW, '4')?.id).toBe('2');
  });

  it('falls back to the backup outside of hours and limits, then to nobody', () => {
    const spans = [{ weekday: 5, from: '08:30', to: '10:00' }];
    expect([isInSpans(spans, '2026-11-20T01:59:00.000Z'), isInSpans(spans, NOW), isInSpans([], NOW)]).toEqual([true, false, true]);
    const full = candidate('1', { dailyLimit: 2, added: 2 });
    expect(
      chooseMember([full, candidate('2', { spans }), candidate('3', { isBackup: true, dailyLimit: 1, added: 9 })], 'ROUND', NOW)?.id,
    ).toBe('3');
    expect(chooseMember([full], 'ROUND', NOW)).toBeNull();
  });

  it('knows its ways again', () => {
    expect(readWayKey(wayKeyOf('123456', '987'))).toEqual({ liveCodeId: '123456', memberRowId: '987' });
    expect(readWayKey('campaign-7')).toBeNull();
  });
});

describe('companies', () => {
  it('never show a secret and ask for a whole key', async () => {
    const as = await operator(app);
    await makeCorp(app);
    const corp = (await makeCorp(app)).id;
    await app.ok(saveCorpApp, { corpRowId: corp, agentId: '1000002', name: '应用', state: 'ENABLED', secret: 'appsecret-1' }, { as });
    const { rows: kept } = await sql<{ ciphers: string[] }>`
      select array_remove(array[k.contact_secret, k.callback_token, k.encoding_aes_key, a.secret], null) as ciphers
        from channel_wecom_corp k
        left join channel_wecom_app a on a.corp_row_id = k.id`.execute(app.db);
    const answers = JSON.stringify([
      await app.ok(queryCorpList, { pageSize: 100 }, { as }),
      await app.send(testCorp, { id: corp }, { as }),
      await app.send(saveCorp, { id: corp, version: 1, corpId: 'wwother', name: '改名', mode: 'LOCAL' }, { as }),
    ]);
    // Neither in the clear nor as it is kept.
    for (const secret of ['topsecret', CALLBACK_TOKEN, AES_KEY, 'appsecret-1', ...kept.flatMap(({ ciphers }) => ciphers)])
      expect(answers).not.toContain(secret);
    expect((await app.ok(queryCorpList, { pageSize: 100 }, { as })).rows.find(({ id }) => id === corp)).toMatchObject({
      configured: { contactSecret: true, callbackToken: true, encodingAesKey: true },
      apps: [{ agentId: '1000002', configured: true }],
    });
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n
        from identity_operation_log
        where input::text like '%topsecret%' or input::text like '%abcdefghijklm%' or input::text like '%appsecret-1%'`.execute(app.db);
    expect(rows[0]!.n).toBe(0);
    expect(await app.refused(saveCorp, { corpId: 'wwshort', name: '企业', mode: 'LOCAL', encodingAesKey: 'short' }, { as })).toMatchObject({
      code: 'SCM08062',
    });
  });

  it('run one sync of a kind at a time; members who left lose their binding and their live codes', async () => {
    const as = await operator(app);
    const corp = await makeCorp(app);
    const [gone, stays] = [await makeMember(app, corp.id), await makeMember(app, corp.id)];
    await app.ok(bindMember, { memberId: gone, staffUserId: as.userId }, { as });
    const live = await makeLiveCode(app, { corpRowId: corp.id, members: [{ memberId: gone }] });
    await sql`
      delete from channel_wecom_local_member
        where wecom_user_id = (select wecom_user_id from channel_wecom_member where id = ${gone})`.execute(app.db);
    expect((await scan(app, live.token)).body.toString()).toContain('长按识别二维码');
    const asked = await Promise.all([1, 2].map(() => app.send(syncWeChatWork, { corpRowId: corp.id, kind: 'MEMBER' }, { as })));
    expect(asked.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM08063']);
    expect(asked.find(({ envelope }) => envelope.code === 'SCM08063')?.envelope.message).toBe('该企业正在同步，请稍后');
    await app.runDue();
    expect((await app.ok(querySyncRunList, { corpId: corp.id }, { as })).rows[0]).toMatchObject({ state: 'SUCCESS', total: 1, removed: 1 });
    const { rows } = await app.ok(queryMemberList, { corpId: corp.id }, { as });
    expect(rows.map(({ id, bindState, status }) => ({ id, bindState, status }))).toEqual([
      { id: gone, bindState: 'INVALID', status: 5 },
      { id: stays, bindState: 'UNBOUND', status: 1 },
    ]);
    expect((await app.ok(queryLiveCodeList, { corpRowId: corp.id }, { as })).rows.find(({ id }) => id === live.id)).toMatchObject({
      state: 'ERROR',
      availableNow: false,
    });
    expect((await scan(app, live.token)).body.toString()).not.toContain('长按识别二维码');
    // A run whose process died stands in nobody's way for ever.
    await sql`
      insert into channel_sync_run (corp_row_id, kind, trigger, started_at)
        values (${corp.id}, 'TAG', 'JOB', ${plusMs(app.clock.now(), -hours(3))})`.execute(app.db);
    await app.ok(syncWeChatWork, { corpRowId: corp.id, kind: 'TAG' }, { as });
    expect((await app.ok(querySyncRunList, { corpId: corp.id, kind: 'TAG' }, { as })).rows.map(({ state }) => state)).toEqual([
      'RUNNING',
      'FAILED',
    ]);
  });

  it('bind one member to one person; the preview of the automatic binding is what it does', async () => {
    const as = await operator(app);
    const corp = await makeCorp(app);
    const [first, second] = [await makeMember(app, corp.id), await makeMember(app, corp.id)];
    await app.ok(bindMember, { memberId: first, staffUserId: as.userId }, { as });
    expect(await app.refused(bindMember, { memberId: second, staffUserId: as.userId }, { as })).toMatchObject({
      code: 'SCM08051',
      message: `该员工已绑定成员${(await app.ok(queryMemberList, { corpId: corp.id }, { as })).rows[0]!.name}`,
    });
    expect(await app.refused(bindMember, { memberId: first, staffUserId: (await operator(app)).userId }, { as })).toMatchObject({
      code: 'SCM08050',
    });
    expect(
      await app.refused(
        bindMember,
        { memberId: await makeMember(app, corp.id, { status: 4 }), staffUserId: (await operator(app)).userId },
        { as },
      ),
    ).toMatchObject({ code: 'SCM08052' });
    const staff = await app.staff({ permissions: [], mobile: '13800001234' });
    const same = await makeMember(app, corp.id, { mobileHash: mobileHash(app.kernel.secrets, '13800001234') });
    const preview = await app.ok(autoBindMember, { corpRowId: corp.id, dryRun: true }, { as });
    expect(preview).toMatchObject([{ memberId: same, staffUserId: staff.userId }]);
    expect(await app.ok(autoBindMember, { corpRowId: corp.id }, { as })).toEqual(preview);
    expect(await app.ok(autoBindMember, { corpRowId: corp.id }, { as })).toEqual([]);
  });
});

describe('live codes', () => {
  it('need members, backups and short words', async () => {
    const as = await operator(app);
    const corpRowId = (await makeCorp(app)).id;
    const memberId = await makeMember(app, corpRowId);
    const base = { corpRowId, channelId: (await makeChannel(app)).id, name: '活码', strategy: 'ROUND' } as const;
    const spans = [{ weekday: 1, from: '08:30', to: '18:30' }];
    const many: string[] = [];
    for (let index = 0; index < 101; index += 1) many.push(await makeMember(app, corpRowId));
    const links = Array.from({ length: 10 }, () => ({ type: 'link', title: '链接', url: 'https://h5.kangqiao.test/a' }));
    const { id } = await app.ok(
      addLiveCode,
      {
        ...base,
        members: many.slice(0, 100).map((one) => ({ memberId: one })),
        welcome: { text: '好'.repeat(600), attachments: links.slice(1) as [] },
      },
      { as },
    );
    const members: [object, string, string][] = [
      [{ members: [] }, 'SCM08055', '请至少选择一名已激活的成员'],
      [{ members: [{ memberId, dailyLimit: 5 }] }, 'SCM08056', '请设置备用成员'],
      [{ members: [{ memberId, spans }] }, 'SCM08056', '请设置备用成员'],
      [{ members: many.map((one) => ({ memberId: one })) }, 'SCM08057', '单个活码最多100名成员'],
    ];
    const words: [object, string, string][] = [
      [{ welcome: { text: '好'.repeat(601) } }, 'SCM08058', '欢迎语不能超过600字'],
      [{ welcome: { text: '', attachments: links } }, 'SCM08059', '欢迎语附件不能超过9个'],
    ];
    const refused = async (change: object) =>
      (await app.refused(addLiveCode, { ...base, members: [{ memberId }], ...change }, { as })).code;
    for (const [change, code, message] of [...members, ...words])
      expect(await app.refused(addLiveCode, { ...base, members: [{ memberId }], ...change }, { as })).toMatchObject({ code, message });
    for (const [change, code] of members)
      expect(await app.refused(saveLiveCodeMembers, { id, version: 1, ...change }, { as })).toMatchObject({ code });
    for (const [change, code] of words)
      expect(await app.refused(modifyLiveCode, { id, version: 1, name: '活码', strategy: 'ROUND', ...change }, { as })).toMatchObject({
        code,
      });
    await sql`update channel_wecom_corp set state = 'ERROR' where id = ${corpRowId}`.execute(app.db);
    expect(await refused({})).toBe('SCM08060');
  });

  it('show a member, count, and take the visitor in by the simulator’s button', async () => {
    const as = await operator(app);
    const live = await makeLiveCode(app, { strategy: 'SAME' });
    const first = await scan(app, live.token);
    const html = first.body.toString();
    expect(html).toContain('长按识别二维码');
    const action = /action="([^"]+)"/.exec(html)![1]!;
    const add = () =>
      app.inject({ method: 'POST', url: action, headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: '' });
    expect((await add()).body.toString()).toMatch(/您好访客.*，我是member/);
    await add();
    const { rows } = await app.ok(queryContactList, { liveCodeId: live.id }, { as });
    expect(rows).toMatchObject([{ status: 'ACTIVE', welcomeState: 'SENT' }]);
    expect((await app.ok(queryLiveCodeList, {}, { as })).rows.find(({ id }) => id === live.id)?.members).toMatchObject([
      { shown: 1, added: 1 },
    ]);
    await scan(app, live.token, { cookie: cookieOf(first) });
    const { rows: conversions } = await sql<{
      match: string;
    }>`select match from channel_scan_conversion where kind = 'ADD_CONTACT' and subject_key = ${rows[0]!.id}`.execute(app.db);
    expect(conversions).toEqual([{ match: 'EXACT' }]);
  });

  it('share scans by weight, go to the backup when all are at their limit, and say so when nobody is there', async () => {
    const as = await operator(app);
    const corp = await makeCorp(app);
    const [a, b, backup] = [await makeMember(app, corp.id), await makeMember(app, corp.id), await makeMember(app, corp.id)];
    const live = await makeLiveCode(app, {
      corpRowId: corp.id,
      strategy: 'WEIGHT',
      offHoursText: '工作时间为9点至18点',
      members: [
        { memberId: a, weight: 3, dailyLimit: 1 },
        { memberId: b, weight: 1, dailyLimit: 1 },
        { memberId: backup, isBackup: true, dailyLimit: 1 },
      ],
    });
    const { rows: members } = await sql<{
      id: string;
      memberId: string;
    }>`select id, member_id from channel_live_code_member where live_code_id = ${live.id} order by id`.execute(app.db);
    const shown = async () =>
      (await app.ok(queryLiveCodeList, { corpRowId: corp.id }, { as })).rows[0]!.members.map((member) => [
        member.memberId,
        member.shown,
        member.added,
      ]);
    // At once, so that only the row's lock shares them out.
    const pages = await Promise.all(Array.from({ length: 8 }, (_, index) => scan(app, live.token, { ip: `203.0.113.${index + 50}` })));
    expect(pages.every(({ body }) => body.toString().includes('长按识别二维码'))).toBe(true);
    expect(await shown()).toEqual([
      [a, 6, 0],
      [b, 2, 0],
      [backup, 0, 0],
    ]);
    for (const { id } of members) await sql`update channel_live_member_day set added = 1 where live_code_member_id = ${id}`.execute(app.db);
    for (let index = 0; index < 2; index += 1) expect((await scan(app, live.token)).body.toString()).toContain('长按识别二维码');
    expect(await shown()).toEqual([
      [a, 6, 1],
      [b, 2, 1],
      [backup, 2, 0],
    ]);
    await sql`update channel_wecom_member set status = 2 where id = ${backup}`.execute(app.db);
    const nobody = (await scan(app, live.token)).body.toString();
    expect([nobody.includes('工作时间为9点至18点'), nobody.includes('长按识别二维码')]).toEqual([true, false]);
  });

  it('keep to the hours of their members', async () => {
    const corp = await makeCorp(app);
    const [busy, backup] = [await makeMember(app, corp.id), await makeMember(app, corp.id)];
    const live = await makeLiveCode(app, {
      corpRowId: corp.id,
      members: [
        { memberId: busy, spans: [{ weekday: 1, from: '09:00', to: '09:30' }] },
        { memberId: backup, isBackup: true },
      ],
    });
    await scan(app, live.token);
    const { rows } = await sql<{ memberId: string }>`
      select m.member_id
        from channel_live_member_day d
        join channel_live_code_member m on m.id = d.live_code_member_id
        where m.live_code_id = ${live.id}`.execute(app.db);
    expect(rows).toEqual([{ memberId: backup }]);
  });
});

describe('callbacks', () => {
  it('prove the address and refuse wrong signatures without a row', async () => {
    const corp = await makeCorp(app);
    const echo = encryptCallback(AES_KEY, 'echo-me', corp.corpId);
    const signature = callbackSignature(CALLBACK_TOKEN, '1', 'n', echo);
    const ask = (sign: string) =>
      app.inject({
        method: 'GET',
        url: `/gateway/WeChatWorkCallback/${corp.corpId}?msg_signature=${sign}&timestamp=1&nonce=n&echostr=${encodeURIComponent(echo)}`,
      });
    const proof = await ask(signature);
    expect([proof.status, proof.body.toString()]).toEqual([200, 'echo-me']);
    expect((await ask('0'.repeat(40))).status).toBe(400);
    expect((await callback(app, corp.corpId, { Event: 'x' }, { signature: '0'.repeat(40) })).status).toBe(400);
    expect((await sql`select 1 from channel_wecom_event where corp_row_id = ${corp.id}`.execute(app.db)).rows).toEqual([]);
  });

  it('make one contact and one welcome however often they come, and none after twenty seconds', async () => {
    const as = await operator(app);
    const corp = await makeCorp(app);
    const live = await makeLiveCode(app, { corpRowId: corp.id });
    await scan(app, live.token);
    const { rows } = await sql<{
      id: string;
      wecomUserId: string;
    }>`
      select m.id, w.wecom_user_id
        from channel_live_code_member m
        join channel_wecom_member w on w.id = m.member_id
        where m.live_code_id = ${live.id}`.execute(app.db);
    const fields = (welcomeCode: string, external: string, at: string) => ({
      Event: 'change_external_contact',
      ChangeType: 'add_external_contact',
      UserID: rows[0]!.wecomUserId,
      ExternalUserID: external,
      State: wayKeyOf(live.id, rows[0]!.id),
      WelcomeCode: welcomeCode,
      CreateTime: String(Date.parse(at) / 1000),
      NickName: '张建国',
    });
    // Once more while the first is taken in, and once more afterwards.
    const again = () => callback(app, corp.corpId, fields('CODE1', 'wm1', app.clock.now()));
    expect((await Promise.all([again(), again()])).map(({ body }) => body.toString())).toEqual(['success', 'success']);
    await app.runDue();
    expect((await again()).body.toString()).toBe('success');
    await app.runDue();
    await callback(app, corp.corpId, fields('CODE2', 'wm2', plusMs(app.clock.now(), -25_000)));
    await app.runDue();
    const contacts = (await app.ok(queryContactList, { liveCodeId: live.id }, { as })).rows;
    expect(contacts.map(({ welcomeState }) => welcomeState)).toEqual(['EXPIRED', 'SENT']);
    expect(
      (await sql`select 1 from channel_welcome_send where contact_id = any(${contacts.map(({ id }) => id)}::bigint[])`.execute(app.db))
        .rows,
    ).toHaveLength(2);
    const { rows: guessed } = await sql<{
      match: string;
      scanId: string | null;
    }>`select match, scan_id from channel_scan_conversion where kind = 'ADD_CONTACT' and subject_key = ${contacts[1]!.id}`.execute(app.db);
    expect(guessed).toMatchObject([{ match: 'GUESS', scanId: expect.any(String) as string }]);
    await callback(app, corp.corpId, {
      Event: 'change_external_contact',
      ChangeType: 'del_follow_user',
      UserID: rows[0]!.wecomUserId,
      ExternalUserID: 'wm1',
      CreateTime: '1',
    });
    await app.runDue();
    expect((await app.ok(queryContactList, { liveCodeId: live.id }, { as })).rows[1]).toMatchObject({ status: 'DELETED_BY_CUSTOMER' });
  });
});

describe('contacts', () => {
  it('are masked, revealed on record, and handed to somebody who can take them', async () => {
    const as = await operator(app);
    const live = await makeLiveCode(app);
    const contact = await makeContact(app, live);
    expect((await app.ok(queryContactList, { liveCodeId: live.id }, { as })).rows[0]).toMatchObject({ nickName: '张**' });
    expect(await app.ok(revealContactName, { id: contact.id }, { as })).toEqual({ nickName: '张建国' });
    const { rows } = await sql`
      select user_id
        from identity_operation_log
        where kind = 'REVEAL' and call like '%revealContactName' and target_id = ${contact.id}`.execute(app.db);
    expect(rows).toEqual([{ userId: as.userId }]);
    const watching = await app.staff({ permissions: ['channel.contact.view'] });
    expect((await app.ok(queryContactList, { liveCodeId: live.id }, { as: watching })).rows[0]).toMatchObject({ nickName: '张**' });
    expect(await app.refused(revealContactName, { id: contact.id }, { as: watching })).toMatchObject({ code: 'SCM90010' });
    const names = { liveCodeId: live.id, columns: ['nickName'], format: 'CSV' as const };
    const plain = { ...names, plain: true, plainReason: '核对客户的昵称' };
    const holder = await app.staff({ permissions: ['channel.contact.export', 'files.export.plain'] });
    expect(await app.refused(exportContactList, plain, { as })).toMatchObject({ code: 'SCM90010' });
    expect((await app.file(exportContactList, names, { as: holder })).body.toString()).toMatch(/昵称\s+张\*\*\s*$/);
    expect((await app.file(exportContactList, plain, { as: holder })).body.toString()).toMatch(/昵称\s+张建国\s*$/);
    const unable = await makeMember(app, live.corpRowId, { status: 4 });
    expect(await app.refused(addContactTransfer, { contactIds: [contact.id], toMemberId: unable, reason: 'LEAVE' }, { as })).toMatchObject({
      code: 'SCM08064',
    });
    const able = await makeMember(app, live.corpRowId);
    expect(await app.ok(addContactTransfer, { contactIds: [contact.id], toMemberId: able, reason: 'LEAVE' }, { as })).toMatchObject({
      count: 1,
      results: [{ contactId: contact.id, nickName: '张**', state: 'DONE' }],
    });
    expect((await app.ok(queryContactTransferList, {}, { as: await operator(app, { own: true }) })).rows).toEqual([]);
    expect((await app.ok(queryContactList, { memberId: able }, { as })).rows).toMatchObject([{ status: 'ACTIVE' }]);
  });
});
