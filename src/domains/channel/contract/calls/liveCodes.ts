import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { between, ordered, coded } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { flag, id, idOut, instant, instantOut, several, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { contactStatuses, strategies, transferReasons, transferStates, welcomeStates } from '../dictionaries.ts';
import { channelErrors } from '../errors.ts';
import { channelPermissions as may } from '../permissions.ts';
import { liveCodeStates } from '../states.ts';
import { added, moveFields } from './shared.ts';

const service = declareService('WeChatWorkService');

const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, '时间格式应为HH:mm'));
/** Weekday 1 (Monday) to 7; `from` is inside, `to` is not. */
const span = z
  .strictObject({
    weekday: field('星期', z.int().check(z.minimum(1, '星期不正确'), z.maximum(7, '星期不正确'))),
    from: field('时段开始', time),
    to: field('时段结束', time),
  })
  .check(ordered('from', 'to', '结束时间须晚于开始时间', { apart: true }));
export type Span = z.output<typeof span>;
/** A picture and a document name a file; a mini program names the one that is its cover. */
export const attachment = z
  .strictObject({
    type: field('附件类型', z.enum(['image', 'link', 'mini', 'file'], '附件类型不正确')),
    title: text('标题', 60, 1),
    url: field(
      '链接地址',
      z._default(
        z.nullable(z.string().check(z.maxLength(500, '地址过长'), z.regex(/^https:\/\/[^\s/]+(\/\S*)?$/, '请输入https开头的链接地址'))),
        null,
      ),
    ),
    fileId: field('附件文件', z._default(z.nullable(id), null)),
    appId: field(
      '小程序AppID',
      z._default(
        z.nullable(z.string().check(z.maxLength(18, 'AppID为18位'), z.regex(/^wx[0-9a-f]{16}$/, 'AppID为wx加16位数字或小写字母'))),
        null,
      ),
    ),
    path: field(
      '小程序页面路径',
      z._default(
        z.nullable(z.string().check(z.maxLength(200, '页面路径最多200个字符'), z.regex(/^[\w/.-]{1,200}$/, '请输入小程序页面路径'))),
        null,
      ),
    ),
  })
  .check(
    between(['type', 'url'], ({ type, url }) => type !== 'link' || url !== null, '请输入https开头的链接地址'),
    between(['type', 'fileId'], ({ type, fileId }) => type === 'link' || fileId !== null, '请上传附件的文件'),
    between(
      ['type', 'path', 'appId'],
      ({ type, path, appId }) => type !== 'mini' || (appId !== null && path !== null),
      '请输入小程序的AppID和路径',
    ),
  );
export type Attachment = z.output<typeof attachment>;
export const MOST_WELCOME = 600;
const MOST_ATTACHMENTS = 9;
const MOST_MEMBERS = 100;
export const welcome = field(
  '欢迎语',
  z.strictObject({
    text: field(
      '欢迎语',
      z._default(
        z.string().check(
          z.maxLength(5_000, '欢迎语过长'),
          coded(channelErrors.WELCOME_TOO_LONG, (text) => [...text].length <= MOST_WELCOME),
        ),
        '',
      ),
    ),
    attachments: field(
      '附件',
      z._default(
        z.array(attachment).check(
          z.maxLength(50, '附件过多'),
          coded(channelErrors.TOO_MANY_ATTACHMENTS, (all) => all.length <= MOST_ATTACHMENTS),
        ),
        [],
      ),
    ),
  }),
);
export type Welcome = z.output<typeof welcome>;
export const memberInput = z.strictObject({
  memberId: field('成员', id),
  weight: field('权重', z._default(z.int('权重须为整数').check(z.minimum(1, '权重为1至100'), z.maximum(100, '权重为1至100')), 1)),
  dailyLimit: field(
    '每日上限',
    z._default(z.int('上限须为整数').check(z.minimum(0, '上限为0至1000'), z.maximum(1000, '上限为0至1000')), 0),
  ),
  spans: field('服务时段', z._default(z.array(span).check(z.maxLength(50, '时段过多')), [])),
  isBackup: field('备用成员', z._default(z.boolean(), false)),
});
export type LiveMemberInput = z.output<typeof memberInput>;
const members = field(
  '成员',
  z.array(memberInput).check(
    z.maxLength(500, '成员过多'),
    coded(channelErrors.TOO_MANY_MEMBERS, (all) => all.length <= MOST_MEMBERS),
    coded(channelErrors.NO_MEMBER, (all) => all.length > 0),
  ),
);

const filters = {
  liveCodeNo: z.optional(text('活码编号', 20)),
  name: z.optional(text('名称', 40)),
  corpRowId: field('企业', z.optional(id)),
  channelId: field('渠道', z.optional(id)),
  memberId: field('成员', z.optional(id)),
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
  liveCodeNo: field('活码编号', z.string()),
  codeId: idOut,
  token: z.string(),
  link: field('地址', z.string(), { width: 320 }),
  corpRowId: idOut,
  corpName: field('企业', z.string()),
  channelId: idOut,
  channelName: field('渠道', z.string(), { width: 240 }),
  name: field('名称', z.string(), { width: 240 }),
  strategy: field('策略', strategies.schema),
  skipVerify: z.boolean(),
  welcome: z.unknown(),
  offHoursText: z.string(),
  tagIds: z.array(idOut),
  tags: field('标签', z.array(z.string())),
  state: field('状态', liveCodeStates.dictionary.schema),
  version: z.int(),
  pv: field('扫码次数', z.int()),
  createdAt: z.string(),
  members: field('成员', z.array(liveMember), {
    width: 320,
    text: (all) => all.map(({ name, isBackup }) => `${name}${isBackup ? '（备用）' : ''}`).join('、'),
  }),
  availableNow: field('现在可接待', z.boolean()),
  problem: field('异常', z.nullable(z.string())),
});
export type LiveCodeRow = z.output<typeof row>;
export const queryLiveCodeList = service.list({
  operation: 'queryLiveCodeList',
  label: '查询活码',
  access: may['liveCode.view'],
  filter: { ...sortedBy('liveCodeNo', 'pv'), ...filters },
  output: row,
});
export const exportLiveCodeList = exportOf(queryLiveCodeList, {
  operation: 'exportLiveCodeList',
  label: '导出活码',
  access: may['liveCode.export'],
});
const edit = may['liveCode.edit'];
const fields = {
  name: text('名称', 40, 1),
  strategy: field('分配策略', z.enum(strategies.codes, '请选择分配策略')),
  skipVerify: field('好友验证', z._default(z.boolean(), true)),
  welcome: field('欢迎语', z._default(welcome, { text: '', attachments: [] })),
  offHoursText: z._default(text('非服务时间提示', 200), ''),
  tagIds: field('标签', z._default(z.array(id).check(z.maxLength(20, '最多20个标签')), [])),
};
export const addLiveCode = service.act({
  operation: 'addLiveCode',
  label: '新增活码',
  access: edit,
  message: '添加成功!',
  input: { corpRowId: field('企业', id), channelId: field('渠道', id), ...fields, members },
  output: added,
});
export const modifyLiveCode = service.act({
  operation: 'modifyLiveCode',
  label: '修改活码',
  access: edit,
  input: { id, version, ...fields },
  output: actionAnswer,
});
export const saveLiveCodeMembers = service.act({
  operation: 'saveLiveCodeMembers',
  label: '修改活码成员',
  access: edit,
  input: { id, version, members },
  output: actionAnswer,
});
export const changeLiveCodeState = service.act({
  operation: 'changeLiveCodeState',
  label: '暂停、恢复、删除活码',
  access: edit,
  input: { ...moveFields, action: field('操作', z.enum(['pause', 'resume', 'delete'], '操作不正确')) },
  output: actionAnswer,
});
export const retryContactWay = service.act({
  operation: 'retryContactWay',
  label: '重试创建联系我',
  access: edit,
  input: { id },
  output: z.strictObject({ id: idOut }),
});
export const previewWelcome = service.read({
  operation: 'previewWelcome',
  label: '预览欢迎语',
  access: may['liveCode.view'],
  input: { welcome, channelId: field('渠道', id) },
  output: z.strictObject({ text: z.string(), length: z.int() }),
});

const contactFilters = {
  memberId: field('成员', z.optional(id)),
  liveCodeId: field('来源活码', z.optional(id)),
  addedFrom: field('添加时间起', z.optional(instant)),
  addedTo: field('添加时间止', z.optional(instant)),
  status: field('状态', z.optional(several(contactStatuses.schema))),
  bound: field('已关联患者', z.optional(flag)),
};
const contactRow = z.strictObject({
  id: idOut,
  nickName: field('昵称', z.string(), { mask: 'name' }),
  memberId: idOut,
  memberName: field('成员', z.string()),
  corpName: field('企业', z.string()),
  liveCodeName: field('来源活码', z.nullable(z.string())),
  channelName: field('渠道', z.nullable(z.string())),
  addedAt: field('添加时间', instantOut),
  remark: z.string(),
  tags: field('标签', z.array(z.string())),
  patientId: field('关联患者', z.nullable(idOut)),
  status: field('状态', contactStatuses.schema),
  welcomeState: field('欢迎语', z.nullable(welcomeStates.schema)),
  touchStopped: field('停止触达', z.boolean()),
});
export type ContactRow = z.output<typeof contactRow>;
export const queryContactList = service.list({
  operation: 'queryContactList',
  label: '查询企业微信客户',
  access: may['contact.view'],
  filter: { ...sortedBy('addedAt'), ...contactFilters },
  output: contactRow,
});
export const exportContactList = exportOf(queryContactList, {
  operation: 'exportContactList',
  label: '导出企业微信客户',
  access: may['contact.export'],
});
export const revealContactName = service.act({
  operation: 'revealContactName',
  label: '查看客户昵称',
  access: may['sensitive.reveal'],
  log: 'REVEAL',
  input: { id },
  output: z.strictObject({ nickName: z.string() }),
});
export const addContactTransfer = service.act({
  operation: 'addContactTransfer',
  label: '转接客户',
  access: may['contact.transfer'],
  input: {
    contactIds: field('客户', z.array(id).check(z.minLength(1, '请选择客户'), z.maxLength(100, '单次最多转接100名客户'))),
    toMemberId: field('接替成员', id),
    reason: field('原因', transferReasons.schema),
  },
  output: z.strictObject({
    transferNos: z.array(z.string()),
    count: z.int(),
    results: z.array(z.strictObject({ contactId: idOut, nickName: z.string(), state: transferStates.schema })),
  }),
});
const transferRow = z.strictObject({
  id: idOut,
  transferNo: field('编号', z.string()),
  fromName: field('原成员', z.string()),
  toName: field('接替成员', z.string()),
  reason: field('原因', transferReasons.schema),
  counts: field('结果', z.array(z.strictObject({ state: transferStates.schema, n: z.int() })), {
    width: 240,
    text: (all) => all.map(({ state, n }) => `${transferStates.label(state)}${n}`).join('，'),
  }),
  createdAt: field('时间', instantOut),
  createdName: field('操作人', z.nullable(z.string())),
});
export type TransferRow = z.output<typeof transferRow>;
export const queryContactTransferList = service.list({
  operation: 'queryContactTransferList',
  label: '查询客户转接',
  access: may['contact.view'],
  filter: { ...sortedBy('transferNo', 'createdAt') },
  output: transferRow,
});
export const exportContactTransferList = exportOf(queryContactTransferList, {
  operation: 'exportContactTransferList',
  label: '导出客户转接',
  access: may['contact.export'],
});
