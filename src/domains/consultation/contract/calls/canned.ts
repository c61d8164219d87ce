import * as z from 'zod/mini';
import { flag, id, idOut, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { cannedScopes, riskLevels } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupId } from './shared.ts';

const service = declareService('CannedReplyService');
const send = may['chat.send'];

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
export const queryCannedReplyList = service.list({
  operation: 'queryCannedReplyList',
  label: '查询快捷回复',
  access: send,
  filter: {
    keyword: z.optional(text('关键词', 30)),
    scope: field('范围', z.optional(cannedScopes.schema)),
    category: z.optional(text('分类', 12)),
    enabled: field('是否启用', z.optional(flag)),
  },
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
export const addCannedReply = service.act({
  operation: 'addCannedReply',
  label: '新增快捷回复',
  access: send,
  message: '添加成功!',
  input: { scope: field('范围', z.enum(cannedScopes.codes, '请选择范围')), ...fields },
  output: saved,
});
export const modifyCannedReply = service.act({
  operation: 'modifyCannedReply',
  label: '修改快捷回复',
  access: send,
  input: { id, version, enabled: field('是否启用', z._default(z.boolean(), true)), ...fields },
  output: saved,
});
export const delCannedReply = service.act({
  operation: 'delCannedReply',
  label: '删除快捷回复',
  access: send,
  input: { id, version },
  output: z.strictObject({ id: idOut }),
});
export const importCannedReply = service.imports({ operation: 'importCannedReply', label: '导入快捷回复', access: may['canned.manage'] });
/** The text with its variables filled; those that have no value here are named in `unresolved`. */
export const renderCannedReply = service.read({
  operation: 'renderCannedReply',
  label: '填充快捷回复',
  access: send,
  input: { id, groupId: z.optional(groupId), conversationID: field('会话', z.optional(z.string().check(z.maxLength(40)))) },
  output: z.strictObject({ text: z.string(), unresolved: z.array(z.string()) }),
});
/** Said when a reply is sent: often used ones stand first. */
export const useCannedReply = service.act({
  operation: 'useCannedReply',
  label: '使用快捷回复',
  access: send,
  input: { id },
  output: z.strictObject({ id: idOut }),
});

const word = z.strictObject({ id: idOut, word: z.string(), level: riskLevels.schema, createdAt: z.string() });
const words = declareService('RiskWordService');
const supervise = may['chat.supervise'];
export const queryRiskWordList = words.list({
  operation: 'queryRiskWordList',
  label: '查询敏感词',
  access: supervise,
  filter: { word: z.optional(text('敏感词', 30)), level: field('级别', z.optional(riskLevels.schema)) },
  output: word,
});
export const addRiskWord = words.act({
  operation: 'addRiskWord',
  label: '新增敏感词',
  access: supervise,
  message: '添加成功!',
  input: { word: text('敏感词', 30, 1), level: field('级别', z.enum(riskLevels.codes, '请选择级别')) },
  output: z.strictObject({ id: idOut }),
});
export const delRiskWord = words.act({
  operation: 'delRiskWord',
  label: '删除敏感词',
  access: supervise,
  input: { id },
  output: z.strictObject({ id: idOut }),
});
