import * as z from 'zod/mini';
import { declareService, nothing } from '#kernel/contract/service.ts';
import { access } from '#kernel/contract/call.ts';
import { day, instant, opinion, text, textOrNull } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { smsPurposes } from '../dictionaries.ts';
import { identityPermissions as may } from '../permissions.ts';
import { at } from './shared.ts';

const service = declareService('SystemService');

const calendarDay = z.strictObject({ day: at, isWorkday: z.boolean(), isBankday: z.boolean(), note: z.string() });

export const queryWorkCalendar = service.read({
  operation: 'queryWorkCalendar',
  label: '查询工作日历',
  access: access.session,
  input: { from: field('开始日期', day), to: field('结束日期', day) },
  output: z.strictObject({ days: z.array(calendarDay) }),
});

const calendarChange = z.strictObject({
  day: field('日期', day),
  isWorkday: field('是否工作日', z.boolean('请选择是否工作日')),
  isBankday: field('是否银行工作日', z.boolean('请选择是否银行工作日')),
  note: z._default(text('说明', 50), ''),
});
/** One day, or the State Council's yearly list in `days`. */
export const modifyWorkCalendar = service.act({
  operation: 'modifyWorkCalendar',
  label: '维护工作日历',
  access: may['calendar.edit'],
  message: '修改成功!',
  input: z
    .strictObject({
      day: field('日期', z.optional(day)),
      isWorkday: field('是否工作日', z.optional(z.boolean())),
      isBankday: field('是否银行工作日', z.optional(z.boolean())),
      note: z.optional(text('说明', 50)),
      days: field(
        '日期',
        z.optional(z.array(calendarChange).check(z.minLength(1, '没有需要修改的日期'), z.maxLength(400, '一次最多修改400天'))),
      ),
    })
    .check(
      z.refine(
        (input) => input.days !== undefined || (input.day !== undefined && input.isWorkday !== undefined && input.isBankday !== undefined),
        '请选择日期',
      ),
    ),
  output: z.strictObject({ days: z.array(calendarDay) }),
});

export const querySmsOutbox = service.read({
  operation: 'querySmsOutbox',
  label: '查看开发短信箱',
  access: may['sms.view'],
  log: 'REVEAL',
  input: { mobile: z.optional(text('手机号', 20)) },
  output: z.array(
    z.strictObject({
      id: z.string(),
      at,
      mobile: z.string(),
      text: z.string(),
      purpose: z.nullable(smsPurposes.schema),
      state: z.string(),
    }),
  ),
});

export const queryFailedJobList = service.list({
  operation: 'queryFailedJobList',
  label: '查询失败的后台任务',
  access: may['job.view'],
  filter: {
    jobName: z.optional(text('任务', 100)),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
  },
  output: z.strictObject({
    jobId: z.string(),
    jobName: z.string(),
    label: field('任务', z.string()),
    subject: field('关联单号', textOrNull),
    failedAt: field('失败时间', at),
    attempts: field('次数', z.number()),
    reason: field('原因', z.string()),
    traceId: field('追踪号', textOrNull),
    /** Runs again by itself: nobody has to retry it. */
    repeats: z.boolean(),
  }),
});

export const retryFailedJob = service.act({
  operation: 'retryFailedJob',
  label: '重试后台任务',
  access: may['job.retry'],
  message: '已重新提交',
  input: { jobId: text('任务', 100, 1), opinion },
  output: nothing,
});

/** What an administrator does first in a new system, ticked off by facts; nothing for who has no part in it. */
export const queryFirstSteps = service.read({
  operation: 'queryFirstSteps',
  label: '查询开始使用清单',
  access: may['role.edit'],
  input: nothing,
  output: z.array(z.strictObject({ label: z.string(), path: z.string(), done: z.boolean() })),
});
