import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SUCCESS } from '#kernel/contract/envelope.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { delMaterial } from '../../contract/materials/calls.ts';
import {
  addWelcomeMessage,
  auditWelcomeMessage,
  delWelcomeMessage,
  modifyWelcomeMessage,
  queryWelcomeMessageDetail,
  queryWelcomeMessageList,
  resolveWelcomeMessage,
} from '../../contract/welcome/calls.ts';
import { makeChannel } from '#domains/channel/server/testing/fixtures.ts';
import { makeDoctor } from '#domains/doctor/server/testing/doctors.ts';
import { makeDisease } from '../testing/fixtures.ts';
import { editor, makeEnabled, makeMaterial, words } from '../testing/materialFixtures.ts';
import { actOn, fieldsOf, judge, makeInUse, makeMessage, writer, type Wish } from '../testing/welcomeFixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => sql`update corpus_auto_message set state = 'DRAFT'`.execute(app.db));

describe('a message', () => {
  it.each<[string, Wish, string]>([
    ['more than three messages', { materialIds: ['1', '2', '3', '4'] }, 'SCM11071'],
    ['a material that is not there', { materialIds: ['999999999'] }, 'SCM90020'],
    ['a trigger of the other kind', { triggerType: 'card.card.granted' }, 'SCM90020'],
    ['a scope without its object', { scopeType: 'DOCTOR' }, 'SCM90020'],
    ['an object that is not there', { scopeType: 'CHANNEL', scopeId: '999999999' }, 'SCM90020'],
    ['a delay of more than a minute', { delaySec: 61 }, 'SCM90020'],
    ['an end before its beginning', { validFrom: '2026-12-02', validTo: '2026-12-01' }, 'SCM90020'],
    ['a text message beside a greeting', { smsText: '您好' }, 'SCM90020'],
    ['a notice by channel', { kind: 'NOTICE', triggerType: 'card.card.granted', scopeType: 'CHANNEL', scopeId: '1' }, 'SCM90020'],
    [
      'a text message with an unknown variable',
      { kind: 'NOTICE', triggerType: 'card.card.granted', smsText: '{{密码:无}}已发放' },
      'SCM11053',
    ],
    ['a text message of more than 70 letters', { kind: 'NOTICE', triggerType: 'card.card.granted', smsText: '字'.repeat(71) }, 'SCM90020'],
  ])('is not saved with %s', async (_name, wish, code) => {
    const refusal = await app.refused(addWelcomeMessage, await fieldsOf(app, wish), { as: await writer(app) });
    expect(refusal.code).toBe(code);
  });

  it('is written by one and judged by another; in use it is not written anew, out of use it becomes a draft', async () => {
    const both = await app.staff({ permissions: ['corpus.corpus.view', 'corpus.welcome.edit', 'corpus.welcome.audit'] });
    const draft = await makeMessage(app, {}, both);
    const waiting = await actOn(app, both, draft, 'submit');
    const { kind: _kind, ...fields } = await fieldsOf(app);
    expect((await app.refused(modifyWelcomeMessage, { ...waitingOf(waiting), ...fields }, { as: both })).code).toBe('SCM11054');
    expect((await app.refused(auditWelcomeMessage, { ...waitingOf(waiting), action: 'approve' }, { as: both })).code).toBe('SCM11020');
    const other = await judge(app);
    expect((await app.refused(auditWelcomeMessage, { ...waitingOf(waiting), action: 'reject' }, { as: other })).code).toBe('SCM90020');
    const used = await actOn(app, other, waiting, 'approve');
    expect(used).toMatchObject({ state: 'ENABLED', allowedActions: [] });
    expect((await app.refused(modifyWelcomeMessage, { ...waitingOf(used), ...fields }, { as: both })).code).toBe('SCM90031');
    expect((await app.refused(delWelcomeMessage, waitingOf(used), { as: both })).code).toBe('SCM90031');
    const off = await actOn(app, both, used, 'disable', '内容过时');
    const again = await app.ok(modifyWelcomeMessage, { ...waitingOf(off), ...fields, name: '新的欢迎语' }, { as: both });
    const { message, timeline } = await app.ok(queryWelcomeMessageDetail, { id: again.id }, { as: both });
    expect(message).toMatchObject({ state: 'DRAFT', name: '新的欢迎语', recent: '0 / —', scope: '默认', valid: '长期' });
    expect(timeline.map(({ action }) => action).toSorted()).toEqual(['approve', 'disable', 'submit']);
    await app.ok(delWelcomeMessage, again, { as: both });
    expect((await app.ok(queryWelcomeMessageList, { name: '新的欢迎语' }, { as: both })).rows).toEqual([]);
  });

  it('names the materials that nobody gets when it is handed in, and the words that may not be sent', async () => {
    const as = await writer(app);
    const { id } = await makeMaterial(app, await editor(app));
    const draft = await makeMessage(app, { materialIds: [id] }, as);
    expect((await app.refused(auditWelcomeMessage, { ...draft, action: 'submit' }, { as })).code).toBe('SCM11018');
    expect(await app.refused(delMaterial, { id, version: 1 }, { as: await editor(app) })).toMatchObject({
      fields: [{ message: '素材已被自动消息引用，不能删除' }],
    });
    const loud = await makeMessage(app, { kind: 'NOTICE', triggerType: 'card.card.granted', smsText: '特效药已发货' }, as);
    expect(await app.refused(auditWelcomeMessage, { ...loud, action: 'submit' }, { as })).toMatchObject({
      code: 'SCM11052',
      message: '文本包含禁用词：特效药',
    });
  });
});

const waitingOf = ({ id, version }: { id: string; version: number }) => ({ id, version });

describe('one of a scope is in use at a time', () => {
  it('is refused by the name of the other, also when it is set back to use, unless their days are apart', async () => {
    const first = await makeInUse(app, { name: '入群欢迎', validFrom: '2026-11-01', validTo: '2026-11-30' });
    const as = await writer(app);
    const other = await judge(app);
    const second = await actOn(app, as, await makeMessage(app, { validFrom: '2026-11-30' }, as), 'submit');
    expect(await app.refused(auditWelcomeMessage, { ...waitingOf(second), action: 'approve' }, { as: other })).toMatchObject({
      code: 'SCM11070',
      message: '该范围已有启用的欢迎语（入群欢迎）',
    });
    const off = await actOn(app, as, first, 'disable', '换新');
    await actOn(app, other, second, 'approve');
    expect((await app.refused(auditWelcomeMessage, { ...waitingOf(off), action: 'enable' }, { as: other })).code).toBe('SCM11070');
    await makeInUse(app, { validTo: '2026-11-29' });
    await makeInUse(app, { triggerType: 'SINGLE_OPEN' });
  });

  it('holds for approvals at the same moment, and in the table itself', async () => {
    const as = await writer(app);
    const waiting = [];
    for (let n = 0; n < 4; n += 1) waiting.push(await actOn(app, as, await makeMessage(app, {}, as), 'submit'));
    const other = await judge(app);
    const answers = await Promise.all(
      waiting.map((one) => app.send(auditWelcomeMessage, { ...waitingOf(one), action: 'approve' }, { as: other })),
    );
    expect(answers.map(({ envelope }) => envelope!.code).toSorted()).toEqual([SUCCESS, 'SCM11070', 'SCM11070', 'SCM11070'].toSorted());
    await expect(
      sql`
        update corpus_auto_message
          set state = 'ENABLED', audited_by = ${other.userId}
          where id = any(${waiting.map(({ id }) => id)}::bigint[])`.execute(app.db),
    ).rejects.toThrow('corpus_auto_message_overlap');
  });
});

describe('命中测试', () => {
  it('names the winner and why the others are not sent, and writes nothing', async () => {
    const disease = await makeDisease(app, 1, ['E11']);
    const text = (await makeEnabled(app, words())).id;
    const standard = await makeInUse(app, { name: '默认欢迎', materialIds: [text] });
    const own = await makeInUse(app, { name: '糖友欢迎', scopeType: 'DISEASE', scopeId: disease.id, materialIds: [text] });
    const late = await makeInUse(app, {
      name: '明年欢迎',
      validFrom: '2030-01-01',
      scopeType: 'DISEASE',
      scopeId: (await makeDisease(app, 1, ['E10'])).id,
    });
    const as = await writer(app);
    const answer = await app.ok(resolveWelcomeMessage, { triggerType: 'GROUP_CREATED', diseaseId: disease.id }, { as });
    expect(answer.winnerId).toBe(own.id);
    expect(answer.candidates.map(({ id, wins, reason }) => ({ id, wins, reason }))).toEqual([
      { id: own.id, wins: true, reason: '命中' },
      { id: late.id, wins: false, reason: '不在有效期内' },
      { id: standard.id, wins: false, reason: '已有更优先的消息（糖友欢迎）' },
    ]);
    expect((await app.ok(resolveWelcomeMessage, { triggerType: 'GROUP_CREATED' }, { as })).winnerId).toBe(standard.id);
    expect((await app.ok(resolveWelcomeMessage, { triggerType: 'SINGLE_OPEN' }, { as })).winnerId).toBeNull();
  });

  // Acceptance 25.
  it("names the channel's before the doctor's", async () => {
    const materialIds = [(await makeEnabled(app, words())).id];
    const { id: channelId } = await makeChannel(app);
    const { doctorId } = await makeDoctor(app);
    const scan = { triggerType: 'CHANNEL_SCAN' as const, materialIds };
    const doctors = await makeInUse(app, { ...scan, name: '医生欢迎', scopeType: 'DOCTOR', scopeId: doctorId });
    const channels = await makeInUse(app, { ...scan, name: '渠道欢迎', scopeType: 'CHANNEL', scopeId: channelId });
    const as = await writer(app);
    const asked = { triggerType: scan.triggerType, channelId, doctorId };
    const { winnerId, candidates } = await app.ok(resolveWelcomeMessage, asked, { as });
    expect(winnerId).toBe(channels.id);
    expect(candidates.map(({ id, reason }) => [id, reason])).toEqual([
      [channels.id, '命中'],
      [doctors.id, '已有更优先的消息（渠道欢迎）'],
    ]);
    expect((await app.ok(resolveWelcomeMessage, { ...asked, channelId: null }, { as })).winnerId).toBe(doctors.id);
  });
});
