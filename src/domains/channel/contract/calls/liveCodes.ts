import * as z from 'zod/mini';
import { access, call } from '../../../../kernel/contract/call.ts';
import { exportFields, exportQueued } from '../../../../kernel/contract/exporting.ts';
import { flag, id, idOut, instant, paging, several, text, version } from '../../../../kernel/contract/fields.ts';
import { contactStatuses, strategies, transferReasons, transferStates, welcomeStates } from '../dictionaries.ts';
import { channelPermissions as may } from '../permissions.ts';
import { liveCodeStates } from '../states.ts';
import { added, moved, moveFields } from './shared.ts';

const service = 'WeChatWorkService';
const host = 'admin';

const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, '时间格式应为HH:mm'));
/** Weekday 1 (Monday) to 7; `from` is inside, `to` is not. */
export const span = z
  .strictObject({ weekday: z.int().check(z.minimum(1, '星期不正确'), z.maximum(7, '星期不正确')), from: time, to: time })
  .check(z.refine((value) => value.from < value.to, { path: ['to'], message: '结束时间须晚于开始时间' }));
export type Span = z.output<typeof span>;
/** A picture and a document name a file; a mini program names the one that is its cover. */
const attachment = z
  .strictObject({
    type: z.enum(['image', 'link', 'mini', 'file'], '附件类型不正确'),
    title: text('标题', 60, 1),
    url: z._default(z.nullable(z.string().check(z.maxLength(500, '地址过长'))), null),
    fileId: z._default(z.nullable(id), null),
    appId: z._default(z.nullable(z.string().check(z.regex(/^wx[0-9a-f]{16}$/, 'AppID格式不正确'))), null),
    path: z._default(z.nullable(z.string().check(z.regex(/^[\w/.-]{1,200}$/, '小程序路径不正确'))), null),
  })
  .check(
    z.refine((value) => value.type !== 'link' || /^https:\/\/[^\s/]+(\/\S*)?$/.test(value.url ?? ''), {
      path: ['url'],
      message: '请输入https开头的链接地址',
    }),
    z.refine((value) => value.type === 'link' || value.fileId !== null, { path: ['fileId'], message: '请上传附件的文件' }),
    z.refine((value) => value.type !== 'mini' || (value.appId !== null && value.path !== null), {
      path: ['appId'],
      message: '请输入小程序的AppID和路径',
    }),
  );
export type Attachment = z.output<typeof attachment>;
// The rules of length have codes of their own, so the schema takes more.
export const welcome = z.strictObject({
  text: z._default(z.string().check(z.maxLength(5_000, '欢迎语过长')), ''),
  attachments: z._default(z.array(attachment).check(z.maxLength(50, '附件过多')), []),
});
export type Welcome = z.output<typeof welcome>;
const member = z.strictObject({
  memberId: id,
  weight: z._default(z.int('权重须为整数').check(z.minimum(1, '权重为1至100'), z.maximum(100, '权重为1至100')), 1),
  dailyLimit: z._default(z.int('上限须为整数').check(z.minimum(0, '上限为0至1000'), z.maximum(1000, '上限为0至1000')), 0),
  spans: z._default(z.array(span).check(z.maxLength(50, '时段过多')), []),
  isBackup: z._default(z.boolean(), false),
});
export type LiveMemberInput = z.output<typeof member>;
const members = z.array(member).check(z.maxLength(500, '成员过多'));

const filters = {
  liveCodeNo: z.optional(text('编号', 20)),
  name: z.optional(text('名称', 40)),
  corpRowId: z.optional(id),
  channelId: z.optional(id),
  memberId: z.optional(id),
  state: z.optional(several(liveCodeStates.dictionary.schema)),
};
const liveMember = z.strictObject({
  id: idOut,
  memberId: idOut,
  name: z.string(),
  status: z.int(),
  canContact: z.boolean(),
  weight: z.int(),
  dailyLimit: z.int(),
  spans: z.array(z.unknown()),
  isBackup: z.boolean(),
  wayState: z.string(),
  wayError: z.nullable(z.string()),
  shown: z.int(),
  added: z.int(),
  availableNow: z.boolean(),
});
const row = z.strictObject({
  id: idOut,
  liveCodeNo: z.string(),
  codeId: idOut,
  token: z.string(),
  link: z.string(),
  corpRowId: idOut,
  corpName: z.string(),
  channelId: idOut,
  channelName: z.string(),
  name: z.string(),
  strategy: strategies.schema,
  skipVerify: z.boolean(),
  welcome: z.unknown(),
  offHoursText: z.string(),
  tagIds: z.array(idOut),
  tags: z.array(z.string()),
  state: liveCodeStates.dictionary.schema,
  version: z.int(),
  pv: z.int(),
  createdAt: z.string(),
  members: z.array(liveMember),
  availableNow: z.boolean(),
  problem: z.nullable(z.string()),
});
export type LiveCodeRow = z.output<typeof row>;
export const queryLiveCodeList = call({
  host,
  service,
  operation: 'queryLiveCodeList',
  kind: 'query',
  shape: 'list',
  label: '查询活码',
  access: access.permission(may['liveCode.view']),
  input: z.strictObject({ ...paging, ...filters }),
  output: row,
});
const edit = access.permission(may['liveCode.edit']);
const fields = {
  name: text('名称', 40, 1),
  strategy: z.enum(strategies.codes, '请选择分配策略'),
  skipVerify: z._default(z.boolean(), true),
  welcome: z._default(welcome, { text: '', attachments: [] }),
  offHoursText: z._default(text('非服务时间提示', 200), ''),
  tagIds: z._default(z.array(id).check(z.maxLength(20, '最多20个标签')), []),
};
export const addLiveCode = call({
  host,
  service,
  operation: 'addLiveCode',
  kind: 'command',
  shape: 'data',
  label: '新增活码',
  message: '添加成功!',
  access: edit,
  input: z.strictObject({ corpRowId: id, channelId: id, ...fields, members }),
  output: added,
});
export const modifyLiveCode = call({
  host,
  service,
  operation: 'modifyLiveCode',
  kind: 'command',
  shape: 'data',
  label: '修改活码',
  access: edit,
  input: z.strictObject({ id, version, ...fields }),
  output: moved,
});
export const saveLiveCodeMembers = call({
  host,
  service,
  operation: 'saveLiveCodeMembers',
  kind: 'command',
  shape: 'data',
  label: '修改活码成员',
  access: edit,
  input: z.strictObject({ id, version, members }),
  output: moved,
});
export const changeLiveCodeState = call({
  host,
  service,
  operation: 'changeLiveCodeState',
  kind: 'command',
  shape: 'data',
  label: '暂停、恢复、删除活码',
  access: edit,
  input: z.strictObject({ ...moveFields, action: z.enum(['pause', 'resume', 'delete'], '操作不正确') }),
  output: moved,
});
export const retryContactWay = call({
  host,
  service,
  operation: 'retryContactWay',
  kind: 'command',
  shape: 'data',
  label: '重试创建联系我',
  access: edit,
  input: z.strictObject({ id }),
  output: z.strictObject({ id: idOut }),
});
export const previewWelcome = call({
  host,
  service,
  operation: 'previewWelcome',
  kind: 'query',
  shape: 'data',
  label: '预览欢迎语',
  access: access.permission(may['liveCode.view']),
  input: z.strictObject({ welcome, channelId: id }),
  output: z.strictObject({ text: z.string(), length: z.int() }),
});
export const exportLiveCodeList = call({
  host,
  service,
  operation: 'exportLiveCodeList',
  kind: 'command',
  shape: 'file',
  log: 'EXPORT',
  label: '导出活码',
  access: access.permission(may['liveCode.export']),
  input: z.strictObject({ ...filters, ...exportFields }),
  output: exportQueued,
});

const contactFilters = {
  memberId: z.optional(id),
  liveCodeId: z.optional(id),
  addedFrom: z.optional(instant),
  addedTo: z.optional(instant),
  status: z.optional(several(contactStatuses.schema)),
  bound: z.optional(flag),
};
const contactRow = z.strictObject({
  id: idOut,
  nickName: z.string(),
  memberId: idOut,
  memberName: z.string(),
  corpName: z.string(),
  liveCodeName: z.nullable(z.string()),
  channelName: z.nullable(z.string()),
  addedAt: z.string(),
  remark: z.string(),
  tags: z.array(z.string()),
  patientId: z.nullable(idOut),
  status: contactStatuses.schema,
  welcomeState: z.nullable(welcomeStates.schema),
  touchStopped: z.boolean(),
});
export type ContactRow = z.output<typeof contactRow>;
export const queryContactList = call({
  host,
  service,
  operation: 'queryContactList',
  kind: 'query',
  shape: 'list',
  label: '查询企业微信客户',
  access: access.permission(may['contact.view']),
  input: z.strictObject({ ...paging, ...contactFilters }),
  output: contactRow,
});
export const revealContactName = call({
  host,
  service,
  operation: 'revealContactName',
  kind: 'command',
  shape: 'data',
  log: 'REVEAL',
  label: '查看客户昵称',
  access: access.permission(may['sensitive.reveal']),
  input: z.strictObject({ id }),
  output: z.strictObject({ nickName: z.string() }),
});
export const addContactTransfer = call({
  host,
  service,
  operation: 'addContactTransfer',
  kind: 'command',
  shape: 'data',
  label: '转接客户',
  access: access.permission(may['contact.transfer']),
  input: z.strictObject({
    contactIds: z.array(id).check(z.minLength(1, '请选择客户'), z.maxLength(100, '单次最多转接100名客户')),
    toMemberId: id,
    reason: transferReasons.schema,
  }),
  output: z.strictObject({
    transferNos: z.array(z.string()),
    count: z.int(),
    results: z.array(z.strictObject({ contactId: idOut, nickName: z.string(), state: transferStates.schema })),
  }),
});
const transferRow = z.strictObject({
  id: idOut,
  transferNo: z.string(),
  fromName: z.string(),
  toName: z.string(),
  reason: transferReasons.schema,
  counts: z.array(z.strictObject({ state: transferStates.schema, n: z.int() })),
  createdAt: z.string(),
  createdName: z.nullable(z.string()),
});
export type TransferRow = z.output<typeof transferRow>;
export const queryContactTransferList = call({
  host,
  service,
  operation: 'queryContactTransferList',
  kind: 'query',
  shape: 'list',
  label: '查询客户转接',
  access: access.permission(may['contact.view']),
  input: z.strictObject(paging),
  output: transferRow,
});
export const exportContactTransferList = call({
  host,
  service,
  operation: 'exportContactTransferList',
  kind: 'command',
  shape: 'file',
  log: 'EXPORT',
  label: '导出客户转接',
  access: access.permission(may['contact.export']),
  input: z.strictObject(exportFields),
  output: exportQueued,
});
export const exportContactList = call({
  host,
  service,
  operation: 'exportContactList',
  kind: 'command',
  shape: 'file',
  log: 'EXPORT',
  label: '导出企业微信客户',
  access: access.permission(may['contact.export']),
  input: z.strictObject({ ...contactFilters, ...exportFields }),
  output: exportQueued,
});
