import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minutes } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addCannedReply,
  addRiskWord,
  delRiskWord,
  modifyCannedReply,
  queryCannedReplyList,
  renderCannedReply,
  useCannedReply,
} from '../../contract/calls/canned.ts';
import { addGroupNote, delGroupNote, modifyGroupNote, queryGroupNotes } from '../../contract/calls/notes.ts';
import { queryConsultStat } from '../../contract/calls/stats.ts';
import { withConsultation } from '../testing/imWorld.ts';
import { doctorUser, makeColleague, refusedText, say } from '../testing/inquiryWorld.ts';
import { makeAnswered, makeVisit } from '../testing/visitWorld.ts';
import { fillVariables, remainingText, unknownVariable } from './variables.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: withConsultation });
});
afterAll(() => app.close());

describe('variables', () => {
  it('are filled, and named where they have no value', () => {
    expect(fillVariables('{{患者称呼}}您好，{{ 医生姓名 }}医生在{{医院}}', { 患者称呼: '张先生', 医生姓名: '陈立' })).toEqual({
      text: '张先生您好，陈立医生在{{医院}}',
      unresolved: ['医院'],
    });
    expect([unknownVariable('{{患者姓名}}'), unknownVariable('{{手机号}}')]).toEqual([null, '手机号']);
  });
  it.each([
    [null, ''],
    [0, ''],
    [30, '不足1分钟'],
    [60, '1分钟'],
    [3_600, '1小时'],
    [85_270, '23小时41分'],
  ] as const)('%s seconds are left: %s', (seconds, text) => expect(remainingText(seconds)).toBe(text));
});

describe('canned replies', () => {
  it('are unique per owner, public ones kept by who manages them, and filled in a conversation', async () => {
    const served = await makeAnswered(app);
    const { staff } = served.primary;
    const lead = await makeColleague(app, { lead: true });
    const wh = { category: '问候', shortcut: 'wh', title: '问候一下', content: '{{患者姓名}}您好，我是{{医助姓名}}，还剩{{剩余时间}}' };
    expect(await app.refused(addCannedReply, { scope: 'PUBLIC', ...wh }, { as: staff })).toMatchObject({ code: 'SCM90010' });
    expect(await app.refused(addCannedReply, { scope: 'PRIVATE', ...wh, content: '{{手机号}}' }, { as: staff })).toMatchObject({
      code: 'SCM10061',
      message: '变量“手机号”不存在',
    });
    const own = await app.ok(addCannedReply, { scope: 'PRIVATE', ...wh, shortcut: 'sj1' }, { as: staff });
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.send(addCannedReply, { scope: 'PRIVATE', ...wh, shortcut: 'sj2' }, { as: staff })),
    );
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM10060', 'SCM10060']);
    await app.ok(addCannedReply, { scope: 'PRIVATE', ...wh, shortcut: 'sj1' }, { as: lead.staff });
    expect(await app.refused(modifyCannedReply, { id: own.id, version: own.version, ...wh, shortcut: 'sj2' }, { as: staff })).toMatchObject(
      { code: 'SCM10060' },
    );
    expect(await app.refused(modifyCannedReply, { id: own.id, version: own.version, ...wh }, { as: lead.staff })).toMatchObject({
      code: 'SCM90040',
    });
    expect(
      (await app.ok(queryCannedReplyList, { keyword: 'whyx', scope: 'PRIVATE' }, { as: staff })).rows
        .map(({ shortcut }) => shortcut)
        .toSorted(),
    ).toEqual(['sj1', 'sj2']);

    expect(await app.ok(renderCannedReply, { id: own.id, groupId: served.groupId }, { as: staff })).toEqual({
      text: expect.stringContaining(`${served.sufferer.name}您好`),
      unresolved: [],
    });
    expect((await app.ok(renderCannedReply, { id: own.id }, { as: staff })).unresolved).toEqual(['患者姓名', '剩余时间']);
    await app.ok(useCannedReply, { id: own.id }, { as: staff });
    expect((await app.ok(queryCannedReplyList, { keyword: 'sj1', scope: 'PRIVATE' }, { as: staff })).rows).toMatchObject([{ useCount: 1 }]);
  });
});

describe('notes', () => {
  it('are for the group’s colleagues, changed by their author within ten minutes', async () => {
    const served = await makeAnswered(app);
    const { staff } = served.primary;
    const stranger = await makeColleague(app);
    const input = { groupId: served.groupId, afterSeq: 1, content: '家属情绪激动' };
    expect(await app.refused(addGroupNote, input, { as: stranger.staff })).toMatchObject({ code: 'SCM90040' });
    expect(
      await app.refused(
        queryGroupNotes,
        { groupId: served.groupId },
        { as: await app.staff({ permissions: ['consultation.visit.view'] }) },
      ),
    ).toMatchObject({ code: 'SCM90040' });
    const note = await app.ok(addGroupNote, input, { as: staff });
    expect(note).toMatchObject({ mine: true, content: '家属情绪激动', editedAt: null });
    await app.advance(minutes(10));
    expect(await app.ok(modifyGroupNote, { id: note.id, content: '家属已安抚' }, { as: staff })).toMatchObject({
      content: '家属已安抚',
      editedAt: app.clock.now(),
    });
    await app.advance(1);
    expect(await app.refused(modifyGroupNote, { id: note.id, content: '太晚' }, { as: staff })).toMatchObject({ code: 'SCM10062' });
    expect(await app.refused(delGroupNote, { id: note.id }, { as: staff })).toMatchObject({ code: 'SCM10062' });
    const lead = await makeColleague(app, { lead: true });
    await app.ok(delGroupNote, { id: note.id }, { as: lead.staff });
    expect(await app.ok(queryGroupNotes, { groupId: served.groupId }, { as: staff })).toEqual([]);
  });
});

describe('risk words', () => {
  it('hold from the moment they are added, in any width and case, until they are gone', async () => {
    const served = await makeAnswered(app);
    const lead = await makeColleague(app, { lead: true });
    const doctor = await doctorUser(app, served.groupId);
    const { id } = await app.ok(addRiskWord, { word: 'ＶＸ 红包', level: 'BLOCK' }, { as: lead.staff });
    expect((await app.refused(addRiskWord, { word: 'vx红包', level: 'FLAG' }, { as: lead.staff })).fields).toEqual([
      { path: 'word', message: '敏感词已存在' },
    ]);
    expect(refusedText(await say(app, served.groupId, doctor, '发 Vx红 包'))).toBe('消息含敏感内容，请修改后发送');
    await app.ok(delRiskWord, { id }, { as: lead.staff });
    expect(refusedText(await say(app, served.groupId, doctor, '发 Vx红 包'))).toBeNull();
  });
});

describe('figures', () => {
  it('refuse spans that are turned round or too long, and count what an assistant took and ended', async () => {
    const visit = await makeVisit(app);
    const lead = await makeColleague(app, { lead: true });
    const ask = (from: string, to: string) => app.refused(queryConsultStat, { from, to }, { as: lead.staff });
    expect((await ask('2026-11-21', '2026-11-20')).fields).toEqual([{ path: 'to', message: '结束日期不能早于开始日期' }]);
    expect((await ask('2026-08-20', '2026-11-20')).fields).toEqual([{ path: 'to', message: '统计区间最多92天' }]);
    const rows = await app.ok(
      queryConsultStat,
      { from: '2026-11-21', to: '2026-11-21', groupBy: 'assistant', assistantId: visit.primary.assistantId },
      { as: lead.staff },
    );
    expect(rows).toMatchObject([
      { assistantId: visit.primary.assistantId, taken: 1, overSlaBp: 0, transferBp: 0, ended: 1, goodRateBp: null },
    ]);
    expect(
      await app.ok(
        queryConsultStat,
        { from: '2026-11-21', to: '2026-11-21', groupBy: 'day', assistantId: visit.primary.assistantId },
        { as: lead.staff },
      ),
    ).toMatchObject([{ key: '2026-11-21', taken: 1, ended: 1 }]);
  });
});
