import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { id, idOut, instant, opinion, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { frequencies } from '#domains/patient/contract/dictionaries.ts';
import { closeReasons, ratingTags, serviceTypes, userRoles } from '../dictionaries.ts';
import { diagnosis } from './diagnosis.ts';
import { groupId, inquiryFacts, serverStatus } from './shared.ts';
import { beatFields, roomEntry, roomId } from './rooms.ts';

const wx = declareService('WxConsultService', 'gateway');
const participant = access.participant;
const group = z.strictObject({
  groupId: z.string(),
  groupName: z.string(),
  userRole: userRoles.schema,
  doctorName: z.nullable(z.string()),
  titleName: z.nullable(z.string()),
  hospitalName: z.nullable(z.string()),
  deskName: z.nullable(z.string()),
  patientName: z.string(),
  serverId: z.nullable(idOut),
  serverStatus: z.nullable(serverStatus),
  serviceType: z.nullable(serviceTypes.schema),
  lastMessageAt: z.nullable(z.string()),
});
/** `check`: last four digits of the mobile on file; demonstration links skip it. */
export const exchangeTicket = wx.act({
  operation: 'exchangeTicket',
  label: '进入在线问诊',
  access: access.public,
  ratePerMinute: 10,
  secrets: ['ticket', 'check'],
  secretOutput: true,
  input: {
    ticket: text('链接', 100, 1),
    check: field('手机号后四位', z.optional(z.string().check(z.regex(/^\d{4}$/, '请输入手机号后四位')))),
  },
  output: z.strictObject({
    participantToken: z.string(),
    userID: z.string(),
    userSig: z.string(),
    sdkAppID: z.int(),
    expiresAt: z.string(),
    nick: z.string(),
    userRole: userRoles.schema,
    runtime: z.strictObject({ mode: z.enum(['EMBEDDED', 'TENCENT']), socketPath: z.string(), recallSec: z.int() }),
    groups: z.array(group),
  }),
});
/** Whether a link asks for the check, before anything is typed. */
export const queryTicket = wx.read({
  operation: 'queryTicket',
  label: '查看参与链接',
  access: access.public,
  ratePerMinute: 60,
  input: { ticket: text('链接', 100, 1) },
  output: z.strictObject({ checkNeeded: z.boolean(), hint: z.string() }),
});
/** A new sign for the chat, as long as the session lasts. */
export const queryMySign = wx.read({
  operation: 'queryMySign',
  label: '续签会话',
  access: participant,
  input: {},
  output: z.strictObject({ userID: z.string(), userSig: z.string(), sdkAppID: z.int() }),
});
export const queryMyGroups = wx.read({
  operation: 'queryMyGroups',
  label: '我的会话',
  access: participant,
  input: {},
  output: z.array(group),
});
export const queryMyInquiry = wx.read({
  operation: 'queryMyInquiry',
  label: '我的问诊',
  access: participant,
  input: { groupId },
  output: z.strictObject({
    ...inquiryFacts,
    rated: z.boolean(),
    payUrl: z.nullable(z.string()),
    patient: z.nullable(
      z.strictObject({
        patientId: idOut,
        name: z.string(),
        gender: z.nullable(z.int()),
        age: z.nullable(z.int()),
        allergy: z.nullable(z.string()),
      }),
    ),
    record: z.nullable(
      z.strictObject({
        id: idOut,
        version: z.int(),
        state: z.string(),
        chiefComplaint: z.string(),
        presentIllness: z.string(),
        diagnoses: z.array(diagnosis),
        advice: z.string(),
        revisitOn: z.nullable(z.string()),
      }),
    ),
  }),
});
export const myActions = ['accept', 'refuse', 'requestEnd', 'end', 'continue', 'confirmEnd', 'cancel'] as const;
export const auditMyInquiry = wx.act({
  operation: 'auditMyInquiry',
  label: '处理我的问诊',
  access: participant,
  input: {
    serverId: field('问诊', id),
    version,
    action: field('操作', z.enum(myActions, '操作不正确')),
    reasonCode: field('原因', z.optional(z.enum(closeReasons.codes, '请选择原因'))),
    opinion: z.optional(opinion),
  },
  output: z.strictObject({ serverId: idOut, serverStatus, version: z.int() }),
});
export const rateInquiry = wx.act({
  operation: 'rateInquiry',
  label: '评价问诊',
  access: participant,
  secrets: ['text'],
  input: {
    serverId: field('问诊', id),
    stars: field('星级', z.int('请选择星级').check(z.minimum(1, '请选择星级'), z.maximum(5, '星级不正确'))),
    tags: field(
      '评价标签',
      z._default(z.array(z.enum(ratingTags.codes, '评价标签不正确')).check(z.maxLength(ratingTags.codes.length, '评价标签不正确')), []),
    ),
    text: z.optional(text('评价', 300)),
  },
  output: z.strictObject({ serverId: idOut }),
});
/** Medicines on sale, from which a doctor chooses; at least one character of the name or its initials. */
export const queryMyMedicines = wx.read({
  operation: 'queryMedicines',
  label: '查询药品',
  access: participant,
  input: { groupId, keyword: text('药品名称', 30, 1) },
  output: z.array(z.strictObject({ medicineId: idOut, name: z.string(), spec: z.string(), isRx: z.boolean(), unit: z.string() })),
});
/** Name, package and whether it is on prescription are the catalogue's; the doctor says how it is taken. */
const medicine = z.strictObject({
  medicineId: field('药品', id),
  dose: text('每次用量', 30, 1),
  frequency: field('频次', z.enum(frequencies.codes, '请选择频次')),
  route: text('用法', 20, 1),
  days: field('天数', z.int('请输入天数').check(z.minimum(1, '天数为1至90'), z.maximum(90, '天数为1至90'))),
  quantity: field('数量', z.int('请输入数量').check(z.minimum(1, '数量须大于0'), z.maximum(999, '数量过大'))),
});
const suggested = z.strictObject({
  medicineId: idOut,
  medicineName: z.string(),
  spec: z.string(),
  dose: z.string(),
  frequency: z.string(),
  route: z.string(),
  days: z.int(),
  quantity: z.int(),
  unit: z.string(),
});
export const addMySuggestion = wx.act({
  operation: 'addSuggestion',
  label: '开具用药建议',
  access: participant,
  secrets: ['medicines', 'note'],
  input: {
    groupId,
    medicines: field('药品', z.array(medicine).check(z.minLength(1, '请添加药品'), z.maxLength(10, '最多10种药品'))),
    note: z.optional(text('备注', 200)),
    confirmed: field('确认', z._default(z.boolean(), false)),
  },
  output: z.strictObject({ suggestNo: z.string(), doctorName: z.string(), medicines: z.array(suggested) }),
});
/** 重新咨询: the service of the group's last inquiry once more, bought by the patient himself; one that is not paid yet is answered again. */
export const addMyInquiry = wx.act({
  operation: 'addInquiry',
  label: '重新咨询',
  access: participant,
  secrets: ['chiefComplaint'],
  ratePerMinute: 6,
  input: { groupId, chiefComplaint: text('主诉', 1000, 5) },
  output: z.strictObject({ serverId: idOut, orderNo: z.string(), payUrl: z.nullable(z.string()) }),
});
/** 换医生: after the inquiry is over the patient is received at the guidance desk; the link opens the conversation there. */
export const changeMyDoctor = wx.act({
  operation: 'changeDoctor',
  label: '换医生',
  access: participant,
  ratePerMinute: 6,
  secretOutput: true,
  input: { groupId },
  output: z.strictObject({ groupId: z.string(), url: z.string() }),
});
export const confirmVisitRecord = wx.act({
  operation: 'confirmVisitRecord',
  label: '确认就诊小结',
  access: participant,
  input: { id, version, action: field('操作', z.enum(['confirm', 'back'], '操作不正确')), opinion: z.optional(opinion) },
  output: z.strictObject({ id: idOut, state: z.string(), version: z.int() }),
});
export const uploadInspection = wx.act({
  operation: 'uploadInspection',
  label: '上传检查资料',
  access: participant,
  input: {
    groupId,
    requestId: z.optional(text('请求编号', 40)),
    kind: field('检查类型', z.enum(['LAB', 'IMAGE', 'PATHOLOGY', 'GENE', 'OTHER'], '请选择检查类型')),
    itemName: text('检查项目', 60, 1),
    inspectionTime: field('检查时间', instant),
    fileIds: field('检查资料', z.array(id).check(z.minLength(1, '请上传检查资料'), z.maxLength(9, '最多9个文件'))),
  },
  output: z.strictObject({ inspectionId: idOut }),
});
/** A signed place to put one file: of the chat, or of a report that is handed in. */
export const presignMyFile = wx.act({
  operation: 'presignFile',
  label: '上传会话文件',
  access: participant,
  input: {
    groupId,
    use: field('用途', z._default(z.enum(['CHAT', 'REPORT'], '用途不正确'), 'CHAT')),
    fileName: text('文件名', 200, 1),
    contentType: text('文件类型', 100),
    size: field('文件大小', z.int('文件大小不正确').check(z.minimum(1, '文件为空'))),
    sha256: field('文件摘要', z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, '文件摘要不正确')))),
  },
  output: z.strictObject({
    fileId: idOut,
    headers: z.record(z.string(), z.string()),
    parts: z.array(z.strictObject({ no: z.int(), size: z.int(), url: z.string() })),
  }),
});
/** Ends an upload; asked again while the file is still inspected. A file of the chat then belongs to the group. */
export const completeMyFile = wx.act({
  operation: 'completeFile',
  label: '完成会话文件上传',
  access: participant,
  input: { groupId, use: field('用途', z._default(z.enum(['CHAT', 'REPORT'], '用途不正确'), 'CHAT')), fileId: field('文件', id) },
  output: z.strictObject({ fileId: idOut, state: z.string() }),
});
/** Address of a file that a message or the inquiry shows, for ten minutes; a recalled message shows none. */
export const queryMyFileUrl = wx.read({
  operation: 'queryFileUrl',
  label: '查看会话文件',
  access: participant,
  input: {
    groupId,
    seq: field('消息编号', z.optional(z.int('消息编号不正确'))),
    fileId: field('文件', id),
    use: field('用途', z._default(z.enum(['THUMB', 'PREVIEW', 'DOWNLOAD'], '用途不正确'), 'PREVIEW')),
  },
  output: z.strictObject({ url: z.string(), fileName: z.string() }),
});
export const openMyVideo = wx.act({
  operation: 'openVideoRoom',
  label: '发起视频通话',
  access: participant,
  secretOutput: true,
  input: { groupId },
  output: roomEntry,
});
export const joinMyVideo = wx.act({
  operation: 'joinVideoRoom',
  label: '加入视频通话',
  access: participant,
  secretOutput: true,
  input: { roomId },
  output: roomEntry,
});
export const beatMyVideo = wx.act({
  operation: 'beatVideoRoom',
  label: '保持视频通话',
  access: participant,
  input: beatFields,
  output: z.strictObject({ state: z.string(), videoSecLeft: z.nullable(z.int()) }),
});
export const endMyVideo = wx.act({
  operation: 'endVideoRoom',
  label: '离开视频通话',
  access: participant,
  input: { roomId },
  output: z.strictObject({ state: z.string(), talkSec: z.int() }),
});
