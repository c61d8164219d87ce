import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mask } from '#kernel/contract/masking.ts';
import { days } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { addSuggestion } from '#domains/patient/server/index.ts';
import { acting, makeInspection, makePatient, suggestion } from '#domains/patient/server/testing/fixtures.ts';
import { auditInquiry } from '../../contract/calls/inquiry.ts';
import { addGroupNote } from '../../contract/calls/notes.ts';
import {
  addQualityCheck,
  auditVisitRecord,
  batchArchiveVisitRecord,
  exportVisitRecordPdf,
  modifyVisitRecord,
  queryVisitMessageOriginal,
  queryVisitMessages,
  queryVisitRecordDetail,
  queryVisitRecordList,
  queryVisitRecordSums,
  revealVisitField,
} from '../../contract/calls/visits.ts';
import { consultationPermissions as may } from '../../contract/permissions.ts';
import { withConsultation } from '../testing/imWorld.ts';
import { makePractice, say, doctorUser, groupRowOf } from '../testing/inquiryWorld.ts';
import { act, fields, fill, inquiryRow, knowIcd, makeAnswered, makeConfirmed, makeVisit, recordRow, word } from '../testing/visitWorld.ts';
import { imEngine } from '../im/engine.ts';
import { recallMessage } from '../im/messages/changing.ts';

let app: TestApp;
let lead: TestStaff;
beforeAll(async () => {
  app = await startTestApp({ modules: withConsultation });
  await knowIcd(app);
  lead = await app.staff({ role: 'ASSISTANT_LEAD' });
});
afterAll(() => app.close());

const eventsOf = async (id: string) =>
  (
    await sql<{
      payload: Record<string, unknown>;
    }>`select payload from kernel_outbox where name = 'consultation.visitRecord.completed' and aggregate_id = ${id}`.execute(app.db)
  ).rows;
const textOfPdf = async (pdf: Buffer): Promise<string> => {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({ data: new Uint8Array(pdf) }).promise;
  let all = '';
  for (let page = 1; page <= document.numPages; page += 1)
    all += (await (await document.getPage(page)).getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join('');
  return all;
};

describe('a visit record', () => {
  it('is filled in, confirmed by its doctor alone, archived with its hash, and corrected by a next version', async () => {
    const visit = await makeVisit(app);
    const { staff } = visit.primary;
    const id = visit.recordId;
    const version = (await recordRow(app, id)).version;
    expect(await recordRow(app, id)).toMatchObject({
      state: 'DRAFT',
      recordVersion: 1,
      current: true,
      chiefComplaint: '咳嗽两周，夜间加重',
    });
    // A draft without a diagnosis goes nowhere, and neither do careless ones.
    expect(await app.refused(auditVisitRecord, { id, version, action: 'submit' }, { as: staff })).toMatchObject({ code: 'SCM10051' });
    expect(
      (
        await app.refused(
          modifyVisitRecord,
          { id, version, ...fields({ diagnoses: [{ icd10: 'C34.900', name: '肺癌', main: false }] }) },
          { as: staff },
        )
      ).fields,
    ).toEqual([{ path: 'diagnoses', message: '请指定一个主要诊断' }]);
    expect(
      (
        await app.refused(
          modifyVisitRecord,
          { id, version, ...fields({ diagnoses: [{ icd10: 'X99.999', name: '无', main: true }] }) },
          { as: staff },
        )
      ).fields,
    ).toEqual([{ path: 'diagnoses.0.icd10', message: '诊断编码不存在，请从列表中选择' }]);
    expect((await app.refused(modifyVisitRecord, { id, version, ...fields({ revisitOn: '2026-11-20' }) }, { as: staff })).fields).toEqual([
      { path: 'revisitOn', message: '复诊日期不能早于今天' },
    ]);
    expect(await fill(app, id, staff)).toMatchObject({
      diagnoses: [{ icd10: 'C34.900', name: '支气管或肺恶性肿瘤', main: true }],
      allowedActions: ['modify', 'submit'],
    });
    expect(await app.refused(modifyVisitRecord, { id, version, ...fields() }, { as: staff })).toMatchObject({ code: 'SCM90030' });
    expect(await app.refused(auditVisitRecord, { id, version: version + 1, action: 'archive' }, { as: lead })).toMatchObject({
      code: 'SCM90031',
    });
    await act(app, id, 'submit', staff);
    expect(await app.refused(modifyVisitRecord, { id, version: version + 2, ...fields() }, { as: staff })).toMatchObject({
      code: 'SCM90031',
    });

    await expect(word(app, id, { doctorOperatorId: '1' })).rejects.toMatchObject({ code: 'SCM10052' });
    await expect(word(app, id, { action: 'back' })).rejects.toMatchObject({ code: 'SCM90020' });
    await word(app, id, { action: 'back', opinion: '请补充处理意见' });
    expect(await recordRow(app, id)).toMatchObject({ state: 'DRAFT' });
    await act(app, id, 'submit', staff);
    await word(app, id);
    expect(await eventsOf(id)).toMatchObject([
      { payload: { recordVersion: 1, serverId: visit.serverId, revisitOn: '2026-12-05', diagnoses: [{ icd10: 'C34.900' }] } },
    ]);
    await app.runDue();
    const { convId } = await groupRowOf(app, visit.groupId);
    expect(
      (
        await sql<{
          n: number;
        }>`select count(*)::int as n from consultation_im_message where conv_id = ${convId} and client_msg_id = ${`visit:${id}`}`.execute(
          app.db,
        )
      ).rows[0]!.n,
    ).toBe(1);

    const archived = await act(app, id, 'archive', lead);
    expect(archived).toMatchObject({ state: 'ARCHIVED', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const { body } = await app.kernel.ports.files.openRead(app.db, archived.archivedFileId!);
    const bytes = Buffer.concat(await body.toArray());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(archived.sha256);
    const printed = await textOfPdf(bytes);
    for (const shown of ['就诊小结', '校验码', '支气管或肺恶性肿瘤', '完善胸部']) expect(printed).toContain(shown);
    expect(await app.refused(modifyVisitRecord, { id, version: archived.version, ...fields() }, { as: staff })).toMatchObject({
      code: 'SCM10050',
    });

    expect(await app.refused(auditVisitRecord, { id, version: archived.version, action: 'correct' }, { as: staff })).toMatchObject({
      code: 'SCM90020',
    });
    const two = await act(app, id, 'correct', staff, '诊断编码有误');
    expect(two).toMatchObject({ recordVersion: 2, state: 'DRAFT', current: false, correctReason: '诊断编码有误' });
    expect(
      await app.refused(auditVisitRecord, { id, version: archived.version + 1, action: 'correct', opinion: '再改一次' }, { as: staff }),
    ).toMatchObject({ code: 'SCM90031' });
    expect(await recordRow(app, id)).toMatchObject({ current: true, state: 'ARCHIVED' });
    await fill(app, two.id, staff, { advice: '三个月后复查' });
    await act(app, two.id, 'submit', staff);
    expect(await recordRow(app, id)).toMatchObject({ current: true });
    await word(app, two.id);
    expect([await recordRow(app, id), await recordRow(app, two.id)]).toMatchObject([
      { current: false, state: 'SUPERSEDED' },
      { current: true, state: 'CONFIRMED' },
    ]);
    expect(
      (await app.ok(queryVisitRecordDetail, { serverId: visit.serverId }, { as: staff })).records.map(({ recordVersion, state }) => [
        recordVersion,
        state,
      ]),
    ).toEqual([
      [2, 'CONFIRMED'],
      [1, 'SUPERSEDED'],
    ]);
  });

  it('is corrected once by two at the same moment', async () => {
    const { recordId: id, primary } = await makeConfirmed(app);
    const { version } = await recordRow(app, id);
    const answers = await Promise.all(
      [1, 2, 3].map((n) => app.send(auditVisitRecord, { id, version, action: 'correct', opinion: `更正${n}` }, { as: primary.staff })),
    );
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90030', 'SCM90030']);
  });
});

describe('what a record refers to', () => {
  it('is of its own patient’s record', async () => {
    const visit = await makeVisit(app);
    const { staff } = visit.primary;
    const other = await makePatient(app);
    const made = async (patientId: string) => ({
      suggestion: (await acting(app, (writing) => addSuggestion(writing, suggestion(patientId) as never))).id,
      inspection: (await makeInspection(app, patientId)).id,
    });
    const [own, foreign] = [await made(visit.sufferer.patientId), await made(other.id)];
    const { version } = await recordRow(app, visit.recordId);
    const refusedOf = async (change: object) =>
      (await app.refused(modifyVisitRecord, { id: visit.recordId, version, ...fields(change) }, { as: staff })).fields;
    expect(await refusedOf({ suggestionIds: [own.suggestion, foreign.suggestion] })).toEqual([
      { path: 'suggestionIds', message: '所选用药建议不属于该患者，请重新选择' },
    ]);
    expect(await refusedOf({ inspectionIds: [foreign.inspection] })).toEqual([
      { path: 'inspectionIds', message: '所选检查检验不属于该患者，请重新选择' },
    ]);
    expect(await refusedOf({ inspectionIds: ['99999999'] })).toHaveLength(1);
    expect(await fill(app, visit.recordId, staff, { suggestionIds: [own.suggestion], inspectionIds: [own.inspection] })).toMatchObject({
      suggestionIds: [own.suggestion],
      inspectionIds: [own.inspection],
    });
  });
});

describe('the list', () => {
  it('hides name and complaint from who only reads, and shows them by a logged act', async () => {
    const visit = await makeVisit(app);
    const reader = await app.staff({ permissions: [may['visit.view'].code] });
    const { inquiryNo, patientName } = await inquiryRow(app, visit.serverId);
    const [row] = (await app.ok(queryVisitRecordList, { inquiryNo }, { as: reader })).rows;
    expect(row).toMatchObject({
      suffererName: `${patientName[0]}${'*'.repeat(patientName.length - 1)}`,
      chiefComplaint: '****',
      plain: false,
      canOpenChat: false,
      allowedActions: [],
    });
    expect(JSON.stringify(await app.ok(queryVisitRecordDetail, { serverId: visit.serverId }, { as: reader }))).not.toContain('夜间加重');
    expect(await app.refused(revealVisitField, { serverId: visit.serverId }, { as: reader })).toMatchObject({ code: 'SCM90010' });
    expect((await app.ok(queryVisitRecordList, { inquiryNo }, { as: visit.primary.staff })).rows).toMatchObject([
      { suffererName: patientName, plain: true, canOpenChat: true },
    ]);
    const revealer = await app.staff({ permissions: [may['visit.view'].code, may['inquiry.reveal'].code] });
    expect(await app.ok(revealVisitField, { serverId: visit.serverId }, { as: revealer })).toMatchObject({
      suffererName: patientName,
      chiefComplaint: '咳嗽两周，夜间加重',
    });
    expect(
      (
        await sql<{
          n: number;
        }>`select count(*)::int as n from identity_operation_log where user_id = ${revealer.userId} and kind = 'REVEAL'`.execute(app.db)
      ).rows[0]!.n,
    ).toBe(1);
  });

  it('is limited by the scope: own groups and doctors, the doctor’s region', async () => {
    const visit = await makeVisit(app);
    const { inquiryNo, doctorId } = await inquiryRow(app, visit.serverId);
    const permissions = [may['visit.view'].code];
    const seenBy = async (scope: object) =>
      (await app.ok(queryVisitRecordList, { inquiryNo }, { as: await app.staff({ permissions, scope }) })).total;
    await sql`
      insert into consultation_doctor_place (doctor_id, doctor_name, adcode, updated_at)
        values (${doctorId}, '医生', '310101', ${app.clock.now()})
        on conflict (doctor_id) do update
        set adcode = excluded.adcode`.execute(app.db);
    expect([
      await seenBy({}),
      await seenBy({ own: true }),
      await seenBy({ region: ['310000'] }),
      await seenBy({ region: ['320000'] }),
    ]).toEqual([1, 0, 1, 0]);
    const stranger = await app.staff({ permissions, scope: { own: true } });
    expect(await app.refused(queryVisitRecordDetail, { serverId: visit.serverId }, { as: stranger })).toMatchObject({ code: 'SCM90040' });
  });

  it('counts its tabs and totals over the filter', async () => {
    const practice = await makePractice(app);
    const [draft, confirmed] = [await makeVisit(app, practice), await makeConfirmed(app, practice)];
    const running = await makeAnswered(app, practice);
    await act(app, confirmed.recordId, 'archive', lead);
    const { doctorName, feeFen } = await inquiryRow(app, draft.serverId);
    await sql`update consultation_inquiry set doctor_name = ${`${doctorName}之统计`} where doctor_id = ${practice.doctorId}`.execute(
      app.db,
    );
    const filter = { doctorName: `${doctorName}之统计` };
    expect(await app.ok(queryVisitRecordSums, filter, { as: lead })).toMatchObject({
      tabCounts: { all: 3, waiting: 0, serving: 1, draft: 1, confirm: 0, archived: 1, closed: 0 },
      inquiries: 3,
      feeFen: String(Number(feeFen) * 3),
      refundedFen: '0',
    });
    expect(await app.ok(queryVisitRecordSums, { ...filter, tab: 'serving' }, { as: lead })).toMatchObject({
      tabCounts: { all: 3 },
      inquiries: 1,
    });
    expect((await app.ok(queryVisitRecordList, { ...filter, tab: 'serving' }, { as: lead })).rows.map(({ serverId }) => serverId)).toEqual([
      running.serverId,
    ]);
    expect((await app.ok(queryVisitRecordList, { ...filter, icd10: 'C34' }, { as: lead })).rows.map(({ serverId }) => serverId)).toEqual([
      confirmed.serverId,
    ]);
    expect(await app.ok(queryVisitRecordList, { ...filter, pageSize: 2 }, { as: lead })).toMatchObject({ total: 3 });
  });
});

describe('around a record', () => {
  it('quality is checked after the end, by the version that was seen', async () => {
    const running = await makeAnswered(app);
    const checked = (serverId: string, version: number) => ({ serverId, version, score: 90, tags: ['规范'], note: '沟通清楚' });
    expect(
      await app.refused(addQualityCheck, checked(running.serverId, (await inquiryRow(app, running.serverId)).version), { as: lead }),
    ).toMatchObject({ code: 'SCM90031' });
    const visit = await makeVisit(app);
    const { version } = await inquiryRow(app, visit.serverId);
    expect(await app.refused(addQualityCheck, { ...checked(visit.serverId, version), score: 101 }, { as: lead })).toMatchObject({
      code: 'SCM90020',
    });
    expect(await app.refused(addQualityCheck, checked(visit.serverId, version - 1), { as: lead })).toMatchObject({ code: 'SCM90030' });
    await app.ok(addQualityCheck, checked(visit.serverId, version), { as: lead });
    expect((await app.ok(queryVisitRecordDetail, { serverId: visit.serverId }, { as: lead })).quality).toMatchObject({
      score: 90,
      tags: ['规范'],
      by: lead.displayName,
    });
  });

  it('the transcript holds the inquiry’s messages alone: no note, no recalled text, the reader over every page', async () => {
    const visit = await makeAnswered(app);
    const doctor = await doctorUser(app, visit.groupId);
    await app.ok(addGroupNote, { groupId: visit.groupId, afterSeq: 1, content: '内部备注不得外传' }, { as: visit.primary.staff });
    await say(app, visit.groupId, doctor, '发错了的机密内容');
    const { convId } = await groupRowOf(app, visit.groupId);
    const stored = await app.ok(queryVisitMessages, { serverId: visit.serverId, keyword: '机密' }, { as: lead });
    expect(stored.messages).toHaveLength(1);
    const seq = stored.messages[0]!.seq;
    const engine = imEngine(app.kernel);
    const conv = (await engine.names.byId(app.db, convId))!;
    await app.kernel.transactions.run('test', (writing) =>
      recallMessage(writing, engine, conv, seq, { imUserId: doctor, reason: null }, app.clock.now()),
    );
    expect((await app.ok(queryVisitMessages, { serverId: visit.serverId, keyword: '机密' }, { as: lead })).messages).toEqual([]);
    const page = await app.ok(queryVisitMessages, { serverId: visit.serverId }, { as: lead });
    expect(page.messages.find((message) => message.seq === seq)).toMatchObject({ isRevoked: true, text: '', hasOriginal: true });
    const reader = await app.staff({ permissions: [may['visit.view'].code, may['visit.export'].code] });
    const nickFor = async (as: TestStaff) =>
      (await app.ok(queryVisitMessages, { serverId: visit.serverId }, { as })).messages.find(({ role }) => role === 'PATIENT')?.nick;
    const nick = await nickFor(visit.primary.staff);
    expect(nick).not.toContain('*');
    expect(await nickFor(reader)).toBe(mask('name', nick ?? ''));
    expect(await app.refused(queryVisitMessageOriginal, { serverId: visit.serverId, seq }, { as: reader })).toMatchObject({
      code: 'SCM90010',
    });
    expect(await app.ok(queryVisitMessageOriginal, { serverId: visit.serverId, seq }, { as: lead })).toMatchObject([
      { text: '发错了的机密内容' },
    ]);
    const { url } = await app.ok(exportVisitRecordPdf, { serverId: visit.serverId, content: 'chat' }, { as: reader });
    const printed = await textOfPdf((await app.inject({ method: 'GET', url, headers: { authorization: reader.token } })).body);
    for (const shown of ['问诊聊天记录', '支气管炎', '消息已撤回']) expect(printed).toContain(shown);
    for (const hidden of ['内部备注不得外传', '机密']) expect(printed).not.toContain(hidden);
  });
});

describe('archiving', () => {
  it('is not archived while the inquiry runs again, and by itself after seven days', async () => {
    const [early, open] = [await makeConfirmed(app), await makeConfirmed(app)];
    await app.ok(
      auditInquiry,
      { serverId: open.serverId, version: (await inquiryRow(app, open.serverId)).version, action: 'reopen', opinion: '误操作结束' },
      { as: lead },
    );
    const rows = await Promise.all([early, open].map(({ recordId }) => recordRow(app, recordId)));
    const stale = await makeConfirmed(app);
    const result = await app.ok(
      batchArchiveVisitRecord,
      {
        items: [
          { id: rows[1]!.id, version: rows[1]!.version },
          { id: stale.recordId, version: 1 },
          { id: rows[0]!.id, version: rows[0]!.version },
        ],
      },
      { as: lead },
    );
    expect(result.map(({ ok, code }) => [ok, code])).toEqual([
      [false, 'SCM10053'],
      [false, 'SCM90030'],
      [true, null],
    ]);
    await app.advance(days(7) - 60_000, ['consultation']);
    await app.runDue();
    expect(await recordRow(app, stale.recordId)).toMatchObject({ state: 'CONFIRMED' });
    await app.advance(days(1), ['consultation']);
    await app.runDue();
    expect(await recordRow(app, stale.recordId)).toMatchObject({ state: 'ARCHIVED', sha256: expect.any(String) });
  });
});
