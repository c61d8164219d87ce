import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { day, flag, id, idOut, instant, instantOut, optionalId, several, text, version, int4, wholeText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { batchModes, codeKinds, conversionKinds, scanClients, scanResults, targetTypes } from '../dictionaries.ts';
import { channelPermissions as may } from '../permissions.ts';
import { batchStates, codeStates } from '../states.ts';
import { codeFields, style } from './codeFields.ts';
import { added, moveFields, series } from './shared.ts';

const service = declareService('QrCodeService');
const view = may['code.view'];

const filters = {
  kind: field('类别', z.optional(codeKinds.schema)),
  name: z.optional(text('名称', 40)),
  token: z.optional(text('码值', 10)),
  batchNo: z.optional(wholeText('批次', 20)),
  channelId: field('渠道', z.optional(id)),
  targetType: field('目标', z.optional(several(targetTypes.schema))),
  state: z.optional(several(codeStates.dictionary.schema)),
  scannedFrom: field('扫码时间起', z.optional(instant)),
  scannedTo: field('扫码时间止', z.optional(instant)),
};
const facts = {
  id: idOut,
  token: field('码值', z.string()),
  link: field('地址', z.string(), { width: 320 }),
  kind: field('类别', codeKinds.schema),
  name: field('名称', z.string(), { width: 240 }),
  channelId: idOut,
  channelName: field('渠道', z.string()),
  channelState: z.string(),
  batchId: z.nullable(idOut),
  batchNo: field('批次', z.nullable(z.string())),
  seqInBatch: z.nullable(z.int()),
  target: z.unknown(),
  targetType: field('目标', targetTypes.schema),
  params: z.record(z.string(), z.string()),
  style: z.unknown(),
  validFrom: field('生效时间', z.nullable(instantOut)),
  validTo: field('失效时间', z.nullable(instantOut)),
  scanLimit: z.nullable(z.int()),
  state: field('状态', codeStates.dictionary.schema),
  okCount: z.int(),
  pv: field('扫码次数', z.int()),
  uv: field('扫码人数', z.int()),
  lastScanAt: field('最近扫码', z.nullable(instantOut)),
  version: z.int(),
  createdAt: z.string(),
};
const row = z.strictObject(facts);
export type CodeRow = z.output<typeof row>;

export const queryCommonQrCodeList = service.list({
  operation: 'queryCommonQrCodeList',
  label: '查询二维码',
  access: view,
  filter: filters,
  output: row,
});
export const exportQrCodeList = exportOf(queryCommonQrCodeList, {
  operation: 'exportQrCodeList',
  label: '导出二维码',
  access: may['code.export'],
});
export const queryQrCodeDetail = service.read({
  operation: 'queryQrCodeDetail',
  label: '查看二维码',
  access: view,
  input: { id },
  output: z.strictObject({
    ...facts,
    allowedActions: z.array(z.string()),
    trail,
    history: z.array(z.strictObject({ before: z.unknown(), after: z.unknown(), userName: z.nullable(z.string()), at: z.string() })),
  }),
});
export const addQrCode = service.act({
  operation: 'addQrCode',
  label: '新增二维码',
  access: may['code.edit'],
  message: '添加成功!',
  input: { name: text('名称', 40, 1), ...codeFields },
  output: added,
});
const { channelId: _fixed, ...changeable } = codeFields;
export const modifyQrCode = service.act({
  operation: 'modifyQrCode',
  label: '修改二维码',
  access: may['code.edit'],
  input: { id, version, name: text('名称', 40, 1), ...changeable },
  output: actionAnswer,
});
const codeAction = field('操作', z.enum(['disable', 'enable', 'void', 'delete'], '操作不正确'));
const byAction = access.byAction('action', { void: may['code.void'] }, may['code.edit']);
export const changeQrCodeState = service.act({
  operation: 'changeQrCodeState',
  label: '停用、启用、作废二维码',
  access: byAction,
  input: { ...moveFields, action: codeAction },
  output: actionAnswer,
});
export const batchChangeQrCodeState = service.act({
  operation: 'batchChangeQrCodeState',
  label: '批量停用、启用二维码',
  access: byAction,
  input: {
    ids: field('二维码', z.array(id).check(z.minLength(1, '请选择二维码'), z.maxLength(500, '最多500个二维码'))),
    action: field('操作', z.enum(['disable', 'enable', 'void'], '操作不正确')),
    opinion: z.optional(text('意见', 500)),
  },
  output: z.array(z.strictObject({ id: idOut, ok: z.boolean(), message: z.string() })),
});
export const previewQrCode = service.read({
  operation: 'previewQrCode',
  label: '预览二维码',
  access: view,
  input: {
    id: z.optional(id),
    style: field('样式', z.optional(style)),
    format: field('图片格式', z._default(z.enum(['PNG', 'SVG'], '格式不正确'), 'PNG')),
  },
  output: z.strictObject({ dataUrl: z.string(), link: z.string(), contrast: z.number() }),
});

const batchTemplate = field('二维码模板', z.strictObject(codeFields));
export const addQrBatch = service.act({
  operation: 'addQrBatch',
  label: '批量生成二维码',
  access: may['code.batch'],
  idempotency: 'required',
  input: {
    name: text('批次名称', 40, 1),
    mode: field('生成方式', batchModes.schema),
    quantity: field('数量', z._default(z.nullable(int4('请输入数量')), null)),
    fileId: field('清单', optionalId),
    template: batchTemplate,
    namePattern: field(
      '命名规则',
      z._default(text('命名规则', 40, 1).check(z.regex(/\{序号\d?\}/, '命名规则须包含{序号}')), '{批次}-{序号4}'),
    ),
  },
  output: z.strictObject({ id: idOut, batchNo: z.string(), quantity: z.int(), version: z.int() }),
});
const batchRow = z.strictObject({
  id: idOut,
  batchNo: field('批次号', z.string()),
  name: field('名称', z.string(), { width: 240 }),
  mode: field('方式', batchModes.schema),
  channelId: idOut,
  channelName: field('渠道', z.string(), { width: 240 }),
  quantity: field('数量', z.int()),
  done: field('已生成', z.int()),
  failed: field('失败', z.int()),
  failures: z.array(z.strictObject({ seq: z.int(), message: z.string() })),
  scanned: field('已扫码', z.int()),
  zipExpireAt: field('压缩包保留至', z.nullable(instantOut)),
  hasZip: z.boolean(),
  state: field('状态', batchStates.dictionary.schema),
  failReason: field('失败原因', z.nullable(z.string())),
  version: z.int(),
  createdAt: field('创建时间', instantOut),
  createdName: field('创建人', z.nullable(z.string())),
});
export type BatchRow = z.output<typeof batchRow>;
const batchFilters = {
  id: z.optional(id),
  batchNo: z.optional(text('批次号', 20)),
  name: z.optional(text('名称', 40)),
  channelId: field('渠道', z.optional(id)),
  state: z.optional(several(batchStates.dictionary.schema)),
};
export const queryQrBatchList = service.list({
  operation: 'queryQrBatchList',
  label: '查询二维码批次',
  access: view,
  filter: { ...sortedBy('batchNo', 'quantity', 'done', 'failed', 'createdAt'), ...batchFilters },
  output: batchRow,
});
export const exportQrBatchList = exportOf(queryQrBatchList, {
  operation: 'exportQrBatchList',
  label: '导出二维码批次',
  access: may['code.export'],
});
const batchMove = z.strictObject({ id, version });
export const retryQrBatch = service.act({
  operation: 'retryQrBatch',
  label: '重试批次',
  access: may['code.batch'],
  input: batchMove,
  output: actionAnswer,
});
export const cancelQrBatch = service.act({
  operation: 'cancelQrBatch',
  label: '取消批次',
  access: may['code.batch'],
  input: { id },
  output: actionAnswer,
});
export const voidQrBatch = service.act({
  operation: 'voidQrBatch',
  label: '整批作废',
  access: may['code.void'],
  /** `confirmScanned` repeats the number of codes that were scanned already. */
  input: { ...moveFields, confirmScanned: field('已扫码数确认', z.optional(int4())) },
  output: actionAnswer,
});
export const downloadQrBatch = service.file({
  operation: 'downloadQrBatch',
  label: '下载批次',
  access: view,
  input: { id },
  output: z.strictObject({ state: z.string() }),
});
export const downloadQrCode = service.file({
  operation: 'downloadQrCode',
  label: '下载二维码',
  access: view,
  input: {
    codeIds: field('二维码', several(id, 500)),
    format: field('图片格式', z._default(z.enum(['PNG', 'SVG', 'PDF'], '格式不正确'), 'PNG')),
  },
  output: z.strictObject({ count: z.int() }),
});

const scope = { codeIds: field('二维码', z.optional(several(id, 50))), channelId: field('渠道', z.optional(id)) };
const share = z.array(z.strictObject({ key: z.string(), value: z.int() }));
export const queryScanStat = service.read({
  operation: 'queryScanStat',
  label: '扫码统计',
  access: view,
  input: { ...scope, from: field('开始时间', day), to: field('结束时间', day) },
  output: z.strictObject({
    pv: z.int(),
    uv: z.int(),
    newUv: z.int(),
    registered: z.int(),
    contacts: z.int(),
    orders: z.int(),
    payFen: z.string(),
    days: series,
    byCode: z.array(z.strictObject({ codeId: idOut, name: z.string(), days: series })),
    /** Weekday 1 (Monday) to 7 and hour. */
    hours: z.array(z.strictObject({ weekday: z.int(), hour: z.int(), pv: z.int() })),
    clients: share,
    results: share,
  }),
});
const scanFilters = {
  ...scope,
  token: z.optional(wholeText('码值', 10)),
  from: field('开始时间', z.optional(instant)),
  to: field('结束时间', z.optional(instant)),
  result: field('结果', z.optional(several(scanResults.schema))),
  client: field('客户端', z.optional(several(scanClients.schema))),
};
const scanRow = z.strictObject({
  id: idOut,
  at: field('时间', instantOut),
  token: field('码值', z.string()),
  codeId: z.nullable(idOut),
  codeName: field('名称', z.nullable(z.string())),
  channelName: field('渠道', z.nullable(z.string())),
  client: field('客户端', scanClients.schema),
  os: field('系统', z.string()),
  visitor: field('访客', z.nullable(z.string())),
  isNew: field('新访客', z.boolean()),
  counted: field('计入统计', z.boolean()),
  result: field('结果', scanResults.schema),
  conversions: field('转化', z.array(z.string()), { kind: 'dicts', dictionary: conversionKinds }),
});
export type ScanRow = z.output<typeof scanRow>;
export const queryScanList = service.list({
  operation: 'queryScanList',
  label: '查询扫码明细',
  access: view,
  filter: { ...sortedBy('at'), ...scanFilters },
  output: scanRow,
});
/** GET by the specification. */
export const exportExcel = service.file({
  operation: 'exportExcel',
  label: '导出扫码数据',
  method: 'GET',
  access: may['code.export'],
  log: 'EXPORT',
  input: {
    ...scanFilters,
    type: field('导出类型', z._default(z.enum(['STAT', 'SCAN'], '导出类型不正确'), 'SCAN')),
    ...exportFields,
    page: field('页码', z.optional(z.never())),
  },
  output: exportQueued,
});

const hostRow = z.strictObject({
  id: idOut,
  host: field('域名', z.string()),
  note: field('说明', z.string()),
  enabled: field('启用', z.boolean()),
  codes: field('使用中的码', z.int()),
  version: z.int(),
});
export const queryCodeHostList = service.list({
  operation: 'queryCodeHostList',
  label: '查询域名白名单',
  access: may['code.host'],
  filter: { ...sortedBy('host'), host: z.optional(text('域名', 100)) },
  output: hostRow,
});
export const saveCodeHost = service.act({
  operation: 'saveCodeHost',
  label: '维护域名白名单',
  access: may['code.host'],
  input: {
    id: z.optional(id),
    version: z.optional(version),
    host: field(
      '域名',
      z.string().check(z.trim(), z.toLowerCase(), z.regex(/^[a-z0-9]([a-z0-9.-]{0,98}[a-z0-9])?$/, '域名格式不正确，不含https://与路径')),
    ),
    note: z._default(text('说明', 100), ''),
    enabled: field('启用', flag),
  },
  output: z.strictObject({ id: idOut, version: z.int() }),
});
