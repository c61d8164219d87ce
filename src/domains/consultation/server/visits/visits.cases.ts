import { randomUUID } from 'node:crypto';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import {
  addCannedReply,
  addRiskWord,
  delCannedReply,
  delRiskWord,
  importCannedReply,
  modifyCannedReply,
  queryCannedReplyList,
  queryRiskWordList,
  renderCannedReply,
  useCannedReply,
} from '../../contract/calls/canned.ts';
import { addGroupNote, delGroupNote, modifyGroupNote, queryGroupNotes } from '../../contract/calls/notes.ts';
import { exportConsultStat, queryConsultStat } from '../../contract/calls/stats.ts';
import {
  addQualityCheck,
  auditVisitRecord,
  batchArchiveVisitRecord,
  exportVisitRecordExcel,
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
import { own } from '../database.ts';
import { imEngine } from '../im/engine.ts';
import { recallMessage } from '../im/messages/changing.ts';
import { doctorUser, groupRowOf, makeInquiry } from '../testing/inquiryWorld.ts';
import { bindUser, fields, fill, inquiryRow, knowIcd, makeAnswered, makeConfirmed, makeVisit, recordRow } from '../testing/visitWorld.ts';

const NONE = '999999999';
const serverOf = async (app: TestApp) => ({ serverId: (await makeVisit(app)).serverId });
const noServer = async () => ({ serverId: NONE });
const span = { from: '2026-11-01', to: '2026-11-21' };

/** A group that the caller's own assistant is in. */
async function ownGroup(app: TestApp, as: TestStaff | null): Promise<string> {
  const { groupId, primary } = await makeInquiry(app);
  await bindUser(app, primary.assistantId, as!.userId);
  return groupId;
}
const reply = () => ({
  category: '问候',
  shortcut: randomUUID().replaceAll('-', '').slice(0, 12),
  title: '开场',
  content: '{{患者称呼}}您好',
});
const ownReply = (app: TestApp, as: TestStaff | null) => app.ok(addCannedReply, { scope: 'PRIVATE', ...reply() }, { as: as! });
async function ownNote(app: TestApp, as: TestStaff | null) {
  const groupId = await ownGroup(app, as);
  return (await app.ok(addGroupNote, { groupId, afterSeq: 1, content: '请关注过敏史' }, { as: as! })).id;
}
async function wordOf(app: TestApp) {
  const as = await app.staff({ permissions: [may['chat.supervise'].code] });
  return (await app.ok(addRiskWord, { word: `词${randomUUID().slice(0, 8)}`, level: 'BLOCK' }, { as })).id;
}
async function recalled(app: TestApp) {
  const { serverId, groupId } = await makeAnswered(app);
  const { convId } = await groupRowOf(app, groupId);
  const doctor = await doctorUser(app, groupId);
  const last = await own(app.db)
    .selectFrom('consultationImMessage')
    .select('seq')
    .where('convId', '=', convId)
    .where('senderId', '=', doctor)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  const engine = imEngine(app.kernel);
  const conv = (await engine.names.byId(app.db, convId))!;
  await app.kernel.transactions.run('test', (writing) =>
    recallMessage(writing, engine, conv, Number(last.seq), { imUserId: doctor, reason: null }, app.clock.now()),
  );
  return { serverId, seq: Number(last.seq) };
}

/** One try of every call of visit records, canned replies, notes, risk words and figures. */
export const visitCases: readonly CallCase[] = [
  callCase(queryVisitRecordList, async (app) => {
    await makeVisit(app);
    return {};
  }),
  callCase(queryVisitRecordSums, async () => ({})),
  callCase(queryVisitRecordDetail, serverOf, { foreign: noServer }),
  callCase(
    modifyVisitRecord,
    async (app) => {
      await knowIcd(app);
      const { recordId: id } = await makeVisit(app);
      return { id, version: (await recordRow(app, id)).version, ...fields() };
    },
    { foreign: async () => ({ id: NONE, version: 1, diagnoses: [] }) },
  ),
  callCase(
    auditVisitRecord,
    async (app) => {
      await knowIcd(app);
      const { recordId: id, primary } = await makeVisit(app);
      await fill(app, id, primary.staff);
      return { id, version: (await recordRow(app, id)).version, action: 'submit' as const };
    },
    { foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const }) },
  ),
  callCase(batchArchiveVisitRecord, async (app) => {
    await knowIcd(app);
    const { recordId: id } = await makeConfirmed(app);
    return { items: [{ id, version: (await recordRow(app, id)).version }] };
  }),
  callCase(
    addQualityCheck,
    async (app) => {
      const { serverId } = await makeVisit(app);
      return { serverId, version: (await inquiryRow(app, serverId)).version, score: 88 };
    },
    { foreign: async () => ({ serverId: NONE, version: 1, score: 1 }) },
  ),
  callCase(exportVisitRecordExcel, async (app) => {
    await makeVisit(app);
    return {};
  }),
  callCase(exportVisitRecordPdf, serverOf, { foreign: noServer }),
  callCase(revealVisitField, serverOf, { foreign: noServer }),
  callCase(queryVisitMessages, serverOf, { foreign: noServer }),
  callCase(queryVisitMessageOriginal, recalled, { foreign: async () => ({ serverId: NONE, seq: 1 }) }),

  callCase(queryCannedReplyList, async (app, as) => {
    await ownReply(app, as);
    return {};
  }),
  callCase(addCannedReply, async () => ({ scope: 'PRIVATE' as const, ...reply() })),
  callCase(modifyCannedReply, async (app, as) => ({ ...(await ownReply(app, as)), ...reply() }), {
    foreign: async (app) => ({ ...(await ownReply(app, await app.staff({ permissions: [may['chat.send'].code] }))), ...reply() }),
  }),
  callCase(delCannedReply, async (app, as) => ownReply(app, as), {
    foreign: async (app) => ownReply(app, await app.staff({ permissions: [may['chat.send'].code] })),
  }),
  callCase(useCannedReply, async (app, as) => ({ id: (await ownReply(app, as)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(importCannedReply, async (app, as) => {
    const header = '分类,指令,标题,内容\n问候,dr1,导入问候,您好\n';
    const { fileId } = await app.kernel.transactions.run('test', ({ tx }) =>
      app.kernel.ports.files.store(
        tx,
        { purpose: 'IMPORT', name: '快捷回复.csv', body: Buffer.from(header), contentType: 'text/csv', createdBy: as!.userId },
        app.clock.now(),
      ),
    );
    return { fileId };
  }),
  callCase(
    renderCannedReply,
    async (app, as) => {
      const groupId = await ownGroup(app, as);
      return { id: (await ownReply(app, as)).id, groupId };
    },
    { foreign: async () => ({ id: NONE }) },
  ),

  callCase(queryGroupNotes, async (app, as) => ({ groupId: await ownGroup(app, as) }), {
    as: { permissions: [may['chat.send'].code] },
    foreign: async () => ({ groupId: 'YH99999999' }),
  }),
  callCase(addGroupNote, async (app, as) => ({ groupId: await ownGroup(app, as), afterSeq: 1, content: '请关注过敏史' }), {
    foreign: async () => ({ groupId: 'YH99999999', afterSeq: 1, content: '备注' }),
  }),
  callCase(modifyGroupNote, async (app, as) => ({ id: await ownNote(app, as), content: '已处理' }), {
    foreign: async () => ({ id: NONE, content: '备注' }),
  }),
  callCase(delGroupNote, async (app, as) => ({ id: await ownNote(app, as) }), { foreign: async () => ({ id: NONE }) }),

  callCase(queryRiskWordList, async (app) => {
    await wordOf(app);
    return {};
  }),
  callCase(addRiskWord, async () => ({ word: `词${randomUUID().slice(0, 8)}`, level: 'FLAG' as const })),
  callCase(delRiskWord, async (app) => ({ id: await wordOf(app) }), { foreign: async () => ({ id: NONE }) }),

  callCase(queryConsultStat, async (app) => {
    await makeVisit(app);
    return { ...span, groupBy: 'assistant' as const };
  }),
  callCase(exportConsultStat, async () => span),
];
