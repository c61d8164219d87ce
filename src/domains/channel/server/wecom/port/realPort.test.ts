import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hours, minutes, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadFile } from '#testing/uploads.ts';
import { querySelectOptions } from '../../../contract/calls/channels.ts';
import {
  addContactTransfer,
  addLiveCode,
  modifyLiveCode,
  queryContactList,
  queryContactTransferList,
  queryLiveCodeList,
} from '../../../contract/calls/liveCodes.ts';
import { queryMemberList, querySyncRunList, saveCorp, syncWeChatWork, testCorp } from '../../../contract/calls/wecom.ts';
import { MATERIAL_PURPOSE } from '../../../contract/purposes.ts';
import { drawPng } from '../../codes/draw.ts';
import { fresh, makeChannel, operator, scan, style } from '../../testing/fixtures.ts';
import { AES_KEY, callback, CALLBACK_TOKEN } from '../../testing/wecom.ts';
import { makeWeixin, type Weixin } from '../../testing/weixin.ts';
import { realWecom } from './realPort.ts';
import { wayKeyOf } from '../codes/ways.ts';

let app: TestApp;
let as: TestStaff;
let weixin: Weixin = makeWeixin();
beforeAll(async () => {
  vi.stubGlobal('fetch', ((input, init) => weixin.fetch(input, init)) satisfies typeof fetch);
  app = await startTestApp();
  as = await operator(app);
});
beforeEach(() => {
  weixin = makeWeixin();
});
afterAll(async () => {
  await app.close();
  vi.unstubAllGlobals();
});

async function connected() {
  const corpId = fresh('wwreal');
  const { id } = await app.ok(
    saveCorp,
    { corpId, name: '康桥健康', mode: 'WECOM', contactSecret: 'topsecret', callbackToken: CALLBACK_TOKEN, encodingAesKey: AES_KEY },
    { as },
  );
  await app.ok(testCorp, { id }, { as });
  for (const kind of ['MEMBER', 'TAG'] as const) await app.ok(syncWeChatWork, { corpRowId: id, kind }, { as });
  await app.runDue();
  const { rows } = await app.ok(queryMemberList, { corpId: id }, { as });
  const member = (name: string) => rows.find((row) => row.wecomUserId === name)!.id;
  return { id, corpId, lisi: member('lisi'), wangwu: member('wangwu') };
}

const uploaded = async (fileName: string) =>
  uploadFile(app, as, MATERIAL_PURPOSE, { fileName, contentType: 'image/png', bytes: await drawPng(fileName, { ...style, sizePx: 300 }) });
const liveRow = async (corpRowId: string) => (await app.ok(queryLiveCodeList, { corpRowId }, { as })).rows[0]!;
const added = (corpId: string, live: { id: string; members: { id: string }[] }, code: string) =>
  callback(app, corpId, {
    Event: 'change_external_contact',
    ChangeType: 'add_external_contact',
    UserID: 'lisi',
    ExternalUserID: 'wm1',
    State: wayKeyOf(live.id, live.members[0]!.id),
    WelcomeCode: code,
    CreateTime: String(Date.parse(app.clock.now()) / 1000),
  });

describe('a company of WeChat Work', () => {
  it('is tested, brings its members and tags, and greets who adds with files, links and tags', async () => {
    weixin.answers['externalcontact/get_follow_user_list'] = { errcode: 40013, errmsg: 'invalid corpid' };
    const broken = await app.ok(saveCorp, { corpId: fresh('wwreal'), name: '错的企业', mode: 'WECOM', contactSecret: 'x' }, { as });
    expect(await app.refused(testCorp, { id: broken.id }, { as })).toMatchObject({ code: 'SCM08061', message: '企业ID或Secret不正确' });
    weixin = makeWeixin();
    const corp = await connected();
    const tags = await app.ok(querySelectOptions, { type: 'TAG', keyword: '药店', corpRowId: corp.id }, { as });
    expect(tags).toMatchObject([{ label: '来源 / 药店', extra: { corpRowId: corp.id } }]);
    const [picture, cover] = [await uploaded('欢迎.png'), await uploaded('封面.png')];
    const attachments = [
      { type: 'link' as const, title: '官网', url: 'https://h5.kangqiao.test/home' },
      { type: 'image' as const, title: '欢迎', fileId: picture },
      { type: 'mini' as const, title: '预约', fileId: cover, appId: 'wx0123456789abcdef', path: 'pages/index' },
    ];
    const input = {
      corpRowId: corp.id,
      channelId: (await makeChannel(app)).id,
      name: '接待码',
      strategy: 'ROUND' as const,
      welcome: { text: '您好{客户昵称}', attachments },
      members: [{ memberId: corp.lisi }],
    };
    for (const [attachment, path] of [
      [{ type: 'link', title: '链接' }, 'url'],
      [{ type: 'image', title: '图片' }, 'fileId'],
      [{ type: 'mini', title: '小程序', fileId: cover }, 'appId'],
    ] as const) {
      const { fields } = await app.refused(addLiveCode, { ...input, welcome: { text: '', attachments: [attachment] } }, { as });
      expect(fields).toMatchObject([{ path: `welcome.attachments.0.${path}` }]);
    }
    expect(await app.refused(addLiveCode, { ...input, tagIds: ['999999'] }, { as })).toMatchObject({ code: 'SCM90040' });
    await app.ok(addLiveCode, { ...input, tagIds: [tags[0]!.value] }, { as });
    await app.runDue();
    const live = await liveRow(corp.id);
    expect(live).toMatchObject({ state: 'ACTIVE', tags: ['药店'] });
    expect((await scan(app, live.token)).body.toString()).toContain('https://wework.qpic.cn/way');

    await added(corp.corpId, live, 'CODE1');
    await app.runDue();
    expect(weixin.of('externalcontact/send_welcome_msg')).toEqual([
      {
        welcome_code: 'CODE1',
        text: { content: '您好张建国' },
        attachments: [
          { msgtype: 'link', link: { title: '官网', url: 'https://h5.kangqiao.test/home' } },
          { msgtype: 'image', image: { media_id: 'media:欢迎.png' } },
          {
            msgtype: 'miniprogram',
            miniprogram: { title: '预约', pic_media_id: 'media:封面.png', appid: 'wx0123456789abcdef', page: 'pages/index' },
          },
        ],
      },
    ]);
    expect(
      weixin
        .of('media/upload')
        .map(({ type, name }) => `${String(type)} ${String(name)}`)
        .toSorted(),
    ).toEqual(['image 封面.png', 'image 欢迎.png']);
    expect(weixin.of('externalcontact/mark_tag')).toEqual([{ userid: 'lisi', external_userid: 'wm1', add_tag: ['etB'] }]);
    expect((await app.ok(queryContactList, { liveCodeId: live.id }, { as })).rows).toMatchObject([
      { nickName: '张**', welcomeState: 'SENT', tags: ['药店'] },
    ]);
    const { rows } = await sql<{
      match: string;
      scanId: string | null;
    }>`select match, scan_id from channel_scan_conversion where code_id = ${live.codeId} and kind = 'ADD_CONTACT'`.execute(app.db);
    expect(rows).toMatchObject([{ match: 'GUESS', scanId: expect.any(String) as string }]);

    // Files that WeChat Work has are not handed over again; a welcome that answers late is not waited for.
    weixin.answers['externalcontact/get'] = () => new Promise<object>(() => {});
    await callback(app, corp.corpId, {
      Event: 'change_external_contact',
      ChangeType: 'add_external_contact',
      UserID: 'lisi',
      ExternalUserID: 'wm2',
      State: wayKeyOf(live.id, live.members[0]!.id),
      WelcomeCode: 'CODE2',
      CreateTime: String(Date.parse(app.clock.now()) / 1000),
    });
    await app.runDue();
    expect(weixin.of('externalcontact/send_welcome_msg')).toHaveLength(2);
    expect(weixin.of('media/upload')).toHaveLength(2);
  });

  it('is told when additions ask for no confirmation any more', async () => {
    const corp = await connected();
    const { id } = await app.ok(
      addLiveCode,
      {
        corpRowId: corp.id,
        channelId: (await makeChannel(app)).id,
        name: '免验证',
        strategy: 'ROUND',
        skipVerify: false,
        members: [{ memberId: corp.lisi }],
      },
      { as },
    );
    await app.runDue();
    await app.ok(
      modifyLiveCode,
      { id, version: (await liveRow(corp.id)).version, name: '免验证', strategy: 'ROUND', skipVerify: true },
      { as },
    );
    await app.runDue();
    expect(weixin.of('externalcontact/add_contact_way')).toMatchObject([{ skip_verify: false }]);
    expect(weixin.of('externalcontact/update_contact_way')).toMatchObject([
      { config_id: expect.stringMatching(/^cfg/) as string, skip_verify: true, user: ['lisi'] },
    ]);
  });

  it('is asked again after one, five and fifteen minutes when it says that this is too often', async () => {
    const corp = await connected();
    weixin.answers['user/list'] = { errcode: 45009, errmsg: 'api freq out of limit' };
    await app.ok(syncWeChatWork, { corpRowId: corp.id, kind: 'MEMBER' }, { as });
    await app.runDue();
    const run = async () => (await app.ok(querySyncRunList, { corpId: corp.id, kind: 'MEMBER' }, { as })).rows[0]!;
    for (const [pause, state] of [
      [1, 'RUNNING'],
      [5, 'RUNNING'],
      [15, 'FAILED'],
    ] as const) {
      const before = weixin.of('user/list').length;
      app.clock.set(plusMs(app.clock.now(), minutes(pause) - 1_000));
      await app.runDue();
      expect([(await run()).state, weixin.of('user/list').length]).toEqual(['RUNNING', before]);
      app.clock.set(plusMs(app.clock.now(), 1_000));
      await app.runDue();
      expect([(await run()).state, weixin.of('user/list').length]).toEqual([state, before + 1]);
    }
    expect(await run()).toMatchObject({ errors: [{ errcode: 45009, errmsg: '接口调用超过限制' }] });
  });

  it('says later what customers did with a hand-over', async () => {
    const corp = await connected();
    await app.ok(
      addLiveCode,
      { corpRowId: corp.id, channelId: (await makeChannel(app)).id, name: '转接', strategy: 'ROUND', members: [{ memberId: corp.lisi }] },
      { as },
    );
    await app.runDue();
    const live = await liveRow(corp.id);
    const names = ['wmA', 'wmB', 'wmC', 'wmD'];
    for (const external of names) {
      weixin.answers['externalcontact/get'] = {
        external_contact: { external_userid: external, name: external },
        follow_user: [{ userid: 'lisi', createtime: Date.parse(app.clock.now()) / 1000 }],
      };
      await callback(app, corp.corpId, {
        Event: 'change_external_contact',
        ChangeType: 'add_external_contact',
        UserID: 'lisi',
        ExternalUserID: external,
        State: wayKeyOf(live.id, live.members[0]!.id),
        CreateTime: String(Date.parse(app.clock.now()) / 1000),
      });
      await app.runDue();
    }
    const contacts = (await app.ok(queryContactList, { liveCodeId: live.id }, { as })).rows.toReversed();
    weixin.answers['externalcontact/transfer_customer'] = {
      customer: [
        ...names.slice(0, 3).map((external_userid) => ({ external_userid, errcode: 0 })),
        { external_userid: 'wmD', errcode: 40129 },
      ],
    };
    const { results } = await app.ok(
      addContactTransfer,
      { contactIds: contacts.map(({ id }) => id), toMemberId: corp.wangwu, reason: 'CHANGE' },
      { as },
    );
    expect(results.map(({ contactId, state }) => [contactId, state])).toEqual(
      contacts.map(({ id }, index) => [id, index < 3 ? 'WAITING' : 'LIMIT']),
    );
    await callback(app, corp.corpId, {
      Event: 'change_external_contact',
      ChangeType: 'transfer_fail',
      UserID: 'wangwu',
      ExternalUserID: 'wmB',
      FailReason: 'customer_refused',
    });
    weixin.answers['externalcontact/transfer_result'] = {
      customer: [
        { external_userid: 'wmA', status: 1 },
        { external_userid: 'wmC', status: 2 },
      ],
    };
    await app.advance(hours(1));
    expect((await app.ok(queryContactTransferList, {}, { as })).rows[0]!.counts.toSorted((a, b) => a.state.localeCompare(b.state))).toEqual(
      [
        { state: 'DONE', n: 1 },
        { state: 'LIMIT', n: 1 },
        { state: 'REFUSED', n: 1 },
        { state: 'WAITING', n: 1 },
      ],
    );
    expect((await app.ok(queryContactList, { memberId: corp.wangwu }, { as })).rows).toMatchObject([
      { nickName: contacts[0]!.nickName, status: 'ACTIVE' },
    ]);
    expect((await app.ok(queryContactList, { liveCodeId: live.id, status: ['TRANSFERRED'] }, { as })).rows.map(({ id }) => id)).toEqual([
      contacts[0]!.id,
    ]);
  });
});

describe('the real interface', () => {
  const corp = { id: '1', corpId: 'ww1', mode: 'WECOM', contactSecret: 's' } as const;
  it('keeps its token until five minutes before its end and fetches a dead one once more', async () => {
    let now = 0;
    let dead = false;
    const asked: string[] = [];
    const port = realWecom(
      () => now,
      async (url) => {
        asked.push(new URL(url).pathname.split('/cgi-bin/')[1]!);
        if (url.includes('gettoken')) return Response.json({ errcode: 0, access_token: 't', expires_in: 7200 });
        if (dead) {
          dead = false;
          return Response.json({ errcode: 42001, errmsg: 'expired' });
        }
        return Response.json({ errcode: 0, config_id: 'c', qr_code: 'https://q' });
      },
    );
    const way = () => port.addContactWay(corp, { wecomUserId: 'u', state: 'L1M1', skipVerify: true });
    expect(await way()).toEqual({ configId: 'c', qrUrl: 'https://q' });
    await way();
    now = 7_200_000 - 300_000;
    await way();
    dead = true;
    await way();
    expect(asked.filter((path) => path === 'gettoken')).toHaveLength(3);
  });

  it('speaks Chinese about what went wrong', async () => {
    const port = realWecom(
      () => 0,
      async () => Response.json({ errcode: 40013, errmsg: 'invalid corpid' }),
    );
    await expect(port.test(corp)).rejects.toMatchObject({ errcode: 40013, message: '企业ID不正确' });
  });
});
