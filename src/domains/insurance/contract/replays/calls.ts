import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, id, idOut, instantOut, optionalText, several, version } from '#kernel/contract/fields.ts';
import { ADDED, CHANGED } from '#kernel/contract/service.ts';
import { adjudicationOutcomes, waterfallSteps } from '../adjudication/result.ts';
import { productLines } from '../businessLines.ts';
import { claimRuleService } from '../claimRules/service.ts';
import { replayPermissions } from '../permissions.ts';
import { testOwners } from '../tests/dictionaries.ts';
import { replayStates, replayVerdicts } from './states.ts';

const may = replayPermissions['replay.run'];
const owner = { ownerType: field('回放对象', testOwners.schema), ownerId: field('版本', id) };

/** Most cases of one replay, and how many are worked off at once. */
export const MOST_CASES = 20_000;
export const BATCH_CASES = 500;

export const replayFilter = z.strictObject({
  insurerIds: field('保司', z.array(id).check(z.maxLength(100))),
  productIds: field('产品', z.array(id).check(z.maxLength(100))),
  productLines: field('业务线', z.array(productLines.schema).check(z.maxLength(productLines.codes.length))),
});
const replayOut = z.strictObject({
  id: idOut,
  replayNo: z.string(),
  ownerType: testOwners.schema,
  ownerId: idOut,
  ownerName: z.string(),
  fromDate: z.string(),
  toDate: z.string(),
  state: replayStates.dictionary.schema,
  total: z.int(),
  done: z.int(),
  changed: z.int(),
  failed: z.int(),
  paidBeforeFen: z.int(),
  paidAfterFen: z.int(),
  /** The content that was replayed is still that of the draft: it counts for publishing. */
  counts: z.boolean(),
  /** Cases judged as not expected, and those of them without a note. */
  judged: z.int(),
  unexpected: z.int(),
  unnoted: z.int(),
  fault: z.nullable(z.string()),
  createdAt: instantOut,
  createdByName: z.nullable(z.string()),
  endedAt: z.nullable(instantOut),
  version: z.int(),
  /** Who started it may stop it. */
  mayCancel: z.boolean(),
});
export type Replay = z.output<typeof replayOut>;

/** The last month of the calendar where no days are given. */
export const addReplay = claimRuleService.act({
  operation: 'addReplay',
  label: '发起历史回放',
  access: may,
  ...ADDED,
  input: {
    ...owner,
    fromDate: field('开始日期', z.optional(day)),
    toDate: field('结束日期', z.optional(day)),
    filter: field('筛选', z.optional(replayFilter)),
  },
  output: z.strictObject({ id: idOut, replayNo: z.string(), total: z.int() }),
});
export const cancelReplay = claimRuleService.act({
  operation: 'cancelReplay',
  label: '取消历史回放',
  access: may,
  ...CHANGED,
  input: { id, version },
  output: z.strictObject({ id: idOut, state: replayStates.dictionary.schema }),
});
/** The latest replays of a version. */
export const queryReplayList = claimRuleService.read({
  operation: 'queryReplayList',
  label: '查询历史回放',
  access: may,
  input: owner,
  output: z.array(replayOut),
});
export const queryReplayDetail = claimRuleService.read({
  operation: 'queryReplayDetail',
  label: '查询历史回放详情',
  access: may,
  input: { id },
  output: replayOut,
});

const stepOut = z.strictObject({ code: waterfallSteps.schema, cut: z.int(), after: z.int(), text: z.string() });
const replayLine = z.strictObject({
  lineNo: z.int(),
  medicineName: z.string(),
  payableFen: z.int(),
  reasons: z.array(z.string()),
  steps: z.array(stepOut),
});
export const replaySides = z.strictObject({ before: z.array(replayLine), after: z.array(replayLine) });
export type ReplaySides = z.output<typeof replaySides>;

export const queryReplayCaseList = claimRuleService.list({
  operation: 'queryReplayCaseList',
  label: '查询回放变化案件',
  access: may,
  filter: {
    replayId: field('回放', id),
    verdict: field('判断', z.optional(several(replayVerdicts.schema))),
  },
  output: z.strictObject({
    id: idOut,
    claimNo: field('理赔单号', z.string(), { width: 170 }),
    beforeFen: field('原赔付', z.int(), { kind: 'money' }),
    afterFen: field('新赔付', z.int(), { kind: 'money' }),
    diffFen: field('差额', z.int(), { kind: 'money' }),
    outcomeBefore: field('原结论', adjudicationOutcomes.schema),
    outcomeAfter: field('新结论', adjudicationOutcomes.schema),
    verdict: field('判断', z.nullable(replayVerdicts.schema)),
    note: field('说明', z.string(), { width: 200 }),
    judgedByName: field('判断人', z.nullable(z.string())),
    sides: replaySides,
  }),
});
export const exportReplay = exportOf(queryReplayCaseList, {
  operation: 'exportReplay',
  label: '导出回放变化案件',
  access: may,
});

/** Null takes a verdict back. What was not expected is explained before it counts for publishing. */
export const judgeReplayCase = claimRuleService.act({
  operation: 'judgeReplayCase',
  label: '判断回放案件',
  access: may,
  ...CHANGED,
  input: { id, verdict: field('判断', z.nullable(replayVerdicts.schema)), note: optionalText('说明', 200) },
  output: z.strictObject({ id: idOut, verdict: z.nullable(replayVerdicts.schema) }),
});
