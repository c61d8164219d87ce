import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { fen, id, idOut, instant, optionalText, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { at } from '../fields.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { configMachine } from '../states.ts';

const service = declareService('InquiryServiceCategoryService');
const whole = (label: string, min: number, max: number) =>
  field(label, z.int(`请输入${label}`).check(z.minimum(min, `${label}为${min}至${max}`), z.maximum(max, `${label}为${min}至${max}`)));
const clock = (label: string) =>
  field(label, z.string(`请选择${label}`).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${label}格式应为HH:mm`)));

export const NIGHT_EMPTY = '夜间停诊的开始与结束不能相同';
/** The rules that hold for all services. */
export const serviceConfigContent = field(
  '配置内容',
  z.strictObject({
    acceptHours: whole('默认接诊时效', 1, 24),
    replyHours: whole('默认首响时效', 1, 48),
    remindBeforeMin: z.array(whole('提醒时间', 1, 1440)).check(
      z.maxLength(5, '提醒最多5次'),
      z.refine((minutes) => new Set(minutes).size === minutes.length, '提醒时间不能重复'),
    ),
    slotMinutes: field('预约时段（分钟）', z.literal(30, '预约时段固定为30分钟')),
    maxOpenPerDoctor: whole('每位医生最多开通数', 1, 50),
    dailyLimitDefault: whole('每日接诊上限默认值', 1, 100),
    nightClosed: field(
      '夜间停诊',
      z
        .strictObject({ from: clock('夜间停诊开始时间'), to: clock('夜间停诊结束时间') })
        .check(between(['from', 'to'], ({ from, to }) => from !== to, NIGHT_EMPTY)),
    ),
    refundAutoFen: field(
      '免复核退款金额',
      fen.check(z.minimum(0, '免复核退款金额不能为负数'), z.maximum(500_000, '免复核退款金额不能超过5000元')),
    ),
    agreementFileId: field('服务协议', z.nullable(id)),
    crisisWords: z.array(text('危机词', 20, 1)).check(z.maxLength(300, '危机词最多300个')),
  }),
);
export type ServiceConfigContent = z.output<typeof serviceConfigContent>;
export const configLabels: Readonly<Record<keyof ServiceConfigContent, string>> = {
  acceptHours: '默认接诊时效（小时）',
  replyHours: '默认首响时效（小时）',
  remindBeforeMin: '到期前提醒（分钟）',
  slotMinutes: '预约时段（分钟）',
  maxOpenPerDoctor: '每位医生最多开通数',
  dailyLimitDefault: '每日接诊上限默认值',
  nightClosed: '夜间停诊',
  refundAutoFen: '免复核退款金额',
  agreementFileId: '服务协议',
  crisisWords: '危机词',
};
/** What holds until a first version is published. */
export const firstServiceConfig: ServiceConfigContent = {
  acceptHours: 24,
  replyHours: 24,
  remindBeforeMin: [60, 15],
  slotMinutes: 30,
  maxOpenPerDoctor: 10,
  dailyLimitDefault: 20,
  nightClosed: { from: '22:00', to: '08:00' },
  refundAutoFen: 5_000,
  agreementFileId: null,
  crisisWords: ['胸痛', '呼吸困难', '大出血', '昏迷', '抽搐', '自杀', '轻生'],
};

const row = z.strictObject({
  id: idOut,
  versionNo: z.int(),
  content: serviceConfigContent,
  effectiveFrom: z.nullable(at),
  publishedAt: z.nullable(at),
  publishedByName: textOrNull,
  note: z.string(),
  /** Published, its time has not come. */
  waiting: z.boolean(),
  state: configMachine.dictionary.schema,
  version: z.int(),
  createdByName: textOrNull,
  createdAt: at,
  updatedAt: at,
});
export type ServiceConfigRow = z.output<typeof row>;
const file = z.strictObject({
  fileId: idOut,
  fileName: z.string(),
  detectedType: textOrNull,
  size: z.nullable(z.int()),
  pageCount: z.nullable(z.int()),
});

/** The draft, what holds now, what will hold, and all former versions. */
export const queryServiceConfig = service.read({
  operation: 'queryServiceConfig',
  label: '查询服务配置',
  access: may['config.view'],
  input: {},
  output: z.strictObject({
    active: z.nullable(row),
    draft: z.nullable(row),
    waiting: z.nullable(row),
    history: z.array(row),
    agreements: z.array(file),
  }),
});
/** Keeps the draft: a new one, or the one of `id` with the version that the operator saw. */
export const saveServiceConfig = service.act({
  operation: 'saveServiceConfig',
  label: '保存服务配置草稿',
  access: may['config.edit'],
  input: {
    draft: field('草稿', z._default(z.nullable(z.strictObject({ id, version })), null)),
    content: serviceConfigContent,
    note: optionalText('说明', 200),
  },
  output: row,
});
/** `cancel` takes a waiting version back to the draft. */
export const publishServiceConfig = service.act({
  operation: 'publishServiceConfig',
  label: '发布服务配置',
  access: may['config.publish'],
  message: '发布成功!',
  input: {
    id,
    version,
    action: field('操作', z._default(z.enum(['publish', 'cancel'], '操作不正确'), 'publish')),
    effectiveFrom: field('生效时间', z._default(z.nullable(instant), null)),
    note: optionalText('说明', 200),
  },
  output: z.strictObject({
    row,
    diff: z.array(z.strictObject({ path: z.string(), label: z.string(), before: z.unknown(), after: z.unknown() })),
  }),
});
