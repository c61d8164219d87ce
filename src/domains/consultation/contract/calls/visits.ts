import * as z from 'zod/mini';
import { access, type AnswerOf } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  fenOut,
  flag,
  id,
  idOut,
  instant,
  instantOut,
  intOrNull,
  opinion,
  several,
  text,
  textOrNull,
  version,
  mobileText,
  personName,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { boardActions, refundStates, serviceTypes, userRoles } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { visitRecordMachine } from '../states.ts';
import { diagnosis } from './diagnosis.ts';
import { inquiryFacts, serverStatus } from './shared.ts';

const service = declareService('VisitRecordService');
const view = may['visit.view'];
const recordState = field('小结状态', visitRecordMachine.dictionary.schema);

export const visitTabs = ['all', 'waiting', 'serving', 'draft', 'confirm', 'archived', 'closed'] as const;
const filters = {
  tab: field('页签', z.optional(z.enum(visitTabs, '页签不正确'))),
  inquiryNo: z.optional(text('问诊编号', 20)),
  visitNo: z.optional(text('就诊编号', 20)),
  orderNo: z.optional(text('咨询订单号', 20)),
  suffererName: z.optional(personName('患者姓名', 32)),
  mobile: field('手机号', z.optional(mobileText('手机号格式不正确'))),
  doctorName: z.optional(text('医生', 30)),
  hospitalId: field('医院', z.optional(id)),
  departmentId: field('科室', z.optional(id)),
  serviceType: field('服务类型', z.optional(several(serviceTypes.schema))),
  serverStatus: field('问诊状态', z.optional(several(serverStatus))),
  recordState: z.optional(several(recordState)),
  icd10: z.optional(text('诊断', 12)),
  stars: field('评价', z.optional(several(z.int().check(z.minimum(1), z.maximum(5))))),
  qcState: field('质检状态', z.optional(z.enum(['DONE', 'TODO'], '质检状态不正确'))),
  patientId: field('患者', z.optional(id)),
  createdFrom: field('创建时间起', z.optional(instant)),
  createdTo: field('创建时间止', z.optional(instant)),
  endedFrom: field('结束时间起', z.optional(instant)),
  endedTo: field('结束时间止', z.optional(instant)),
  overSla: field('是否超时', z.optional(flag)),
  ownerAssistantId: field('责任医助', z.optional(id)),
};
const row = z.strictObject({
  serverId: idOut,
  inquiryNo: field('问诊编号', z.string(), { width: 144 }),
  visitRecordId: z.nullable(idOut),
  visitNo: field('就诊编号', textOrNull, { width: 144 }),
  groupId: textOrNull,
  serviceType: field('服务类型', serviceTypes.schema),
  serviceName: z.string(),
  suffererName: field('患者', z.string()),
  patientId: idOut,
  doctorId: idOut,
  doctorName: field('医生', z.string()),
  hospitalName: field('医院', textOrNull, { width: 192 }),
  departmentName: field('科室', textOrNull, { width: 112 }),
  /** Masked like the name, unless the caller serves the patient (`plain`). */
  chiefComplaint: field('主诉', textOrNull),
  plain: z.boolean(),
  diagnosis: field('初步诊断', textOrNull, { width: 240 }),
  createdAt: field('发起时间', instantOut),
  acceptSec: field('接诊用时（秒）', intOrNull),
  firstReplySec: field('首次回复用时（秒）', intOrNull),
  durationSec: field('时长（秒）', intOrNull),
  roundUsed: field('已用轮次', z.int()),
  roundLimit: z.int(),
  videoSecUsed: field('视频时长（秒）', z.int()),
  feeFen: field('费用（元）', fenOut),
  refundedFen: field('已退（元）', fenOut),
  refundState: field('退款', refundStates.schema),
  stars: field('评价', intOrNull),
  qcScore: field('质检', intOrNull),
  serverStatus: field('问诊状态', serverStatus),
  recordState: field('小结状态', z.nullable(recordState)),
  recordVersion: intOrNull,
  ownerAssistantName: field('责任医助', textOrNull),
  endedAt: field('结束时间', z.nullable(instantOut)),
  version: z.int(),
  recordRowVersion: intOrNull,
  canOpenChat: z.boolean(),
  allowedActions: z.array(z.string()),
});
export type VisitRow = z.output<typeof row>;

export const queryVisitRecordList = service.list({
  operation: 'queryVisitRecordList',
  label: '查询就诊记录',
  access: view,
  filter: { ...sortedBy('inquiryNo', 'createdAt'), ...filters },
  output: row,
});
/** Counts of the tabs and totals over the filter. */
export const queryVisitRecordSums = service.read({
  operation: 'queryVisitRecordSums',
  label: '统计就诊记录',
  access: view,
  input: filters,
  output: z.strictObject({
    tabCounts: z.record(z.enum(visitTabs), z.int()),
    inquiries: z.int(),
    feeFen: z.string(),
    refundedFen: z.string(),
    averageFirstReplySec: intOrNull,
  }),
});

const recordFacts = {
  id: idOut,
  recordVersion: z.int(),
  visitNo: z.string(),
  current: z.boolean(),
  state: recordState,
  visitTime: z.string(),
  chiefComplaint: z.string(),
  presentIllness: z.string(),
  pastHistory: z.string(),
  allergy: z.string(),
  diagnoses: z.array(diagnosis),
  advice: z.string(),
  revisitOn: textOrNull,
  suggestionIds: z.array(idOut),
  inspectionIds: z.array(idOut),
  confirmedAt: textOrNull,
  confirmedBy: textOrNull,
  archivedAt: textOrNull,
  archivedFileId: z.nullable(idOut),
  sha256: textOrNull,
  correctReason: textOrNull,
  version: z.int(),
  allowedActions: z.array(z.string()),
};
/** What of a record is masked. */
const sensitiveText = {
  chiefComplaint: z.string(),
  presentIllness: z.string(),
  pastHistory: z.string(),
  allergy: z.string(),
  advice: z.string(),
};
const visitRecord = z.strictObject(recordFacts);
export type VisitRecord = z.output<typeof visitRecord>;
export const queryVisitRecordDetail = service.read({
  operation: 'queryVisitRecordDetail',
  label: '查看就诊记录',
  access: view,
  input: { serverId: field('问诊', id) },
  output: z.strictObject({
    row,
    inquiry: z.strictObject(inquiryFacts),
    /** What is sensitive in the records is shown; masked otherwise. */
    plain: z.boolean(),
    startSeq: intOrNull,
    endSeq: intOrNull,
    conversationID: textOrNull,
    /** Newest first. */
    records: z.array(visitRecord),
    videos: z.array(
      z.strictObject({
        roomId: z.string(),
        state: z.string(),
        startedAt: z.string(),
        endedAt: textOrNull,
        talkSec: z.int(),
        doctorPatientSec: z.int(),
        endReason: textOrNull,
        participants: z.array(z.strictObject({ nick: z.string(), joinedAt: z.string(), leftAt: textOrNull })),
      }),
    ),
    rating: z.nullable(z.strictObject({ stars: z.int(), tags: z.array(z.string()), text: textOrNull, at: z.string() })),
    quality: z.nullable(z.strictObject({ score: z.int(), tags: z.array(z.string()), note: textOrNull, by: textOrNull, at: z.string() })),
    board: z.array(
      z.strictObject({
        action: boardActions.schema,
        fromName: textOrNull,
        toName: textOrNull,
        reason: textOrNull,
        waitSec: intOrNull,
        at: z.string(),
      }),
    ),
    timeline: trail,
  }),
});
export type VisitDetail = AnswerOf<typeof queryVisitRecordDetail>;

const part = (label: string) => z._default(text(label, 2000), '');
export const ONE_MAIN = '请指定一个主要诊断';
/** Exactly one main diagnosis, once there is any. */
export const hasOneMain = (all: readonly { main: boolean }[]): boolean => all.length === 0 || all.filter(({ main }) => main).length === 1;
export const modifyVisitRecord = service.act({
  operation: 'modifyVisitRecord',
  label: '完善就诊小结',
  access: may['visit.edit'],
  secrets: ['chiefComplaint', 'presentIllness', 'pastHistory', 'allergy', 'diagnoses', 'advice'],
  input: {
    id,
    version,
    chiefComplaint: part('主诉'),
    presentIllness: part('现病史'),
    pastHistory: part('既往史'),
    allergy: part('过敏史'),
    diagnoses: field('诊断', z.array(diagnosis).check(z.maxLength(10, '最多10个诊断'), z.refine(hasOneMain, ONE_MAIN))),
    advice: part('处理意见'),
    revisitOn: field('复诊日期', z._default(z.nullable(day), null)),
    suggestionIds: field('用药建议', z._default(z.array(id).check(z.maxLength(20, '最多20条用药建议')), [])),
    inspectionIds: field('检查', z._default(z.array(id).check(z.maxLength(20, '最多20份检查')), [])),
  },
  output: visitRecord,
});
export const auditVisitRecord = service.act({
  operation: 'auditVisitRecord',
  label: '处理就诊小结',
  access: access.byAction(
    'action',
    { submit: may['visit.edit'], archive: may['visit.archive'], correct: may['visit.edit'] },
    may['visit.edit'],
  ),
  input: { id, version, action: field('操作', z.enum(['submit', 'archive', 'correct'], '操作不正确')), opinion: z.optional(opinion) },
  output: visitRecord,
});
/** Row by row; a refused one leaves the others. */
export const batchArchiveVisitRecord = service.act({
  operation: 'batchArchiveVisitRecord',
  label: '批量归档就诊小结',
  access: may['visit.archive'],
  input: {
    items: field(
      '就诊记录',
      z.array(z.strictObject({ id, version })).check(z.minLength(1, '请选择记录'), z.maxLength(100, '一次最多100条')),
    ),
  },
  output: z.array(z.strictObject({ id: idOut, ok: z.boolean(), code: textOrNull, message: textOrNull })),
});
export const addQualityCheck = service.act({
  operation: 'addQualityCheck',
  label: '就诊质检',
  access: may['visit.qc'],
  message: '质检已保存',
  input: {
    serverId: field('问诊', id),
    version,
    score: field('质检得分', z.int('请输入质检得分').check(z.minimum(0, '质检得分为0至100'), z.maximum(100, '质检得分为0至100'))),
    tags: field('质检标签', z._default(z.array(text('质检标签', 12, 1)).check(z.maxLength(8, '最多8个标签')), [])),
    note: z.optional(text('质检说明', 500)),
  },
  output: z.strictObject({ serverId: idOut, version: z.int() }),
});
export const exportVisitRecordExcel = exportOf(queryVisitRecordList, {
  operation: 'exportVisitRecordExcel',
  method: 'GET',
  label: '导出就诊记录',
  access: may['visit.export'],
});
/** 就诊小结 as PDF; `chat`: the transcript of the inquiry with a watermark instead. */
export const exportVisitRecordPdf = service.act({
  operation: 'exportVisitRecordPdf',
  label: '打印就诊记录',
  access: may['visit.export'],
  log: 'EXPORT',
  input: { serverId: field('问诊', id), content: field('内容', z._default(z.enum(['record', 'chat'], '内容不正确'), 'record')) },
  output: z.strictObject({ fileId: idOut, url: z.string() }),
});
export const revealVisitField = service.act({
  operation: 'revealVisitField',
  label: '查看问诊敏感信息',
  access: may['inquiry.reveal'],
  log: 'REVEAL',
  input: { serverId: field('问诊', id) },
  output: z.strictObject({
    suffererName: z.string(),
    chiefComplaint: z.string(),
    allergyNote: z.string(),
    records: z.array(z.strictObject({ id: idOut, ...sensitiveText })),
  }),
});

const seq = field('消息编号', z.int('消息序号不正确').check(z.minimum(0, '消息序号不正确')));
const message = z.strictObject({
  seq: z.int(),
  at: z.string(),
  from: z.string(),
  nick: z.string(),
  role: z.nullable(userRoles.schema),
  type: z.string(),
  /** What can be read of it: the text, the name of a file, the digest of a card; empty when it was recalled. */
  text: z.string(),
  fileId: z.nullable(idOut),
  second: intOrNull,
  auto: z.boolean(),
  isRevoked: z.boolean(),
  revokeReason: textOrNull,
  hasOriginal: z.boolean(),
});
export type VisitMessage = z.output<typeof message>;
/** 聊天记录: messages of the conversation that belong to this inquiry, oldest first. */
export const queryVisitMessages = service.read({
  operation: 'queryVisitMessages',
  label: '查看问诊聊天记录',
  access: view,
  input: {
    serverId: field('问诊', id),
    afterSeq: field('消息位置', z.optional(seq)),
    beforeSeq: field('消息位置', z.optional(seq)),
    keyword: z.optional(text('关键词', 30)),
    pageSize: field(
      '每页条数',
      z._default(z.int('每页条数不正确').check(z.minimum(1, '每页条数不正确'), z.maximum(100, '每页最多100条')), 50),
    ),
  },
  output: z.strictObject({ messages: z.array(message), isCompleted: z.boolean() }),
});
/** What stood there before it was recalled or changed; every look is logged. */
export const queryVisitMessageOriginal = service.act({
  operation: 'queryVisitMessageOriginal',
  label: '查看消息原文',
  access: may['message.original'],
  log: 'REVEAL',
  input: { serverId: field('问诊', id), seq },
  output: z.array(z.strictObject({ text: z.string(), fileId: z.nullable(idOut), byName: z.string(), at: z.string(), reason: textOrNull })),
});
