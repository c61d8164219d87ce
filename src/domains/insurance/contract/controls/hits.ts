import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, flag, id, idOut, instantOut, several } from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { productLines } from '../businessLines.ts';
import { controlPermissions as may } from '../permissions.ts';
import { controlModeWords, controlStageWords } from './dictionaries.ts';
import { controlService } from './service.ts';

export const queryControlHitList = controlService.list({
  operation: 'queryControlHitList',
  label: '查询控费命中',
  access: may['control.view'],
  filter: {
    ...sortedBy('at'),
    ruleId: field('规则', z.optional(id)),
    moduleId: field('模块', z.optional(id)),
    from: field('命中日期起', z.optional(day)),
    to: field('命中日期止', z.optional(day)),
    mode: field('控费方式', z.optional(several(controlModeWords.schema))),
    overturned: field('已推翻', z.optional(flag)),
    insurerId: field('保司', z.optional(several(id))),
    productLine: field('业务线', z.optional(several(productLines.schema))),
    productId: field('产品', z.optional(several(id))),
    adcode: field('地区', z.optional(several(z.string().check(z.regex(/^\d{6}$/, '地区不正确'))))),
    testUser: field('测试用户', z.optional(flag)),
  },
  output: z.strictObject({
    id: idOut,
    at: field('命中时间', instantOut),
    ruleCode: field('规则编码', z.string(), { width: 130 }),
    ruleName: field('规则名称', z.string(), { width: 180 }),
    versionNo: field('版本', z.int(), { width: 60 }),
    stage: field('环节', controlStageWords.schema, { width: 90 }),
    mode: field('方式', controlModeWords.schema, { width: 80 }),
    claimId: idOut,
    claimNo: field('理赔单号', z.nullable(z.string()), { width: 170 }),
    lineNo: field('明细行', z.nullable(z.int()), { width: 80 }),
    trace: field('命中说明', z.string(), { width: 320 }),
    savedFen: field('节省金额', z.int(), { kind: 'money' }),
    overturned: field('已推翻', z.boolean()),
    overturnedAt: field('推翻时间', z.nullable(instantOut)),
  }),
});
export const exportControlHit = exportOf(queryControlHitList, {
  operation: 'exportControlHit',
  label: '导出控费命中',
  access: may['control.view'],
});
