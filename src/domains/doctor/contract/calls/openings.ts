import * as z from 'zod/mini';
import { declareService, rowOutcomes } from '#kernel/contract/service.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { ordered } from '#kernel/contract/between.ts';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  emptyToNull,
  fen,
  id,
  idOut,
  instant,
  instantOut,
  intOrNull,
  rateOut,
  several,
  text,
  textOrNull,
  version,
} from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { field } from '#kernel/contract/field.ts';
import { yuan } from '#kernel/contract/money.ts';
import { trail } from '#kernel/contract/trail.ts';
import { applicantTypes, careKinds, itemTypes, openingApplyKinds, openingPriceSources, suspendReasons, titles } from '../dictionaries.ts';
import { at, chosen } from '../fields.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { HIGHEST_FEN } from '../rules/price.ts';
import { openingApplyMachine, openingMachine } from '../states.ts';

const service = declareService('DoctorServiceService');
const priceFen = field('价格', fen.check(z.minimum(0, '价格不能为负数'), z.maximum(HIGHEST_FEN, '价格不能超过5000元')));
const band = z.nullable(z.strictObject({ minFen: z.int(), defaultFen: z.int(), maxFen: z.int() }));
const whole = (label: string, min: number, max: number) =>
  field(label, z.int(`${label}须为整数`).check(z.minimum(min, `${label}为${min}至${max}`), z.maximum(max, `${label}为${min}至${max}`)));
const time = z.string('请选择时间').check(z.regex(/^\d{2}:\d{2}$/, '时间格式应为HH:mm'));
/** One bookable time of the week. */
export const weekSlot = z
  .strictObject({
    weekday: whole('星期', 1, 7),
    from: field('时段开始', time),
    to: field('时段结束', time),
    quota: whole('每档名额', 1, 50),
  })
  .check(ordered('from', 'to', '结束时间须晚于开始时间', { apart: true }));
const slots = z.array(weekSlot).check(z.maxLength(70, '可预约时段最多70段'));
/** The times of a week as forms hold them. */
export const slotsHeld = z.strictObject({ slots: field('可预约时段', slots) });
const slotsOut = z.array(z.strictObject({ weekday: z.int(), from: z.string(), to: z.string(), quota: z.int() }));
const dailyLimit = whole('每日接诊上限', 1, 100);
const opinion = emptyToNull(text('意见', 500));

const who = {
  doctorName: z.optional(text('医生', 30)),
  doctorId: field('医生', z.optional(id)),
  hospitalId: field('医院', z.optional(id)),
  itemId: field('服务项目', z.optional(id)),
  careKind: field('服务性质', z.optional(careKinds.schema)),
  itemType: field('服务类型', z.optional(several(itemTypes.schema))),
  priceFrom: field('价格从', z.optional(priceFen)),
  priceTo: field('价格至', z.optional(priceFen)),
};
const doctor = {
  doctorId: idOut,
  doctorNo: field('医生编号', z.string(), { width: 160 }),
  doctorName: field('医生', z.string()),
  titleCode: field('职称', z.nullable(titles.schema)),
  hospitalName: field('医院', textOrNull, { width: 240 }),
};
const item = {
  itemId: idOut,
  itemName: field('服务项目', z.string(), { width: 160 }),
  itemType: field('类型', itemTypes.schema),
  careKind: field('性质', careKinds.schema),
};
const fenOf = (label: string) => field(label, z.int(), { kind: 'money' });
const fenOrNullOf = (label: string) => field(label, intOrNull, { kind: 'money' });
const compared = {
  band: field('区间（元）', band, { width: 160, text: (value) => (value === null ? '' : `${yuan(value.minFen)}–${yuan(value.maxFen)}`) }),
  averageFen: fenOrNullOf('同职称均价（元）'),
  deviationBp: field('偏离', z.nullable(rateOut)),
};

const openingFilters = { ...who, state: z.optional(several(openingMachine.dictionary.schema)) };
const openingRow = z.strictObject({
  id: idOut,
  ...doctor,
  ...item,
  priceFen: fenOf('现价（元）'),
  ...compared,
  dailyLimit: field('每日接诊上限', z.int()),
  needSlot: z.boolean(),
  slots: field('预约时段', slotsOut),
  pendingApply: field(
    '待审申请',
    z.nullable(z.strictObject({ id: idOut, applyNo: z.string(), kind: openingApplyKinds.schema, toPriceFen: z.int() })),
  ),
  state: field('状态', openingMachine.dictionary.schema),
  suspendReason: field('停用原因', z.nullable(suspendReasons.schema)),
  effectiveAt: field('生效时间', z.nullable(instantOut)),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type OpeningRow = z.output<typeof openingRow>;

export const queryServiceOpeningList = service.list({
  operation: 'queryServiceOpeningList',
  label: '查询服务开通',
  access: may['opening.view'],
  filter: { ...sortedBy('priceFen', 'updatedAt'), ...openingFilters },
  output: openingRow,
});
export const exportServiceOpeningList = exportOf(queryServiceOpeningList, {
  operation: 'exportServiceOpeningList',
  label: '导出服务开通',
  access: may['opening.export'],
});
/** Numbers on the tabs. */
export const queryServiceOpeningCounts = service.read({
  operation: 'queryServiceOpeningCounts',
  label: '查询服务开通数量',
  access: may['opening.view'],
  input: {},
  output: z.strictObject({ pending: z.int(), on: z.int(), paused: z.int(), suspended: z.int() }),
});

const applyRow = z.strictObject({
  id: idOut,
  applyNo: field('申请单号', z.string(), { width: 160 }),
  openingId: idOut,
  openingState: openingMachine.dictionary.schema,
  ...doctor,
  ...item,
  kind: field('申请类型', openingApplyKinds.schema),
  fromPriceFen: fenOrNullOf('原价（元）'),
  toPriceFen: fenOf('新价（元）'),
  ...compared,
  reason: field('说明', z.string(), { width: 240 }),
  applicantType: field('申请方', applicantTypes.schema),
  applicantName: field('申请人', z.string()),
  own: z.boolean(),
  state: field('状态', openingApplyMachine.dictionary.schema),
  auditorName: field('审核人', textOrNull),
  opinion: field('审核意见', textOrNull, { width: 240 }),
  decidedAt: field('审核时间', z.nullable(instantOut)),
  createdAt: field('申请时间', instantOut),
  version: z.int(),
});
export type OpeningApplyRow = z.output<typeof applyRow>;
const applyFilters = {
  ...who,
  applyNo: z.optional(text('申请单号', 20)),
  kind: field('申请类型', z.optional(openingApplyKinds.schema)),
  state: z.optional(several(openingApplyMachine.dictionary.schema)),
  openingId: field('开通的服务', z.optional(id)),
  createdFrom: field('创建时间起', z.optional(instant)),
  createdTo: field('创建时间止', z.optional(instant)),
};
export const queryOpeningApplyList = service.list({
  operation: 'queryOpeningApplyList',
  label: '查询开通申请',
  access: may['opening.view'],
  filter: { ...sortedBy('applyNo', 'createdAt'), ...applyFilters },
  output: applyRow,
});
export const exportOpeningApplyList = exportOf(queryOpeningApplyList, {
  operation: 'exportOpeningApplyList',
  label: '导出开通申请',
  access: may['opening.export'],
});

export const queryServiceOpeningDetail = service.read({
  operation: 'queryServiceOpeningDetail',
  label: '查看服务开通',
  access: may['opening.view'],
  input: { id },
  output: z.strictObject({
    opening: openingRow,
    prices: z.array(
      z.strictObject({ id: idOut, priceFen: z.int(), source: openingPriceSources.schema, reason: z.string(), at, byName: z.string() }),
    ),
    booked: z.array(z.strictObject({ slotAt: at, quota: z.int(), taken: z.int() })),
    trail,
    allowedActions: z.array(z.string()),
  }),
});

export const addServiceOpening = service.act({
  operation: 'addServiceOpening',
  label: '申请开通服务',
  access: may['opening.edit'],
  message: '已提交开通申请',
  input: {
    doctorId: field('医生', id),
    itemId: chosen('服务项目'),
    priceFen,
    dailyLimit: z._default(z.nullable(dailyLimit), null),
    slots: field('预约时段', z._default(slots, [])),
    reason: z._default(text('申请说明', 200), ''),
  },
  output: z.strictObject({ ...actionAnswer.shape, applyNo: z.string() }),
});
export const batchOpenService = service.act({
  operation: 'batchOpenService',
  label: '批量开通服务',
  access: may['opening.edit'],
  input: {
    doctorIds: field('医生', z.array(id, '请选择医生').check(z.minLength(1, '请选择医生'), z.maxLength(200, '一次最多200位医生'))),
    itemId: chosen('服务项目'),
    priceMode: field('定价方式', z.enum(['DEFAULT', 'FIXED'], '请选择定价方式')),
    priceFen: field('价格', z.optional(priceFen)),
    dailyLimit: z._default(z.nullable(dailyLimit), null),
    slots: field('预约时段', z._default(slots, [])),
    reason: z._default(text('申请说明', 200), ''),
  },
  output: rowOutcomes,
});
export const modifyServiceOpening = service.act({
  operation: 'modifyServiceOpening',
  label: '调价、修改接诊设置',
  access: may['opening.edit'],
  input: {
    id,
    version,
    priceFen: field('价格', z.optional(priceFen)),
    reason: emptyToNull(text('调价原因', 200)),
    dailyLimit: z.optional(dailyLimit),
    slots: field('预约时段', z.optional(slots)),
  },
  output: z.strictObject({ ...actionAnswer.shape, priceResult: z.enum(['NONE', 'APPLIED', 'AUDIT']), applyNo: textOrNull }),
});
export const changeOpeningState = service.act({
  operation: 'changeOpeningState',
  label: '暂停、恢复、关闭服务',
  access: may['opening.edit'],
  input: { id, version, action: field('操作', z.enum(['pause', 'resume', 'close'], '操作不正确')), opinion },
  output: actionAnswer,
});

const audit = declareService('AuditService');
export const auditServiceOpening = audit.act({
  operation: 'auditServiceOpening',
  label: '审核服务开通',
  access: access.byAction('action', { withdraw: may['opening.edit'] }, may['opening.audit']),
  input: { applyId: field('申请', id), version, action: field('操作', z.enum(['approve', 'reject', 'withdraw'], '操作不正确')), opinion },
  output: actionAnswer,
});
export const batchAuditServiceOpening = audit.act({
  operation: 'batchAuditServiceOpening',
  label: '批量审核服务开通',
  access: may['opening.audit'],
  input: {
    applyIds: field('申请', z.array(id).check(z.minLength(1, '请选择申请'), z.maxLength(100, '一次最多100条'))),
    action: field('操作', z.enum(['approve', 'reject'], '操作不正确')),
    opinion,
  },
  output: rowOutcomes,
});
