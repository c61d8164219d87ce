import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { flag, id, idOut, paging, text, version } from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { field } from '#kernel/contract/field.ts';
import { cannedScopes, riskLevels } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupId, host } from './shared.ts';

const service = 'CannedReplyService';
const send = access.permission(may['chat.send']);

/** Code of the table of public replies that can be imported. */
export const CANNED_IMPORTER = 'consultation.cannedReply';

/** What a reply may name in `{{…}}`. */
export const cannedVariables = ['患者姓名', '患者称呼', '医生姓名', '医助姓名', '医院', '科室', '剩余时间', '当前日期'] as const;

const row = z.strictObject({
  id: idOut,
  scope: cannedScopes.schema,
  category: z.string(),
  shortcut: z.string(),
  title: z.string(),
  titlePinyin: z.string(),
  content: z.string(),
  attachments: z.array(z.strictObject({ fileId: idOut, fileName: z.string(), detectedType: z.nullable(z.string()) })),
  useCount: z.int(),
  enabled: z.boolean(),
  version: z.int(),
  canEdit: z.boolean(),
});
export type CannedRow = z.output<typeof row>;
/** The public ones and one's own. */
export const queryCannedReplyList = call({
  host,
  service,
  operation: 'queryCannedReplyList',
  kind: 'query',
  shape: 'list',
  label: '查询快捷回复',
  access: send,
  input: z.strictObject({
    ...paging,
    keyword: z.optional(text('关键词', 30)),
    scope: field('范围', z.optional(cannedScopes.schema)),
    category: z.optional(text('分类', 12)),
    enabled: field('是否启用', z.optional(flag)),
  }),
  output: row,
});
const fields = {
  category: text('分类', 12, 1),
  shortcut: field('指令', z.string('请输入指令').check(z.trim(), z.regex(/^[a-z0-9一-龥]{1,20}$/, '指令为1至20位小写字母、数字或汉字'))),
  title: text('标题', 30, 1),
  content: text('内容', 1000, 1),
  attachmentFileIds: field('附件', z._default(z.array(id).check(z.maxLength(3, '最多3个附件')), [])),
};
const saved = z.strictObject({ id: idOut, version: z.int() });
/** A public one needs the right to manage them; the handler judges it. */
export const addCannedReply = call({
  host,
  service,
  operation: 'addCannedReply',
  kind: 'command',
  shape: 'data',
  label: '新增快捷回复',
  message: '添加成功!',
  access: send,
  input: z.strictObject({ scope: field('范围', z.enum(cannedScopes.codes, '请选择范围')), ...fields }),
  output: saved,
});
export const modifyCannedReply = call({
  host,
  service,
  operation: 'modifyCannedReply',
  kind: 'command',
  shape: 'data',
  label: '修改快捷回复',
  access: send,
  input: z.strictObject({ id, version, enabled: field('是否启用', z._default(z.boolean(), true)), ...fields }),
  output: saved,
});
export const delCannedReply = call({
  host,
  service,
  operation: 'delCannedReply',
  kind: 'command',
  shape: 'data',
  label: '删除快捷回复',
  access: send,
  input: z.strictObject({ id, version }),
  output: z.strictObject({ id: idOut }),
});
export const importCannedReply = call({
  host,
  service,
  operation: 'importCannedReply',
  kind: 'command',
  shape: 'data',
  label: '导入快捷回复',
  log: 'IMPORT',
  access: access.permission(may['canned.manage']),
  input: z.strictObject(importFields),
  output: importStarted,
});
/** The text with its variables filled; those that have no value here are named in `unresolved`. */
export const renderCannedReply = call({
  host,
  service,
  operation: 'renderCannedReply',
  kind: 'query',
  shape: 'data',
  label: '填充快捷回复',
  access: send,
  input: z.strictObject({
    id,
    groupId: z.optional(groupId),
    conversationID: field('会话', z.optional(z.string().check(z.maxLength(40)))),
  }),
  output: z.strictObject({ text: z.string(), unresolved: z.array(z.string()) }),
});
/** Said when a reply is sent: often used ones stand first. */
export const useCannedReply = call({
  host,
  service,
  operation: 'useCannedReply',
  kind: 'command',
  shape: 'data',
  label: '使用快捷回复',
  access: send,
  input: z.strictObject({ id }),
  output: z.strictObject({ id: idOut }),
});

const word = z.strictObject({ id: idOut, word: z.string(), level: riskLevels.schema, createdAt: z.string() });
const words = 'RiskWordService';
const supervise = access.permission(may['chat.supervise']);
export const queryRiskWordList = call({
  host,
  service: words,
  operation: 'queryRiskWordList',
  kind: 'query',
  shape: 'list',
  label: '查询敏感词',
  access: supervise,
  input: z.strictObject({ ...paging, word: z.optional(text('敏感词', 30)), level: field('级别', z.optional(riskLevels.schema)) }),
  output: word,
});
export const addRiskWord = call({
  host,
  service: words,
  operation: 'addRiskWord',
  kind: 'command',
  shape: 'data',
  label: '新增敏感词',
  message: '添加成功!',
  access: supervise,
  input: z.strictObject({ word: text('敏感词', 30, 1), level: field('级别', z.enum(riskLevels.codes, '请选择级别')) }),
  output: z.strictObject({ id: idOut }),
});
export const delRiskWord = call({
  host,
  service: words,
  operation: 'delRiskWord',
  kind: 'command',
  shape: 'data',
  label: '删除敏感词',
  access: supervise,
  input: z.strictObject({ id }),
  output: z.strictObject({ id: idOut }),
});
