import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { id, idOut, instantOut, numberOrNull, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field, fieldFacts, keysOf } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { hospitalLevels } from './dictionaries.ts';
import { adcode } from './fields.ts';
import { hospitalFactKeys, hospitalFacts, hospitalFactsInput, hospitalLabels, type HospitalFacts } from './hospitalCalls.ts';
import { institutionPermissions as may } from './permissions.ts';
import { hospitalMachine, mergeMachine } from './states.ts';

const service = declareService('HospitalService');

export const candidate = z.strictObject({
  hospitalId: idOut,
  hospitalNo: z.string(),
  name: z.string(),
  level: hospitalLevels.schema,
  address: z.string(),
  phone: z.string(),
  uscc: textOrNull,
  state: hospitalMachine.dictionary.schema,
  score: z.int(),
  why: z.array(z.string()),
  distanceM: numberOrNull,
  version: z.int(),
});
export type Candidate = z.output<typeof candidate>;
const side = z.strictObject({
  hospitalId: idOut,
  hospitalNo: z.string(),
  name: z.string(),
  level: hospitalLevels.schema,
  address: z.string(),
  phone: z.string(),
  uscc: textOrNull,
  doctorCount: z.int(),
  departmentCount: z.int(),
  state: hospitalMachine.dictionary.schema,
});
const duplicatePair = z.strictObject({
  key: z.string(),
  a: side,
  b: side,
  score: field('得分', z.int()),
  why: field('理由', z.array(z.string()), { width: 320, text: (why) => why.join('；') }),
  distanceM: numberOrNull,
});

/** Candidates for one hospital or for typed facts. */
export const queryDuplicateHospital = service.read({
  operation: 'queryDuplicateHospital',
  label: '查询疑似重复医院',
  access: may['hospital.view'],
  input: { hospitalId: field('医院', z.optional(id)), facts: field('医院资料', z.optional(hospitalFactsInput)) },
  output: z.array(candidate),
});
const duplicateFilters = {
  cityAdcode: z.optional(adcode),
  minScore: field('最低分数', z.optional(z.int('分数不正确').check(z.minimum(60, '分数从60开始'), z.maximum(100, '分数最大为100')))),
};
/** Work list of pairs, highest score first. */
export const queryDuplicatePairList = service.list({
  operation: 'queryDuplicatePairList',
  label: '查询疑似重复清单',
  access: may['hospital.view'],
  filter: duplicateFilters,
  output: duplicatePair,
});
export const exportDuplicateHospital = exportOf(queryDuplicatePairList, {
  operation: 'exportDuplicateHospital',
  label: '导出疑似重复医院',
  access: may['hospital.export'],
});
export const ignoreDuplicatePair = service.act({
  operation: 'ignoreDuplicatePair',
  label: '忽略疑似重复',
  access: may['hospital.merge'],
  message: '已忽略',
  input: { leftId: field('医院', id), rightId: field('对照医院', id) },
  output: z.strictObject({}),
});

/** Entered facts that a merge leaves as the survivor has them: where it stands in the tree, its picture and its region. */
const KEPT = ['adcode', 'parentId', 'campusName', 'logoFileId'] as const;
/** Facts that are chosen together, under a name of their own. */
const TOGETHER = {
  place: { label: '坐标', facts: ['lngE6', 'latE6'] },
  licence: { label: '许可证', facts: ['licenceNo', 'licenceValidTo'] },
} as const;
type Together = keyof typeof TOGETHER;
type Alone = Exclude<keyof HospitalFacts, (typeof KEPT)[number] | (typeof TOGETHER)[Together]['facts'][number]>;
const together = (key: keyof HospitalFacts): Together | undefined =>
  keysOf(TOGETHER).find((name) => TOGETHER[name].facts.some((one) => one === key));
const isAlone = (key: keyof HospitalFacts): key is Alone => !KEPT.some((one) => one === key) && together(key) === undefined;

export type MergeField = Alone | Together;
/** Fields whose value a merge chooses, in the order in which a hospital is entered. */
export const mergeFields: readonly MergeField[] = [
  ...new Set(
    hospitalFactKeys.flatMap((key): MergeField[] => (isAlone(key) ? [key] : [together(key)].filter((name) => name !== undefined))),
  ),
];
const isTogether = (field: MergeField): field is Together => field in TOGETHER;
/** Facts that one choice stands for. */
export const factsOfChoice = (field: MergeField): readonly (keyof HospitalFacts)[] => (isTogether(field) ? TOGETHER[field].facts : [field]);
export const mergeFieldLabel = (field: MergeField): string => (isTogether(field) ? TOGETHER[field].label : hospitalLabels[field]);
/** Whether the value may also be typed: free texts, not codes and numbers of a register. */
export const mayType = (field: MergeField): boolean =>
  !isTogether(field) && fieldFacts(hospitalFacts[field])?.kind === 'text' && z.safeParse(hospitalFacts[field], null).success === false;

const choice = z.strictObject({
  from: field('保留的值', z.enum(['survivor', 'loser', 'typed'], '请选择保留的值')),
  value: z.optional(text('手工填写的值', 2000)),
});
const fieldChoice = field('字段取值', z._default(z.partialRecord(z.enum(mergeFields, '字段不正确'), choice), {}));
const planned = z.strictObject({
  fromDeptId: field('原科室', id),
  toDeptId: field('科室去向', z.union([id, z.literal('MOVE')], '请选择科室去向')),
});
const deptPlan = field('科室安排', z._default(z.array(planned).check(z.maxLength(1000, '科室过多')), []));
const loserIds = field(
  '被合并医院',
  z.array(id, '请选择被合并医院').check(z.minLength(1, '请选择被合并医院'), z.maxLength(10, '一次最多合并10家')),
);

export const previewMergeHospital = service.read({
  operation: 'previewMergeHospital',
  label: '预览合并医院',
  access: may['hospital.merge'],
  input: { survivorId: field('保留医院', id), loserIds },
  output: z.strictObject({
    survivor: side,
    losers: z.array(
      z.strictObject({
        loser: side,
        usccDiffers: z.boolean(),
        fields: z.array(
          z.strictObject({
            field: z.enum(mergeFields),
            label: z.string(),
            survivor: z.string(),
            loser: z.string(),
            differs: z.boolean(),
            best: z.enum(['survivor', 'loser']),
            mayType: z.boolean(),
          }),
        ),
        departments: z.array(
          z.strictObject({ fromDeptId: idOut, fromName: z.string(), toDeptId: z.string(), toName: textOrNull, doctorCount: z.int() }),
        ),
        impact: z.strictObject({ doctors: z.int(), contracts: z.int(), departments: z.int(), applications: z.int(), aliases: z.int() }),
      }),
    ),
    targets: z.array(z.strictObject({ id: idOut, name: z.string() })),
  }),
});

const mergeRow = z.strictObject({
  id: idOut,
  mergeNo: field('合并单号', z.string(), { width: 160 }),
  survivorId: idOut,
  survivorName: field('保留医院', z.string(), { width: 240 }),
  loserId: idOut,
  loserName: field('被合并医院', z.string(), { width: 240 }),
  reason: field('原因', z.string(), { width: 240 }),
  usccDiffers: field('信用代码不同', z.boolean()),
  makerName: field('申请人', z.string()),
  mine: z.boolean(),
  checkerName: field('复核人', textOrNull),
  state: field('状态', mergeMachine.dictionary.schema),
  createdAt: field('申请时间', instantOut),
  doneAt: field('合并时间', z.nullable(instantOut)),
  undoneAt: field('撤销时间', z.nullable(instantOut)),
  version: z.int(),
});
export const addMergeHospital = service.act({
  operation: 'addMergeHospital',
  label: '申请合并医院',
  access: may['hospital.merge'],
  message: '已提交复核',
  idempotency: 'required',
  input: { survivorId: field('保留医院', id), loserIds, fieldChoice, deptPlan, reason: text('合并原因', 500, 2) },
  output: z.array(z.strictObject({ id: idOut, mergeNo: z.string(), state: mergeMachine.dictionary.schema, version: z.int() })),
});
export const auditMergeHospital = service.act({
  operation: 'auditMergeHospital',
  label: '复核合并医院',
  access: may['hospital.mergeAudit'],
  message: '修改成功!',
  idempotency: 'required',
  input: {
    mergeId: field('合并', id),
    version,
    action: field('操作', z.enum(['approve', 'reject'], '操作不正确')),
    opinion: z.optional(text('意见', 500)),
  },
  output: mergeRow,
});
export const undoMergeHospital = service.act({
  operation: 'undoMergeHospital',
  label: '撤销合并医院',
  access: may['hospital.supervise'],
  message: '修改成功!',
  idempotency: 'required',
  input: { mergeId: field('合并', id), version, opinion },
  output: mergeRow,
});
const mergeFilters = { keyword: z.optional(text('关键字', 50)), state: z.optional(several(mergeMachine.dictionary.schema)) };
export const queryMergeHospitalList = service.list({
  operation: 'queryMergeHospitalList',
  label: '查询合并记录',
  access: may['hospital.view'],
  filter: { ...sortedBy('mergeNo', 'createdAt', 'doneAt'), ...mergeFilters },
  output: mergeRow,
});
export const exportMergeHospitalList = exportOf(queryMergeHospitalList, {
  operation: 'exportMergeHospitalList',
  label: '导出合并记录',
  access: may['hospital.export'],
});
export const queryMergeHospitalTrail = service.read({
  operation: 'queryMergeHospitalTrail',
  label: '查询合并轨迹',
  access: may['hospital.view'],
  input: { mergeId: field('合并', id) },
  output: trail,
});
