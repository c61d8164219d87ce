import type * as z from 'zod/mini';
import type { completeGroup } from '#kernel/contract/rules/groups.ts';
import type { Operator } from '#kernel/contract/rules/rule.ts';
import type { CapSpec, ControlMode } from '../../../contract/adjudication/spec.ts';
import type { ControlStage } from '../../../contract/rules/variables.ts';

type Expression = z.output<typeof completeGroup>;
export type RuleFate = 'IN_FORCE' | 'WAITING' | 'EXPIRED' | 'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'PAUSED' | 'WITHDRAWN';

export interface DemoModule {
  code: string;
  name: string;
  stage: ControlStage;
  observeOnly?: boolean;
  lines?: readonly string[];
  remark: string;
}

export interface DemoRuleVersion {
  mode: ControlMode;
  fate: RuleFate;
  cap?: CapSpec;
}

export interface DemoControlRule {
  module: string;
  code: string;
  name: string;
  expression: Expression;
  versions: readonly DemoRuleVersion[];
  applicantText: string;
  /** Hits in the last 30 days, and how many of a hundred were overturned. */
  hits?: readonly [count: number, overturned: number];
}

const all = (...items: readonly (readonly [variable: string, operator: Operator, value: string])[]): Expression => ({
  op: 'AND',
  items: items.map(([variable, operator, value]) => ({ variable, operator, value })),
});
const quantity = (boxes: number): CapSpec => ({ target: 'QTY', value: boxes * 1000, variable: null, factorBp: null });
const price = (fen: number): CapSpec => ({ target: 'UNIT_PRICE', value: fen, variable: null, factorBp: null });

export const demoModules: readonly DemoModule[] = [
  { code: 'RZZG', name: '入组资格复核', stage: 'ENROL', remark: '带病投保与短期集中入组' },
  { code: 'ZFSQ', name: '直付授权', stage: 'DIRECT', remark: '药店直付前的数量与频次' },
  { code: 'YLKZ', name: '用量控制', stage: 'CLAIM', remark: '续药时间、累计数量、日剂量' },
  { code: 'JGKZ', name: '价格与金额', stage: 'CLAIM', lines: ['STANDARD', 'SAAS'], remark: '单价、单行与整案金额' },
  { code: 'YSMD', name: '医生与门店异常', stage: 'CLAIM', observeOnly: true, remark: '观察期，不影响结果' },
  { code: 'DKFH', name: '打款前复核', stage: 'PAY', remark: '大额与疑似重复' },
];

const one = (mode: ControlMode, fate: RuleFate, cap?: CapSpec): readonly DemoRuleVersion[] => [{ mode, fate, ...(cap && { cap }) }];

export const demoControlRules: readonly DemoControlRule[] = [
  {
    module: 'RZZG',
    code: 'RZZG-001',
    name: '起保前已确诊',
    expression: all(['dx.sinceStartDays', '<', '0']),
    versions: one('WARN', 'IN_FORCE'),
    applicantText: '',
    hits: [26, 8],
  },
  {
    module: 'RZZG',
    code: 'RZZG-002',
    name: '等待期后立即入组',
    expression: all(['dx.sinceStartDays', 'range', '30,40']),
    versions: one('MONITOR', 'IN_FORCE'),
    applicantText: '',
    hits: [31, 3],
  },
  {
    module: 'RZZG',
    code: 'RZZG-003',
    name: '高龄首次投保',
    expression: all(['person.age', '>=', '75'], ['person.enrolDays', '<', '30']),
    versions: one('HOLD', 'DRAFT'),
    applicantText: '您的申请需要人工复核，请留意通知',
  },
  {
    module: 'RZZG',
    code: 'RZZG-004',
    name: '医生集中推荐入组',
    expression: all(['doctor.rx30d', '>', '60']),
    versions: one('MONITOR', 'EXPIRED'),
    applicantText: '',
  },
  {
    module: 'ZFSQ',
    code: 'ZFSQ-001',
    name: '单次直付数量',
    expression: all(['line.qty', '>', '3']),
    versions: one('CAP', 'IN_FORCE', quantity(3)),
    applicantText: '单次直付最多3个销售单位',
    hits: [44, 5],
  },
  {
    module: 'ZFSQ',
    code: 'ZFSQ-002',
    name: '七天内同药再次直付',
    expression: all(['line.sinceLastDays', '<', '7']),
    versions: one('REJECT', 'IN_FORCE'),
    applicantText: '距上次购药不足7天，暂不能直付',
    hits: [18, 11],
  },
  {
    module: 'ZFSQ',
    code: 'ZFSQ-003',
    name: '多店购药',
    expression: all(['person.stores90d', '>=', '4']),
    versions: one('WARN', 'IN_FORCE'),
    applicantText: '',
    hits: [22, 36],
  },
  {
    module: 'ZFSQ',
    code: 'ZFSQ-004',
    name: '直付日剂量过大',
    expression: all(['line.doseFactor', '>', '2']),
    versions: one('HOLD', 'PENDING_AUDIT'),
    applicantText: '用药剂量需要药师复核',
  },
  {
    module: 'ZFSQ',
    code: 'ZFSQ-005',
    name: '夜间大额直付',
    expression: all(['claim.amount', '>', '3000000']),
    versions: one('MONITOR', 'WITHDRAWN'),
    applicantText: '',
  },
  {
    module: 'YLKZ',
    code: 'YLKZ-001',
    name: '早续药',
    expression: all(['line.earlyRefillDays', '>=', '10']),
    versions: [
      { mode: 'MONITOR', fate: 'EXPIRED' },
      { mode: 'HOLD', fate: 'PAUSED' },
    ],
    applicantText: '距上次购药时间较短，案件转人工核实',
    hits: [50, 34],
  },
  {
    module: 'YLKZ',
    code: 'YLKZ-002',
    name: '90天数量过多',
    expression: all(['line.qty90d', '>', '6'], ['line.doseFactor', '>=', '1.5']),
    versions: one('CAP', 'IN_FORCE', quantity(2)),
    applicantText: '90天累计用药超出说明书用量，按2个销售单位核定',
    hits: [63, 9],
  },
  {
    module: 'YLKZ',
    code: 'YLKZ-003',
    name: '30天数量过多',
    expression: all(['line.qty30d', '>', '4']),
    versions: one('CAP', 'IN_FORCE', quantity(3)),
    applicantText: '30天累计用药超出常用量，按3个销售单位核定',
    hits: [41, 12],
  },
  {
    module: 'YLKZ',
    code: 'YLKZ-004',
    name: '日剂量超说明书两倍',
    expression: all(['line.doseFactor', '>=', '2']),
    versions: one('HOLD', 'IN_FORCE'),
    applicantText: '用药剂量需要药师复核',
    hits: [29, 17],
  },
  {
    module: 'YLKZ',
    code: 'YLKZ-005',
    name: '提前续药拒付',
    expression: all(['line.earlyRefillDays', '>=', '10']),
    versions: one('REJECT', 'DRAFT'),
    applicantText: '距上次购药时间过短，本次不予赔付',
  },
  {
    module: 'YLKZ',
    code: 'YLKZ-006',
    name: '疗程外续药',
    expression: all(['line.sinceLastDays', '>', '120']),
    versions: one('MONITOR', 'IN_FORCE'),
    applicantText: '',
    hits: [37, 2],
  },
  {
    module: 'YLKZ',
    code: 'YLKZ-007',
    name: '确诊当日大量购药',
    expression: all(['dx.sinceStartDays', '<=', '31'], ['line.qty', '>', '2']),
    versions: one('WARN', 'REJECTED'),
    applicantText: '',
  },
  {
    module: 'JGKZ',
    code: 'JGKZ-001',
    name: '单价高于全国最低价三成',
    expression: all(['line.unitPrice', '>', '600000']),
    versions: one('CAP', 'IN_FORCE', price(600_000)),
    applicantText: '单价超出限价，按限价核定',
    hits: [35, 6],
  },
  {
    module: 'JGKZ',
    code: 'JGKZ-002',
    name: '单行赔付过高',
    expression: all(['claim.amount', '>', '5000000']),
    versions: one('CAP', 'IN_FORCE', { target: 'PAYABLE', value: 4_000_000, variable: null, factorBp: null }),
    applicantText: '单行赔付按限额核定',
    hits: [12, 8],
  },
  {
    module: 'JGKZ',
    code: 'JGKZ-003',
    name: '整案赔付过高',
    expression: all(['claim.amount', '>', '10000000']),
    versions: one('CAP', 'WAITING', { target: 'CLAIM_PAYABLE', value: 8_000_000, variable: null, factorBp: null }),
    applicantText: '整案赔付按限额核定',
  },
  {
    module: 'JGKZ',
    code: 'JGKZ-004',
    name: '小额频繁理赔',
    expression: all(['claim.amount', '<', '50000'], ['person.claims30d', '>=', '5']),
    versions: one('WARN', 'IN_FORCE'),
    applicantText: '',
    hits: [33, 41],
  },
  {
    module: 'JGKZ',
    code: 'JGKZ-005',
    name: '超期提交',
    expression: all(['claim.delayDays', '>', '150']),
    versions: one('MONITOR', 'IN_FORCE'),
    applicantText: '',
    hits: [19, 0],
  },
  {
    module: 'YSMD',
    code: 'YSMD-001',
    name: '医生处方偏离同科',
    expression: all(['doctor.deviation', '>=', '3']),
    versions: one('HOLD', 'IN_FORCE'),
    applicantText: '处方需要进一步核实',
    hits: [24, 4],
  },
  {
    module: 'YSMD',
    code: 'YSMD-002',
    name: '门店赔付偏离',
    expression: all(['store.deviation', '>=', '3']),
    versions: one('REJECT', 'IN_FORCE'),
    applicantText: '购药门店需要进一步核实',
    hits: [16, 6],
  },
  {
    module: 'YSMD',
    code: 'YSMD-003',
    name: '门店30天赔付过高',
    expression: all(['store.paid30d', '>', '50000000']),
    versions: one('WARN', 'IN_FORCE'),
    applicantText: '',
    hits: [9, 0],
  },
  {
    module: 'DKFH',
    code: 'DKFH-001',
    name: '大额打款',
    expression: all(['claim.payable', '>=', '5000000']),
    versions: one('HOLD', 'IN_FORCE'),
    applicantText: '大额赔款需要复核后支付',
    hits: [14, 7],
  },
  {
    module: 'DKFH',
    code: 'DKFH-002',
    name: '发票疑似重复',
    expression: all(['claim.dupScore', '>=', '85']),
    versions: one('HOLD', 'IN_FORCE'),
    applicantText: '票据需要核实是否重复申请',
    hits: [11, 9],
  },
  {
    module: 'DKFH',
    code: 'DKFH-003',
    name: '本年赔付过高',
    expression: all(['person.paidYear', '>', '80000000']),
    versions: one('WARN', 'PAUSED'),
    applicantText: '',
  },
  {
    module: 'DKFH',
    code: 'DKFH-004',
    name: '特殊标记人员',
    expression: all(['person.marks', 'contains', 'WATCH']),
    versions: one('WARN', 'DRAFT'),
    applicantText: '',
  },
];
