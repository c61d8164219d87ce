import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { day, id, idOut, instant, paging, smallCode, version, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { conditionRow, conditionRowsIn } from './conditionCalls.ts';
import { ageOptions, playMode, sendTarget, timeOption, touchKind } from './dictionaries.ts';
import { corpusErrors } from './errors.ts';
import { corpusPermissions } from './permissions.ts';
import { createTask } from './tasks/createTask.ts';
import { blankOr, looseText } from './wire.ts';

const mayView = corpusPermissions['corpus.view'];
const mayEdit = corpusPermissions['scene.edit'];

/** Whether it is a whole number of 0 to 365 is refused with SCM11061. */
const looseDayOffset = field(
  '天数',
  z.pipe(
    z.union([z.number(), z.string()], '请输入天数'),
    z.transform((value) => (typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value))),
  ),
);

const scheduleRow = z.strictObject({
  id: idOut,
  /** Survives edits; copies get their own. */
  itemKey: z.string(),
  scenePackageId: idOut,
  dayOffset: z.int(),
  sendTime: z.string(),
  target: sendTarget.schema,
  touchKind: touchKind.schema,
  /** Sent one after another, each as a bubble. */
  materialIds: z.array(idOut),
  /** Checked when the item is sent; empty: none. */
  itemConditions: z.array(conditionRow),
  /** Somebody is asked to do this, instead of or beside the message. */
  createTask: z.nullable(createTask),
  sortNo: z.int(),
  version: z.int(),
  updatedAt: instant,
});
export type ScheduleRow = z.output<typeof scheduleRow>;

/** How many bubbles one touch has at most; more are refused with SCM11063. */
export const MOST_MATERIALS = 5;
export const MOST_CYCLE_MATERIALS = 30;
const materialIds = field('素材', z.optional(z.array(id).check(z.maxLength(100, '素材过多'))));

const itemFields = {
  dayOffset: looseDayOffset,
  sendTime: field('发送时间', looseText),
  target: field('发送到', sendTarget.schema),
  touchKind: field('内容类型', touchKind.schema),
  /** Absent: they stay as they are. */
  materialIds,
  itemConditions: field('附加条件', z.optional(conditionRowsIn)),
  /** Null: none; absent: it stays as it is. */
  createTask: field('生成任务', z.optional(z.nullable(createTask))),
};

const schedule = declareService('ScheduleService');

export const queryScheduleList = schedule.list({
  operation: 'queryScheduleList',
  label: '查询日程',
  access: mayView,
  filter: z.strictObject({ scenePackageId: field('场景包', id), ...paging }),
  output: scheduleRow,
});

export const addSchedule = schedule.act({
  operation: 'addSchedule',
  label: '新增日程',
  access: mayEdit,
  message: '添加成功',
  input: { scenePackageId: field('场景包', id), ...itemFields },
  output: scheduleRow,
});

export const modifySchedule = schedule.act({
  operation: 'modifySchedule',
  label: '修改日程',
  access: mayEdit,
  message: '修改成功!',
  input: { id, version, ...itemFields },
  output: scheduleRow,
});

export const delSchedule = schedule.act({
  operation: 'delSchedule',
  label: '删除日程',
  access: mayEdit,
  message: '删除成功!',
  input: { id, version },
  output: z.strictObject({}),
});

/** Moves items to other days, all or none. */
export const sortSchedule = schedule.act({
  operation: 'sortSchedule',
  label: '移动日程',
  access: mayEdit,
  message: '修改成功!',
  input: {
    scenePackageId: field('场景包', id),
    dataDetail: field(
      '明细',
      z
        .array(z.strictObject({ id, dayOffset: looseDayOffset, version }))
        .check(z.minLength(1, '请至少选择一条日程'), z.maxLength(200, '一次最多移动200条日程')),
    ),
  },
  output: z.array(scheduleRow),
});

const cycleRow = z.strictObject({
  id: idOut,
  scenePackageId: idOut,
  timeOption: timeOption.schema,
  sendTime: z.string(),
  /** First N days; empty stands for 14. */
  age: z.union([z.literal([10, 20, 30]), z.literal('')]),
  playMode: playMode.schema,
  /** SAME: all of them each time; ROTATE: one after another. */
  materialIds: z.array(idOut),
  target: sendTarget.schema,
  touchKind: touchKind.schema,
  version: z.int(),
  updatedAt: instant,
});
export type CycleRow = z.output<typeof cycleRow>;

const cycleAnswer = z.strictObject({
  cycle: z.nullable(cycleRow),
  /** Days on which a patient who enters now would be touched. */
  previewDays: z.array(day),
  /** Days without sending in the next 60, by the work calendar; empty when every day may be used. */
  restDays: z.array(day),
});
export type CycleAnswer = z.output<typeof cycleAnswer>;

const cycle = declareService('PackageCycleService');

export const queryPackageCycle = cycle.read({
  operation: 'queryPackageCycle',
  label: '查询周期',
  access: mayView,
  input: { scenePackageId: field('场景包', id) },
  output: cycleAnswer,
});

export const addOrModifyPackageCycle = cycle.act({
  operation: 'addOrModifyPackageCycle',
  label: '保存周期',
  access: mayEdit,
  message: '修改成功!',
  input: z
    .strictObject({
      scenePackageId: field('场景包', id),
      timeOption: field('时间', timeOption.schema),
      sendTime: field('发送时间', looseText),
      age: blankOr(smallCode('日龄', ageOptions)),
      playMode: field('轮播方式', playMode.schema),
      /** Absent: they stay as they are. */
      materialIds,
      target: field('发送到', sendTarget.schema),
      touchKind: field('内容类型', touchKind.schema),
      /** Of the cycle that the form started from; 0 when there was none; absent: no stale check. */
      version: field('版本号', z.optional(int4('版本号不正确').check(z.minimum(0, '版本号不正确')))),
    })
    .check(
      between(
        ['playMode', 'materialIds'],
        ({ playMode: mode, materialIds: ids }) => mode !== 'SAME' || (ids?.length ?? 0) <= MOST_MATERIALS,
        corpusErrors.TOO_MANY_MATERIALS,
      ),
    ),
  output: cycleAnswer,
});

export const delPackageCycle = cycle.act({
  operation: 'delPackageCycle',
  label: '删除周期',
  access: mayEdit,
  message: '删除成功!',
  input: { scenePackageId: field('场景包', id), version: z.optional(version) },
  output: z.strictObject({}),
});
