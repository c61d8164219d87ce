import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { flag, id, idOut, instant, instantOut, optionalId, optionalText, several, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { chatFlags, sceneEntries } from '../dictionaries.ts';
import { channelPermissions as may } from '../permissions.ts';
import { sceneCodeStates } from '../states.ts';
import { plainStyle, style } from './codeFields.ts';
import { added, moveFields } from './shared.ts';

const service = declareService('SceneCodeService');

const filters = {
  sceneCodeNo: z.optional(text('场景码编号', 20)),
  sceneId: field('场景', z.optional(id)),
  sceneName: z.optional(text('场景', 40)),
  diseaseName: z.optional(text('病种', 40)),
  hospitalName: z.optional(text('医院', 40)),
  channelId: field('渠道', z.optional(id)),
  doctorId: field('医生', z.optional(id)),
  agentId: field('代表', z.optional(id)),
  state: z.optional(several(sceneCodeStates.dictionary.schema)),
  abnormal: field('异常', z.optional(flag)),
  from: field('开始日期', z.optional(instant)),
  to: field('结束日期', z.optional(instant)),
};
const row = z.strictObject({
  id: idOut,
  sceneCodeNo: field('场景码编号', z.string()),
  codeId: idOut,
  token: z.string(),
  link: field('地址', z.string(), { width: 320 }),
  sceneId: idOut,
  sceneName: field('场景', z.string(), { width: 240 }),
  diseaseName: field('病种', z.nullable(z.string())),
  chatFlag: field('会话方式', z.nullable(z.int()), { text: (flag) => (flag === null ? '' : (chatFlags[flag] ?? '')) }),
  channelId: idOut,
  channelName: field('渠道', z.string(), { width: 240 }),
  doctorId: z.nullable(idOut),
  doctorName: field('医生', z.nullable(z.string())),
  hospitalName: field('医院', z.nullable(z.string()), { width: 240 }),
  assistantId: z.nullable(idOut),
  assistantName: field('医助', z.nullable(z.string())),
  entry: field('进入方式', sceneEntries.schema),
  itemId: z.nullable(idOut),
  itemName: z.nullable(z.string()),
  remark: z.string(),
  pv: field('扫码', z.int()),
  registered: field('注册', z.int()),
  firstOrders: field('首单', z.int()),
  state: field('状态', sceneCodeStates.dictionary.schema),
  problems: field('异常', z.array(z.string())),
  version: z.int(),
  createdAt: field('创建时间', instantOut),
  style: z.unknown(),
});
export type SceneCodeRow = z.output<typeof row>;

export const querySceneCodeList = service.list({
  operation: 'querySceneCodeList',
  label: '查询场景码',
  access: may['scene.view'],
  filter: { ...sortedBy('sceneCodeNo', 'createdAt'), ...filters },
  output: row,
});
export const exportSceneCodeList = exportOf(querySceneCodeList, {
  operation: 'exportSceneCodeList',
  label: '导出场景码',
  access: may['scene.export'],
});
const fields = {
  entry: field('进入方式', sceneEntries.schema),
  itemId: field('服务项目', optionalId),
  assistantId: field('医助', optionalId),
  remark: optionalText('备注', 200),
  style: field('样式', z._default(style, plainStyle)),
};
const paid = z.refine<{ entry: string; itemId: string | null }>((value) => value.entry !== 'PAY' || value.itemId !== null, {
  path: ['itemId'],
  message: '请选择服务项目',
});
export const addSceneCode = service.act({
  operation: 'addSceneCode',
  label: '新增场景码',
  access: may['scene.edit'],
  message: '添加成功!',
  input: z
    .strictObject({ sceneId: field('场景', id), channelId: field('渠道', id), doctorId: field('医生', optionalId), ...fields })
    .check(paid),
  output: added,
});
const outcome = z.strictObject({
  channelId: idOut,
  doctorId: z.nullable(idOut),
  result: z.enum(['NEW', 'SAME', 'REFUSED']),
  message: z.string(),
});
export const batchAddSceneCode = service.act({
  operation: 'batchAddSceneCode',
  label: '批量新增场景码',
  access: may['scene.edit'],
  input: z
    .strictObject({
      sceneId: field('场景', id),
      channelIds: field('渠道', z.array(id).check(z.minLength(1, '请选择渠道'), z.maxLength(20, '最多20个渠道'))),
      doctorIds: field('医生', z._default(z.array(id).check(z.maxLength(500, '最多500名医生')), [])),
      dryRun: field('仅预览', z._default(flag, false)),
      ...fields,
    })
    .check(paid),
  output: z.strictObject({ added: z.int(), same: z.int(), refused: z.int(), pairs: z.array(outcome) }),
});
export const modifySceneCode = service.act({
  operation: 'modifySceneCode',
  label: '修改场景码',
  access: may['scene.edit'],
  input: z.strictObject({ id, version, ...fields }).check(paid),
  output: actionAnswer,
});
export const changeSceneCodeState = service.act({
  operation: 'changeSceneCodeState',
  label: '停用、启用、作废场景码',
  access: may['scene.edit'],
  input: { ...moveFields, action: field('操作', z.enum(['disable', 'enable', 'void'], '操作不正确')) },
  output: actionAnswer,
});
export const downloadSceneCode = service.file({
  operation: 'downloadSceneCode',
  label: '下载场景码',
  access: may['scene.view'],
  input: {
    ids: field('场景码', several(id, 500)),
    format: field('图片格式', z._default(z.enum(['PNG', 'SVG', 'PDF'], '格式不正确'), 'PNG')),
  },
  output: z.strictObject({ count: z.int() }),
});
export const previewSceneCode = service.read({
  operation: 'previewSceneCode',
  label: '预览场景码',
  access: may['scene.view'],
  input: { id },
  output: z.strictObject({ dataUrl: z.string(), link: z.string(), contrast: z.number() }),
});
