import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seal, vendorRefusal } from '../../contract/im/vendor.ts';
import { issueUserSig, endSigns } from '../im/accounts/accounts.ts';
import { imEngine } from '../im/engine.ts';
import { addMembers, muteMember, removeMembers } from '../im/conversations/groups.ts';
import { standAlone, type StoredMessage } from '../im/hooks.ts';
import { postTip } from '../im/messages/posting.ts';
import { readUserSig } from '../im/accounts/userSign.ts';
import { APP, GROUP, SECRET, signOf, startTencentWorld, type TencentServerWorld } from '../testing/tencentWorld.ts';
import { compareGroup } from './compare.ts';
import { randomOf } from './post.ts';
import { callVendor, nothing, VendorError } from './rest.ts';

let world: TencentServerWorld;
const heard: StoredMessage[] = [];
beforeAll(async () => {
  world = await startTencentWorld();
  imEngine(world.kernel).hooks = { ...standAlone, inBatch: (_writing, messages) => Promise.resolve(void heard.push(...messages)) };
});
afterAll(() => world.close());
beforeEach(() => {
  heard.length = 0;
});

const seconds = () => Math.floor(Date.parse(world.kernel.clock.now()) / 1000);
const now = () => world.kernel.clock.now();
const sealed = (id: string) => seal({ clientMsgId: id });
const textBody = (text: string) => [{ MsgType: 'TIMTextElem', MsgContent: { Text: text } }];
const before = (from: string, text: string, more: object = {}) =>
  world.callback({
    CallbackCommand: 'Group.CallbackBeforeSendMsg',
    GroupId: GROUP,
    Type: 'Public',
    From_Account: from,
    Operator_Account: from,
    Random: 1,
    OnlineOnlyFlag: 0,
    MsgBody: textBody(text),
    CloudCustomData: sealed(`c-${text}`),
    ...more,
  });
const after = (from: string, seq: number, text: string, more: object = {}) =>
  world.callback({
    CallbackCommand: 'Group.CallbackAfterSendMsg',
    GroupId: GROUP,
    Type: 'Public',
    From_Account: from,
    Operator_Account: from,
    Random: seq,
    MsgSeq: seq,
    MsgTime: seconds(),
    OnlineOnlyFlag: 0,
    MsgId: `1441-${seq}`,
    MsgBody: textBody(text),
    CloudCustomData: sealed(`c-${seq}`),
    EventTime: String(seconds() * 1000),
    ...more,
  });
const passed = { status: 200, body: { ActionStatus: 'OK', ErrorCode: 0, ErrorInfo: '' } };

describe('callbacks of the vendor', () => {
  it.each<[string, () => Promise<{ status: number; body: Record<string, unknown> }>]>([
    ['with a wrong signature', () => world.callback({ CallbackCommand: 'Group.CallbackAfterSendMsg' }, { Sign: signOf(1, 'other') })],
    [
      'signed with another token',
      () => world.callback({ CallbackCommand: 'Group.CallbackAfterSendMsg' }, { Sign: signOf(seconds(), 'other') }),
    ],
    ['of another application', () => world.callback({ CallbackCommand: 'Group.CallbackAfterSendMsg' }, { SdkAppid: '1400000124' })],
    [
      'overheard ten minutes ago',
      () =>
        world.callback(
          { CallbackCommand: 'Group.CallbackAfterSendMsg' },
          { RequestTime: String(seconds() - 600), Sign: signOf(seconds() - 600) },
        ),
    ],
    ['without a command', () => world.callback({})],
  ])('are refused %s', async (_, act) => {
    expect(await act()).toMatchObject({ status: 403, body: { code: 'SCM10090', message: '回调签名错误' } });
  });

  it('are acknowledged where they say nothing to us', async () => {
    expect(await world.callback({ CallbackCommand: 'State.StateChange' })).toEqual(passed);
  });

  it('let members write, and nobody else; each refusal carries its own text', async () => {
    expect(await before('P1', '您好')).toEqual(passed);
    expect(await before('P2', '您好')).toMatchObject({
      body: { ErrorCode: vendorRefusal('NOT_MEMBER', 'GROUP'), ErrorInfo: '您不是该会话成员，不能发言' },
    });
    expect(await before('P1', 'x'.repeat(12_289))).toMatchObject({
      body: { ErrorCode: vendorRefusal('TOO_LONG', 'GROUP'), ErrorInfo: '消息过长，请分段发送' },
    });
    expect(await before('P1', '', { MsgBody: [{ MsgType: 'TIMLocationElem', MsgContent: {} }] })).toMatchObject({
      body: { ErrorCode: vendorRefusal('MALFORMED', 'GROUP') },
    });
    const card = JSON.stringify({ businessID: 'medicine_suggestion', v: 1, suggestNo: '1', medicines: [], doctorName: '李四', status: 1 });
    expect(
      await before('P1', '', { MsgBody: [{ MsgType: 'TIMCustomElem', MsgContent: { Data: card, Desc: '', Ext: '' } }] }),
    ).toMatchObject({ body: { ErrorCode: vendorRefusal('MALFORMED', 'GROUP') } });
    expect(vendorRefusal('MALFORMED', 'GROUP')).toBeGreaterThanOrEqual(10_100);
    expect(await world.rows()).toEqual([]);
  });

  it('apply the send policy and risk words, and count what passes', async () => {
    const engine = imEngine(world.kernel);
    const { hooks } = engine;
    engine.hooks = {
      ...hooks,
      sendPolicy: (_tx, wishes) => Promise.resolve(new Map(wishes.map((wish) => [wish, '问诊已结束，如需继续咨询请重新购买服务']))),
    };
    expect(await before('P1', '还在吗')).toMatchObject({
      body: { ErrorCode: vendorRefusal('POLICY', 'GROUP'), ErrorInfo: '问诊已结束，如需继续咨询请重新购买服务' },
    });
    engine.hooks = { ...hooks, riskWords: () => ({ block: ['代购处方'], flag: [] }) };
    expect(await before('P1', '可以代购处方吗')).toMatchObject({ body: { ErrorCode: vendorRefusal('SENSITIVE', 'GROUP') } });
    engine.hooks = { ...hooks, sendPolicy: () => Promise.reject(new Error('down')) };
    expect(await before('P1', '无法判断')).toMatchObject({ body: { ErrorCode: vendorRefusal('STORE_FAILED', 'GROUP') } });
    engine.hooks = hooks;
    const answers: unknown[] = [];
    for (let n = 0; n < 21; n += 1) answers.push((await before('D1', `第${n}条`)).body['ErrorCode']);
    expect(answers).toEqual([...Array.from({ length: 20 }, () => 0), vendorRefusal('TOO_OFTEN', 'GROUP')]);
    world.app.clock.advance(60_000);
  });

  it('fill our record with the number of the vendor, once, in any order', async () => {
    expect(await after('P1', 1, '第一')).toEqual(passed);
    await Promise.all([after('P1', 1, '第一'), after('P1', 1, '第一'), after('D1', 3, '第三')]);
    await after('D1', 2, '第二');
    expect((await world.rows()).map(({ seq, senderId, payload, vendorId }) => ({ seq, senderId, payload, vendorId }))).toEqual([
      { seq: '1', senderId: 'P1', payload: { text: '第一' }, vendorId: '1441-1' },
      { seq: '2', senderId: 'D1', payload: { text: '第二' }, vendorId: '1441-2' },
      { seq: '3', senderId: 'D1', payload: { text: '第三' }, vendorId: '1441-3' },
    ]);
    expect(heard.map(({ seq, role, groupId }) => ({ seq, role, groupId })).toSorted((a, b) => a.seq - b.seq)).toEqual([
      { seq: 1, role: 'PATIENT', groupId: GROUP },
      { seq: 2, role: 'DOCTOR', groupId: GROUP },
      { seq: 3, role: 'DOCTOR', groupId: GROUP },
    ]);
    await after('P1', 4, '', { OnlineOnlyFlag: 1 });
    expect(await world.rows()).toHaveLength(3);
  });

  it('recall, once, and keep what was said aside', async () => {
    const recall = () =>
      world.callback({
        CallbackCommand: 'Group.CallbackAfterRecallMsg',
        Operator_Account: 'D1',
        Type: 'Public',
        GroupId: GROUP,
        MsgSeqList: [{ MsgSeq: 2 }],
        EventTime: String(seconds() * 1000),
      });
    expect(await recall()).toEqual(passed);
    await recall();
    expect((await world.rows())[1]).toMatchObject({ payload: {}, revokedAt: expect.any(String) });
  });

  it('open single chats only for assistants, and number them ourselves', async () => {
    const single = (command: string, from: string, to: string, more: object = {}) =>
      world.callback({
        CallbackCommand: command,
        From_Account: from,
        To_Account: to,
        MsgSeq: 48_374,
        MsgRandom: 2_837,
        MsgTime: seconds(),
        MsgKey: '48374_2837_1',
        OnlineOnlyFlag: 0,
        MsgBody: textBody('您好'),
        CloudCustomData: sealed('single'),
        ...more,
      });
    expect(await single('C2C.CallbackBeforeSendMsg', 'P2', 'A1')).toMatchObject({
      body: { ErrorCode: vendorRefusal('NOT_MEMBER', 'C2C') },
    });
    expect(await single('C2C.CallbackBeforeSendMsg', 'A1', 'P2')).toEqual(passed);
    await single('C2C.CallbackAfterSendMsg', 'A1', 'P2', { SendMsgResult: 0 });
    await single('C2C.CallbackAfterSendMsg', 'A1', 'P2', { SendMsgResult: 0 });
    const conv = await imEngine(world.kernel).names.find(world.app.db, 'A1', 'C2CP2');
    expect((await world.rows(conv?.convId)).map(({ seq, senderId }) => ({ seq, senderId }))).toEqual([{ seq: '1', senderId: 'A1' }]);
    await world.callback({ CallbackCommand: 'C2C.CallbackAfterMsgWithDraw', From_Account: 'A1', To_Account: 'P2', MsgKey: '48374_2837_1' });
    expect((await world.rows(conv?.convId))[0]).toMatchObject({ revokedAt: expect.any(String) });
  });
});

describe('calls of the vendor', () => {
  it('carry application, administrator and a sign by the real key', async () => {
    world.vendor.asked.length = 0;
    await callVendor(world.kernel, 'im_open_login_svc/kick', { UserID: 'A1' }, nothing);
    const { path, query, body } = world.vendor.asked[0]!;
    expect({ path, body, keys: Object.keys(query) }).toEqual({
      path: 'im_open_login_svc/kick',
      body: { UserID: 'A1' },
      keys: ['sdkappid', 'identifier', 'usersig', 'random', 'contenttype'],
    });
    expect(query).toMatchObject({
      sdkappid: String(APP),
      identifier: 'administrator',
      contenttype: 'json',
      random: expect.stringMatching(/^\d{1,10}$/),
    });
    expect(readUserSig(query['usersig']!, SECRET, APP)).toMatchObject({ userID: 'administrator' });
    expect(readUserSig((await issueUserSig(world.kernel, 'A1')).userSig, SECRET, APP)).toMatchObject({ userID: 'A1', expire: 43_200 });
  });

  it('are tried again where the fault passes, and not where it does not', async () => {
    world.vendor.asked.length = 0;
    world.vendor.script('openconfigsvr/a', 'HTTP_502', { ErrorCode: 60008, ErrorInfo: 'timeout' });
    await callVendor(world.kernel, 'openconfigsvr/a', {}, nothing);
    expect(world.vendor.take('openconfigsvr/a')).toHaveLength(3);
    world.vendor.script('openconfigsvr/b', { ErrorCode: 10004, ErrorInfo: 'invalid' });
    await expect(callVendor(world.kernel, 'openconfigsvr/b', {}, nothing)).rejects.toThrow(VendorError);
    expect(world.vendor.take('openconfigsvr/b')).toHaveLength(1);
  });

  it('make accounts, group, members with their roles, and mutes like ours', async () => {
    const role = (id: string, value: string) => ({ Member_Account: id, AppMemberDefinedData: [{ Key: 'userRole', Value: value }] });
    world.vendor.serve('group_open_http_svc/get_group_member_info', () => ({
      MemberNum: 3,
      MemberList: [role('A1', '医助'), role('D1', '医生'), role('P1', '患者')],
    }));
    await world.app.runDue();
    expect(world.vendor.take('im_open_login_svc/account_import').slice(0, 3)).toEqual([
      { UserID: 'A1', Nick: '昵称A1' },
      { UserID: 'D1', Nick: '昵称D1' },
      { UserID: 'P1', Nick: '昵称P1' },
    ]);
    expect(world.vendor.take('group_open_http_svc/create_group')).toEqual([
      {
        Type: 'Public',
        GroupId: GROUP,
        Name: '张三-李四医生',
        ApplyJoinOption: 'DisableApply',
        MemberList: [role('A1', '医助'), role('D1', '医生'), role('P1', '患者')],
      },
    ]);
    world.vendor.serve('group_open_http_svc/create_group', () => ({
      ActionStatus: 'FAIL',
      ErrorCode: 10025,
      ErrorInfo: 'group id has been used',
    }));
    await world.kernel.transactions.run('test', async (writing) => {
      await addMembers(world.kernel, writing, world.convId, ['A2'], {}, now());
      await removeMembers(world.kernel, writing, world.convId, ['A1'], now());
      await muteMember(world.kernel, writing, world.convId, 'P1', new Date(Date.parse(now()) + 600_000).toISOString(), now());
      await endSigns(world.kernel, writing, 'A1', 'userSigExpired', now());
    });
    world.vendor.asked.length = 0;
    await world.app.runDue();
    expect(world.vendor.take('group_open_http_svc/modify_group_base_info')[0]).toEqual({
      GroupId: GROUP,
      Name: '张三-李四医生',
      MuteAllMember: 'Off',
    });
    expect(world.vendor.take('group_open_http_svc/add_group_member')[0]).toEqual({
      GroupId: GROUP,
      Silence: 1,
      MemberList: [{ Member_Account: 'A2' }],
    });
    expect(world.vendor.take('group_open_http_svc/delete_group_member')[0]).toEqual({
      GroupId: GROUP,
      Silence: 1,
      MemberToDel_Account: ['A1'],
    });
    expect(world.vendor.take('group_open_http_svc/modify_group_member_info')[0]).toEqual({ GroupId: GROUP, ...role('A2', '医助') });
    expect(world.vendor.take('group_open_http_svc/forbid_send_msg')[0]).toEqual({ GroupId: GROUP, Members_Account: ['P1'], MuteTime: 600 });
    expect(world.vendor.take('im_open_login_svc/kick')).toEqual([{ UserID: 'A1' }]);
  });

  it('send what the system says once, and record it under the number that the vendor gives', async () => {
    world.vendor.serve('group_open_http_svc/send_group_msg', () => ({ MsgSeq: 4, MsgTime: seconds() }));
    const tip = () =>
      world.kernel.transactions.run('test', (writing) =>
        postTip(world.kernel, writing, { convId: world.convId, clientMsgId: 'tip:1', text: '医生已接诊' }, now()),
      );
    await tip();
    await tip();
    await world.app.runDue();
    const data = JSON.stringify({ businessID: 'kangqiao_element', v: 1, type: 'TIMGroupTipElem', payload: { text: '医生已接诊' } });
    expect(world.vendor.take('group_open_http_svc/send_group_msg')).toEqual([
      {
        GroupId: GROUP,
        Random: randomOf('tip:1'),
        MsgBody: [{ MsgType: 'TIMCustomElem', MsgContent: { Data: data, Desc: '医生已接诊', Ext: '' } }],
        CloudCustomData: JSON.stringify({ kq: 1, id: 'tip:1', a: 1, u: 0 }),
        ForbidCallbackControl: ['ForbidBeforeSendMsgCallback'],
        SendMsgControl: ['NoUnread'],
      },
    ]);
    await after('administrator', 4, '', {
      MsgBody: [{ MsgType: 'TIMCustomElem', MsgContent: { Data: data, Desc: '', Ext: '' } }],
      CloudCustomData: JSON.stringify({ kq: 1, id: 'tip:1', a: 1, u: 0 }),
    });
    expect((await world.rows()).filter(({ clientMsgId }) => clientMsgId === 'tip:1')).toMatchObject([
      { seq: '4', senderId: 'SYSTEM', type: 'TIMGroupTipElem', payload: { text: '医生已接诊' }, auto: true, countsUnread: false },
    ]);
  });
});

describe('the comparison', () => {
  it('pulls what a lost callback missed, so that both have the same range without a gap', async () => {
    const kept = (seq: number) => ({
      From_Account: 'P1',
      IsPlaceMsg: 0,
      MsgBody: textBody(`第${seq}`),
      MsgRandom: seq,
      MsgSeq: seq,
      MsgTimeStamp: seconds(),
      CloudCustomData: sealed(`c-${seq}`),
    });
    const all = [
      ...Array.from({ length: 45 }, (_, n) => kept(50 - n)).filter(({ MsgSeq }) => MsgSeq !== 40),
      { MsgSeq: 40, MsgTimeStamp: seconds(), IsPlaceMsg: 1, MsgBody: [], From_Account: 'P1', MsgRandom: 1 },
    ].toSorted((a, b) => b.MsgSeq - a.MsgSeq);
    world.vendor.serve('group_open_http_svc/group_msg_get_simple', ({ ReqMsgSeq = 50, ReqMsgNumber }) => ({
      GroupId: GROUP,
      IsFinished: 1,
      RspMsgList: all.filter(({ MsgSeq }) => MsgSeq <= Number(ReqMsgSeq)).slice(0, Number(ReqMsgNumber)),
    }));
    expect(await compareGroup(world.kernel, { convId: world.convId, groupId: GROUP })).toBe(46);
    const rows = await world.rows();
    expect(rows.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    expect(rows[39]).toMatchObject({ senderId: 'SYSTEM', payload: { text: '' }, countsUnread: false });
    expect(rows[4]).toMatchObject({ senderId: 'SYSTEM', payload: { text: '' } });
    expect(world.vendor.take('group_open_http_svc/group_msg_get_simple')[0]).toEqual({
      GroupId: GROUP,
      ReqMsgNumber: 20,
      WithRecalledMsg: 1,
    });
    expect(await compareGroup(world.kernel, { convId: world.convId, groupId: GROUP })).toBe(0);
  });

  it('follows a gap that a callback shows, a moment later', async () => {
    await after('P1', 53, '第53');
    const late = [53, 52, 51].map((seq) => ({
      From_Account: 'P1',
      IsPlaceMsg: 0,
      MsgBody: textBody(`第${seq}`),
      MsgRandom: seq,
      MsgSeq: seq,
      MsgTimeStamp: seconds(),
      CloudCustomData: sealed(`c-${seq}`),
    }));
    world.vendor.serve('group_open_http_svc/group_msg_get_simple', () => ({ GroupId: GROUP, IsFinished: 1, RspMsgList: late }));
    await world.app.advance(6_000);
    expect((await world.rows()).slice(-3).map(({ seq }) => seq)).toEqual(['51', '52', '53']);
  });
});
