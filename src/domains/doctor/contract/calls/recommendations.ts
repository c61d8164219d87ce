import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { between, ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { id, idOut, instant, instantOut, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { days } from '#kernel/contract/time.ts';
import { positions, titles, type Position } from '../dictionaries.ts';
import { adcode, chosen } from '../fields.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { LONGEST_DAYS, scopeFault } from '../rules/positions.ts';
import { recommendationMachine } from '../staffStates.ts';

const service = declareService('DoctorInfoService');
const view = may['recommend.view'];
const edit = may['recommend.edit'];
const state = recommendationMachine.dictionary.schema;
const scopeKey = field('推荐范围', z.string('请选择范围').check(z.trim(), z.maxLength(60, '范围过长')));

const row = z.strictObject({
  id: idOut,
  position: field('推荐位', positions.schema),
  scopeKey: z.string(),
  scopeName: field('范围', z.string(), { width: 160 }),
  adcode: textOrNull,
  region: field('地区', z.string(), { width: 192 }),
  doctorId: idOut,
  doctorNo: field('医生编号', z.string(), { width: 160 }),
  doctorName: field('医生', z.string()),
  titleCode: field('职称', z.nullable(titles.schema)),
  hospitalName: field('医院', textOrNull, { width: 240 }),
  practiceOk: z.boolean(),
  sort: field('排序', z.int()),
  reason: field('推荐语', z.string(), { width: 240 }),
  startAt: field('开始时间', instantOut),
  endAt: field('结束时间', instantOut),
  state: field('状态', state),
  offOpinion: field('下架原因', textOrNull, { width: 240 }),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type RecommendationRow = z.output<typeof row>;
/** `from`, `to`: shown at some instant between. */
const filters = {
  position: field('推荐位', z.optional(positions.schema)),
  scopeKey: field('推荐范围', z.optional(scopeKey)),
  doctorId: field('医生', z.optional(id)),
  state: z.optional(several(state)),
  from: field('开始时间', z.optional(instant)),
  to: field('结束时间', z.optional(instant)),
};
export const queryRecommendationList = service.list({
  operation: 'queryRecommendationList',
  label: '查询医生推荐',
  access: view,
  filter: filters,
  output: row,
});
export const exportRecommendationList = exportOf(queryRecommendationList, {
  operation: 'exportRecommendationList',
  label: '导出医生推荐',
  access: may['doctor.export'],
});
export const queryRecommendationOccupancy = service.read({
  operation: 'queryRecommendationOccupancy',
  label: '查询推荐位占用',
  access: view,
  input: {},
  /** `used` at this instant; `peak`: the most at any instant from now on. */
  output: z.array(
    z.strictObject({
      position: positions.schema,
      capacity: z.int(),
      scopes: z.array(z.strictObject({ scopeKey: z.string(), scopeName: z.string(), used: z.int(), waiting: z.int(), peak: z.int() })),
    }),
  ),
});

interface Times {
  startAt: string;
  endAt: string;
}
const times = [
  ordered('startAt', 'endAt', '结束时间须晚于开始时间', { apart: true }),
  between<Times>(
    ['startAt', 'endAt'],
    ({ startAt, endAt }) => Date.parse(endAt) - Date.parse(startAt) <= days(LONGEST_DAYS),
    `推荐时长最多${LONGEST_DAYS}天`,
  ),
] as const;
const fields = {
  adcode: z._default(z.nullable(adcode), null),
  reason: z._default(text('推荐语', 100), ''),
  startAt: field('开始时间', instant),
  endAt: field('结束时间', instant),
};
/** What a form asks for instead of the key of the scope: a disease, a channel or what is searched for. */
export const scopeChoice = z.strictObject({ diseaseId: chosen('病种'), channelId: chosen('渠道'), keyword: text('搜索词', 20, 1) });
export const addRecommendation = service.act({
  operation: 'addRecommendation',
  label: '新增医生推荐',
  access: edit,
  message: '添加成功!',
  input: z
    .strictObject({
      position: field('推荐位', z.enum(positions.codes, '请选择推荐位')),
      scopeKey,
      doctorId: chosen('医生'),
      ...fields,
    })
    .check(
      ...times,
      z.check((payload) => {
        const { position, scopeKey: key } = payload.value as { position: Position; scopeKey: string };
        const message = scopeFault(position, key);
        if (message) payload.issues.push({ code: 'custom', path: ['scopeKey'], message, input: key });
      }),
    ),
  output: z.strictObject({ id: idOut, state, version: z.int() }),
});
export const modifyRecommendation = service.act({
  operation: 'modifyRecommendation',
  label: '编辑医生推荐',
  access: edit,
  input: z.strictObject({ id, version, ...fields }).check(...times),
  output: actionAnswer,
});
export const recommendationLabels = { adcode: '地区', reason: '推荐语', startAt: '开始时间', endAt: '结束时间' };
export const offRecommendation = service.act({
  operation: 'offRecommendation',
  label: '下架医生推荐',
  access: edit,
  input: { id, version, opinion },
  output: actionAnswer,
});
export const sortRecommendation = service.act({
  operation: 'sortRecommendation',
  label: '推荐排序',
  access: edit,
  /** All that wait or are shown in the scope, in the wished order. */
  input: {
    position: field('推荐位', positions.schema),
    scopeKey,
    ids: field('推荐', z.array(id, '请选择推荐').check(z.minLength(1, '请选择推荐'), z.maxLength(999, '最多999个推荐'))),
  },
  output: z.array(z.strictObject({ id: idOut, sort: z.int(), version: z.int() })),
});
