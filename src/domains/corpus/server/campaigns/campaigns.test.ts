import { jobContext } from '#testing/jobContext.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, days, minutes, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addCampaign,
  auditCampaign,
  modifyCampaign,
  previewCampaign,
  queryCampaignDetail,
  queryCampaignList,
  stopCampaign,
} from '../../contract/campaigns/calls.ts';
import { addImportTask, commitImportTask, queryImportResult } from '#domains/files/contract/calls/imports.ts';
import { CAMPAIGN_AUDIENCE_IMPORTER } from '../../contract/campaigns/dictionaries.ts';
import { uploadTable } from '#testing/uploads.ts';
import { stopSend } from '../../contract/engine/engineCalls.ts';
import { queryFollowSendList } from '../../contract/engine/sendCalls.ts';
import { claimOthers } from '../engine/claimOthers.ts';
import { deliver } from '../engine/deliver.ts';
import { campaignAuditor, campaigner, campaignFields, makeCampaign, makeScheduled, tomorrow } from '../testing/campaignFixtures.ts';
import { engineMessages, makeText, makeTreated, maker, sendNow } from '../testing/engineWorld.ts';
import { fresh, makeDisease, row } from '../testing/fixtures.ts';
import { campaignJob } from './send.ts';

let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  other = await startTestApp({ beside: app });
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const wards = ['L40', 'K21', 'N18', 'J45', 'B18', 'C61', 'M05'];
/** A disease of its own, so that its audience is known. */
async function ward(patients: number, wish: { consent?: boolean; hba1c?: string } = {}) {
  const icd10 = wards.shift()!;
  const disease = await makeDisease(app, 0, [icd10]);
  const people = [];
  for (let n = 0; n < patients; n += 1) people.push(await makeTreated(app, { icd10, ...wish }));
  return { diseaseIds: [disease.id], icd10, people };
}
const runJob = (on = app) => campaignJob.run({}, jobContext(on));
const numberOf = async (patientId: string) =>
  (await sql<{ no: string }>`select patient_no as no from patient_patient where id = ${patientId}`.execute(app.db)).rows[0]!.no;
const detailOf = async (id: string) => app.ok(queryCampaignDetail, { id }, { as: await campaigner(app) });
const stateOf = async (id: string) => (await detailOf(id)).campaign.state;

describe('a campaign', () => {
  it('is refused without an audience, at no slot, and with what does not exist', async () => {
    const as = await campaigner(app);
    const good = await campaignFields(app);
    const refused = async (change: object, message: RegExp) =>
      expect((await app.refused(addCampaign, { ...good, ...change }, { as })).fields?.map((one) => one.message).join()).toMatch(message);
    await refused({ diseaseIds: ['999999999'] }, /病种不存在/);
    await refused({ materialIds: ['999999999'] }, /素材不存在/);
    await refused({ includePatientNos: ['HZ000'] }, /患者编号HZ000不存在/);
    await refused({ sendAt: plusMs(tomorrow(app), minutes(7)) }, /整点或半点/);
    await refused({ materialIds: [] }, /请选择素材/);
    expect(await app.refused(addCampaign, { ...good, rows: [row('>', 'x')] }, { as })).toHaveProperty('code');
  });

  it('takes its audience from a file: every faulty cell is named, nobody is taken twice, and who was looked at is looked at again', async () => {
    const as = await campaigner(app);
    const people = [(await makeTreated(app)).patientId, (await makeTreated(app)).patientId];
    const numbers = await Promise.all(people.map(numberOf));
    const { id, version } = await makeCampaign(app, { diseaseIds: [] }, as);
    expect((await app.refused(previewCampaign, { id, version }, { as })).fields).toEqual([
      { path: 'diseaseIds', message: '请选择病种、填写指定患者或导入人群' },
    ]);
    const imported = async (rows: string[][], params: Record<string, unknown> = { campaignId: id }) => {
      const fileId = await uploadTable(app, as, [['患者编号'], ...rows]);
      const { importTaskId } = await app.ok(addImportTask, { importerCode: CAMPAIGN_AUDIENCE_IMPORTER, fileId, params }, { as });
      await app.runDue();
      return app.ok(queryImportResult, { importTaskId }, { as });
    };
    const commit = async ({ importTaskId, version: taskVersion }: { importTaskId: string; version: number }) => {
      await app.ok(commitImportTask, { importTaskId, version: taskVersion }, { as, idempotencyKey: `audience-${importTaskId}` });
      await app.runDue();
      return app.ok(queryImportResult, { importTaskId }, { as });
    };
    const faulty = await imported([[numbers[0]!], ['PT99999999'], [numbers[0]!]]);
    expect(faulty).toMatchObject({ state: 'INVALID' });
    expect(faulty.errorCells).toBeGreaterThanOrEqual(2);
    expect(await commit(await imported(numbers.map((no) => [no])))).toMatchObject({ state: 'DONE' });
    const after = await detailOf(id);
    expect(after.campaign.audience).toBe('导入2人');
    const looked = await app.ok(previewCampaign, { id, version: after.campaign.version }, { as });
    expect(looked).toMatchObject({ total: 2 });
    const late = await imported([[(await numberOf((await makeTreated(app)).patientId))!]]);
    await app.ok(auditCampaign, { id, version: looked.version, action: 'submit' }, { as });
    expect((await commit(late)).state).not.toBe('DONE');
    expect((await detailOf(id)).campaign.audience).toBe('导入2人');
  });

  it('is looked at, handed in and passed by another person; what changed is looked at again', async () => {
    const as = await campaigner(app);
    const fields = await campaignFields(app, { diseaseIds: (await ward(1)).diseaseIds });
    const { id, version } = await app.ok(addCampaign, fields, { as });
    expect(await app.refused(auditCampaign, { id, version, action: 'submit' }, { as })).toMatchObject({ code: 'SCM11085' });
    const looked = await app.ok(previewCampaign, { id, version }, { as });
    const changed = await app.ok(modifyCampaign, { id, ...fields, version: looked.version, name: fresh('群发') }, { as });
    expect(await app.refused(auditCampaign, { id, version: changed.version, action: 'submit' }, { as })).toMatchObject({
      code: 'SCM11085',
    });
    const again = await app.ok(previewCampaign, { id, version: changed.version }, { as });
    app.clock.set(plusMs(fields.sendAt, -minutes(30)));
    expect(await app.refused(auditCampaign, { id, version: again.version, action: 'submit' }, { as: await campaigner(app) })).toMatchObject(
      {
        code: 'SCM11084',
        message: '发送时间须晚于当前时间30分钟',
      },
    );
    app.clock.set(plusMs(fields.sendAt, -minutes(31)));
    const both = await app.staff({ permissions: ['corpus.corpus.view', 'corpus.campaign.edit', 'corpus.campaign.audit'] });
    const submitted = await app.ok(auditCampaign, { id, version: again.version, action: 'submit' }, { as: both });
    expect(await app.refused(auditCampaign, { id, version: submitted.version, action: 'approve' }, { as: both })).toMatchObject({
      code: 'SCM11020',
    });
    expect(await app.refused(modifyCampaign, { id, ...fields, version: submitted.version }, { as: both })).toMatchObject({
      code: 'SCM90031',
    });
    const passed = await app.ok(auditCampaign, { id, version: submitted.version, action: 'approve' }, { as: await campaignAuditor(app) });
    expect(passed.state).toBe('SCHEDULED');
    await expect(app.database.asOwner(`update corpus_campaign set audited_by = submitted_by where id = ${id}`)).rejects.toThrow('check');
  });

  it('tells who is in its audience, and of each whether and why not', async () => {
    const { diseaseIds, icd10, people } = await ward(3, { hba1c: '8.5' });
    const [first, second, third] = people;
    const silent = await makeTreated(app, { icd10, consent: false, hba1c: '8.5' });
    await makeTreated(app, { icd10, hba1c: '6.0' });
    const named = await makeTreated(app, { icd10: 'M06' });
    await app.ok(stopSend, { scopeType: 'PATIENT', scopeId: second!.patientId, reason: '家属要求' }, { as: await maker(app) });
    const today = dayOf(app.clock.now());
    await sql`insert into corpus_touch_counter (patient_id, day, count) values (${third!.patientId}, ${today}::date, 50)
      on conflict (patient_id, day) do update set count = 50`.execute(app.db);
    const left = await makeTreated(app, { icd10, hba1c: '9.0' });
    const as = await campaigner(app);
    const made = await makeCampaign(
      app,
      {
        diseaseIds,
        rows: [row('>', '7')],
        includePatientNos: [await numberOf(named.patientId)],
        excludePatientNos: [await numberOf(left.patientId)],
      },
      as,
    );
    const { total, results, people: told } = await app.ok(previewCampaign, made, { as });
    expect(total).toBe(5);
    expect(Object.fromEntries(results.filter(({ count }) => count > 0).map(({ result, count }) => [result, count]))).toEqual({
      SEND: 2,
      NO_CONSENT: 1,
      KILL: 1,
      CAP: 1,
    });
    const of = (patientId: string) => told.find((one) => one.patientId === patientId);
    expect(of(first!.patientId)).toMatchObject({ result: 'SEND', reason: '' });
    expect(of(silent.patientId)).toMatchObject({ result: 'NO_CONSENT', reason: '患者未授权随访触达' });
    expect(of(second!.patientId)!.reason).toMatch(/停发/);
    expect(of(third!.patientId)!.reason).toMatch(/今日已发50条/);
    expect(of(left.patientId)).toBeUndefined();
  });

  it('is sent at its time, once to each, by two processes of which one is cut off; it ends by itself', async () => {
    app.clock.set(startOfDay('2027-05-10', '09:00'));
    const { diseaseIds, people } = await ward(12);
    const materialIds = [await makeText(app, '{{患者称呼:您}}，下周有健康讲座')];
    const { id } = await makeScheduled(app, { diseaseIds, materialIds });
    await runJob();
    expect(await stateOf(id)).toBe('SCHEDULED');
    app.clock.set(startOfDay('2027-05-11', '10:00'));
    await Promise.all([runJob(), runJob(other)]);
    expect((await detailOf(id)).campaign).toMatchObject({ state: 'SENDING', counts: { total: 12, waiting: 12 }, progress: '0 / 12' });
    const claimed = await claimOthers(jobContext(app), 100, 5);
    await deliver(jobContext(app), claimed.slice(0, 2));
    app.clock.set(plusMs(app.clock.now(), minutes(3)));
    await Promise.all([sendNow(app), sendNow(other)]);
    for (const { conversationId } of people) {
      const messages = (await engineMessages(app, conversationId)).filter(({ text }) => text.includes('健康讲座'));
      expect(messages).toHaveLength(1);
    }
    await runJob();
    expect((await detailOf(id)).campaign).toMatchObject({
      state: 'DONE',
      counts: { total: 12, sent: 12, waiting: 0 },
      progress: '12 / 12',
    });
    const list = await app.ok(queryFollowSendList, { patientId: people[0]!.patientId }, { as: await maker(app) });
    expect(list.rows.map(({ sceneName }) => sceneName)).toContain('群发任务');
  });

  it('whose audience grew by more than a tenth is not sent, and says so', async () => {
    app.clock.set(startOfDay('2027-05-20', '09:00'));
    const { diseaseIds, icd10 } = await ward(10);
    const { id } = await makeScheduled(app, { diseaseIds });
    const near = await makeScheduled(app, { diseaseIds });
    await makeTreated(app, { icd10 });
    await sql`update corpus_campaign set send_at = ${startOfDay('2027-05-21', '08:30')} where id = ${near.id}`.execute(app.db);
    app.clock.set(startOfDay('2027-05-21', '08:30'));
    await runJob();
    // Eleven are ten and a tenth.
    expect(await stateOf(near.id)).toBe('SENDING');
    await makeTreated(app, { icd10 });
    app.clock.set(startOfDay('2027-05-21', '10:00'));
    await runJob();
    expect((await detailOf(id)).campaign).toMatchObject({
      state: 'STOPPED',
      stopReason: '人群较审核时增加超过10%，请重新预览',
      counts: { total: 0 },
    });
  });

  it('is stopped with a reason: what was sent stays, what waits is cancelled', async () => {
    app.clock.set(startOfDay('2027-06-01', '09:00'));
    const { diseaseIds } = await ward(4);
    const { id } = await makeScheduled(app, { diseaseIds });
    app.clock.set(startOfDay('2027-06-02', '10:00'));
    const as = await campaigner(app);
    await runJob();
    const [one = ''] = await claimOthers(jobContext(app), 100, 1);
    await deliver(jobContext(app), [one]);
    const [running] = (await app.ok(queryCampaignList, { state: ['SENDING'], name: (await detailOf(id)).campaign.name }, { as })).rows;
    expect(running!.allowedActions).toEqual(['stop']);
    expect(await app.refused(stopCampaign, { id, version: running!.version - 1, opinion: '内容有误' }, { as })).toMatchObject({
      code: 'SCM90030',
    });
    await app.ok(stopCampaign, { id, version: running!.version, opinion: '内容有误' }, { as });
    app.clock.set(plusMs(app.clock.now(), days(1)));
    await sendNow(app);
    expect((await detailOf(id)).campaign).toMatchObject({
      state: 'STOPPED',
      stopReason: '内容有误',
      counts: { sent: 1, skipped: 3, waiting: 0 },
    });
  });
});
