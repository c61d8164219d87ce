import * as z from 'zod/mini';
import { ordered } from '#kernel/contract/between.ts';
import { id, idOut, instant, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { deskSources } from '../dictionaries.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupId } from './shared.ts';

const service = declareService('GuidanceDeskService');
const manage = may['desk.manage'];
const time = (label: string) =>
  field(label, z.string(`请选择${label}`).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, `${label}格式应为HH:mm`)));
const weekday = z.literal([1, 2, 3, 4, 5, 6, 7], '接待日不正确');
export type Weekday = z.output<typeof weekday>;
const source = z.strictObject({ sourceType: deskSources.schema, sourceId: idOut, sourceName: z.string() });
const desk = z.strictObject({
  id: idOut,
  deskCode: z.string(),
  deskName: z.string(),
  assistants: z.array(z.strictObject({ assistantId: idOut, name: z.string() })),
  sources: z.array(source),
  dutyFrom: z.string(),
  dutyTo: z.string(),
  weekdays: z.array(weekday),
  welcomeText: z.string(),
  offHoursText: z.string(),
  enabled: z.boolean(),
  queued: z.int(),
  serving: z.int(),
  version: z.int(),
});
export type DeskRow = z.output<typeof desk>;
export const queryDeskList = service.read({
  operation: 'queryDeskList',
  label: '查询导诊台',
  access: may['chat.send'],
  input: {},
  output: z.array(desk),
});

const fields = {
  deskName: text('导诊台名称', 20, 1),
  assistantIds: field('接待医助', z.array(id).check(z.maxLength(100, '最多100名医助'))),
  sources: field(
    '来源',
    z._default(
      z
        .array(
          z.strictObject({
            sourceType: field('来源类型', z.enum(deskSources.codes, '来源类型不正确')),
            sourceId: field('来源对象', id),
            sourceName: text('来源名称', 60),
          }),
        )
        .check(z.maxLength(200, '最多200个来源')),
      [],
    ),
  ),
  dutyFrom: time('开始时间'),
  dutyTo: time('结束时间'),
  weekdays: field('接待日', z.array(weekday).check(z.minLength(1, '请选择接待日'), z.maxLength(7, '接待日不正确'))),
  welcomeText: text('欢迎语', 500),
  offHoursText: text('非接待时间回复', 500),
};
const dutyInOrder = ordered('dutyFrom', 'dutyTo', '结束时间须晚于开始时间', { apart: true });
const moved = z.strictObject({ id: idOut, version: z.int(), enabled: z.boolean() });
export const addDesk = service.act({
  operation: 'addDesk',
  label: '新增导诊台',
  access: manage,
  message: '添加成功!',
  input: z
    .strictObject({
      deskCode: field(
        '导诊台编码',
        z.string('请输入导诊台编码').check(z.regex(/^[A-Z0-9_]{2,32}$/, '导诊台编码为2至32位大写字母、数字或下划线')),
      ),
      ...fields,
    })
    .check(dutyInOrder),
  output: moved,
});
export const modifyDesk = service.act({
  operation: 'modifyDesk',
  label: '修改导诊台',
  access: manage,
  input: z.strictObject({ id, version, ...fields }).check(dutyInOrder),
  output: moved,
});
export const enableDesk = service.act({
  operation: 'enableDesk',
  label: '启用导诊台',
  access: manage,
  input: { id, version },
  output: moved,
});
export const disableDesk = service.act({
  operation: 'disableDesk',
  label: '停用导诊台',
  access: manage,
  input: { id, version },
  output: moved,
});
/** 转给医生: an inquiry with this doctor; with a fee the patient gets a card with the pay link. */
export const routeToDoctor = service.act({
  operation: 'routeToDoctor',
  label: '转给医生',
  access: may['chat.send'],
  secrets: ['chiefComplaint'],
  idempotency: 'required',
  input: {
    groupId,
    openingId: field('医生服务', id),
    slotAt: field('预约时段', z.optional(instant)),
    chiefComplaint: z.optional(text('主诉', 1000, 5)),
    remark: z.optional(text('备注', 200)),
  },
  output: z.strictObject({ serverId: idOut, groupId: z.nullable(z.string()), payUrl: z.nullable(z.string()) }),
});
/** Openings to route to: practising doctors of a department, disease or city. */
export const queryDeskDoctors = service.read({
  operation: 'queryDeskDoctors',
  label: '查询推荐医生',
  access: may['chat.send'],
  input: {
    keyword: z.optional(text('关键词', 30)),
    department: z.optional(text('科室', 30)),
    diseaseId: field('病种', z.optional(id)),
    adcode: field('地区', z.optional(z.string().check(z.regex(/^\d{6}$/, '地区不正确')))),
  },
  output: z.array(
    z.strictObject({
      doctorId: idOut,
      operatorId: idOut,
      doctorName: z.string(),
      titleName: z.string(),
      hospitalName: z.string(),
      departmentName: z.string(),
      online: z.boolean(),
      openings: z.array(
        z.strictObject({ openingId: idOut, name: z.string(), serviceType: z.string(), priceFen: z.string(), needSlot: z.boolean() }),
      ),
    }),
  ),
});
