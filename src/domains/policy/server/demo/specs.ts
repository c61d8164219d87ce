import type { HandKind, PayMode } from '../../contract/dictionaries.ts';

/** What became of an endorsement that somebody made. */
type EndorsementFate = 'VISIBLE' | 'UNDONE' | 'PENDING_AUDIT' | 'REJECTED' | 'DRAFT' | 'DISCARDED';
export type OrderFate =
  | 'DRAFT'
  | 'PENDING_AUDIT'
  | 'PENDING_SECOND'
  | 'REJECTED'
  | 'APPROVED'
  | 'PART_SETTLED'
  | 'SETTLED'
  | 'REVERSED'
  | 'VOIDED';

/** A change of a policy, so many days after its start (negative: before today). */
export interface Step {
  kind: HandKind;
  /** Days from today on which it was passed, 0 or less. */
  day: number;
  /** Days before that day on which it takes effect; for 减员 the last covered day. */
  back?: number;
  fate?: EndorsementFate;
  order?: OrderFate;
  persons?: number;
  /** Whom it is about, where that was not left to chance. */
  only?: readonly string[];
}

export interface PolicySpec {
  product: string;
  type: 'GROUP' | 'PERSONAL' | 'CITY';
  holder: string;
  /** Days from today on which the cover begins. */
  starts: number;
  days?: number;
  persons: number;
  pay?: PayMode;
  monthly?: boolean;
  feeBp?: number;
  /** 30 where nothing else was agreed. */
  graceDays?: number;
  /** Persons whom the holder declared beside those that are covered. */
  declaredMore?: number;
  channel?: string;
  adcode?: string;
  /** A number, and a plan that no version of the product has: what is wrong on purpose stands in a series of its own. */
  policyNo?: string;
  planCode?: string;
  /** The night on which it should have begun passed it by. */
  unstarted?: boolean;
  /** Index of the policy that this one goes on from, and days between them. */
  renews?: { of: number; gap: number };
  /** Patients of whom stories tell; they come first in the list. */
  heads?: readonly string[];
  /** An instalment that was not paid in time, so that the policy rested; days from today on which it was paid with those after it. */
  lapses?: { part: number; paid?: number };
  /** What became of the first order. */
  order?: OrderFate;
  steps?: readonly Step[];
}

/** Policies whose numbers begin so hold what the nightly look is there to find, and nothing else does. */
export const SERIES = 'AB-';

const person = (product: string, holder: string, starts: number, persons: number, more: Partial<PolicySpec> = {}): PolicySpec => ({
  product,
  type: 'PERSONAL',
  holder,
  starts,
  persons,
  ...more,
});
const group = (product: string, holder: string, starts: number, persons: number, more: Partial<PolicySpec> = {}): PolicySpec => ({
  product,
  type: 'GROUP',
  holder,
  starts,
  persons,
  feeBp: 500,
  ...more,
});

/** 40 policies over all lines that are sold, in every state. */
export const policySpecs: readonly PolicySpec[] = [
  // (1) a company whose people come and go, some of them told late; its lists stand in listSpecs
  group('HMO-2026', '江南科技有限公司', -220, 420, {
    declaredMore: 4,
    channel: '企业直销',
    heads: ['李秀兰'],
    steps: [
      { kind: 'CORRECT', day: -90 },
      { kind: 'PLAN', day: -60, persons: 5 },
      { kind: 'REMOVE', day: -12, back: 2, persons: 3, order: 'APPROVED' },
      { kind: 'ADD', day: -4, back: 45, order: 'PENDING_SECOND' },
      { kind: 'ADD', day: -3, order: 'PENDING_AUDIT' },
      { kind: 'ADD', day: 0, fate: 'PENDING_AUDIT' },
    ],
  }),
  // (4) pays monthly, was late, rested, paid, goes on
  group('HMO-2026', '江城制造集团有限公司', -130, 120, {
    pay: 'MONTH',
    monthly: true,
    lapses: { part: 2, paid: -57 },
    steps: [
      { kind: 'REINSTATE', day: -55 },
      { kind: 'REMOVE', day: -20, persons: 4 },
    ],
  }),
  group('MED-2026', '华东医药物流有限公司', -335, 257, {
    steps: [
      { kind: 'REMOVE', day: -200, persons: 6 },
      { kind: 'ADD', day: -180, fate: 'UNDONE' },
    ],
  }),
  group('CHR-2026', '西湖食品集团有限公司', -342, 180, {
    pay: 'QUARTER',
    monthly: true,
    steps: [
      { kind: 'PLAN', day: -160, persons: 57 },
      { kind: 'REMOVE', day: -80, persons: 5, fate: 'UNDONE' },
      { kind: 'HOLDER', day: -70 },
    ],
  }),
  group('SPD-2026', '长江造船有限公司', -350, 210, {
    pay: 'QUARTER',
    declaredMore: 3,
    steps: [
      { kind: 'CORRECT', day: -120, fate: 'UNDONE' },
      { kind: 'ADD', day: -3, back: 40, order: 'PENDING_SECOND' },
    ],
  }),
  group('DAAS-2026', '康桥科技有限公司', -210, 320, { heads: ['刘洋'] }),
  group('SPD-R2-2026', '沪上金融服务有限公司', -160, 150, {
    pay: 'QUARTER',
    declaredMore: 2,
    steps: [
      { kind: 'REMOVE', day: -66, persons: 3, order: 'SETTLED' },
      { kind: 'ADD', day: -15, order: 'REJECTED' },
    ],
  }),
  group('RSB-2026', '康桥患者关爱基金会', -190, 90, { declaredMore: 5 }),
  group('MED-2026', '钱塘软件有限公司', -95, 140, {
    pay: 'QUARTER',
    steps: [
      { kind: 'REMOVE', day: -30, persons: 4, order: 'REVERSED' },
      { kind: 'ADD', day: -2, back: 38, order: 'PENDING_SECOND' },
      { kind: 'HOLDER', day: 0, fate: 'REJECTED' },
    ],
  }),
  // (2) its lists: the wrong file, taken back, the right one
  group('SPD-2026', '滨江建设集团有限公司', -80, 160, {
    steps: [
      { kind: 'ADD', day: -50, order: 'REVERSED' },
      { kind: 'PLAN', day: -20, persons: 6, order: 'PART_SETTLED' },
      { kind: 'REMOVE', day: -1, persons: 2, fate: 'REJECTED' },
      { kind: 'CORRECT', day: 0, fate: 'PENDING_AUDIT' },
    ],
  }),
  group('CHR-2026', '山城餐饮管理有限公司', -100, 110, { steps: [{ kind: 'SURRENDER', day: -35, order: 'APPROVED' }] }),
  group('HMO-2026', '秦岭能源有限公司', -75, 60, { order: 'SETTLED', steps: [{ kind: 'CANCEL', day: -60, order: 'SETTLED' }] }),
  group('SPD-R2-2026', '海河贸易有限公司', -45, 55, { order: 'SETTLED', steps: [{ kind: 'CANCEL', day: -25, order: 'APPROVED' }] }),
  // did not pay its second month, and rests
  group('MED-2026', '珠江传媒有限公司', -75, 90, { pay: 'MONTH', order: 'SETTLED', lapses: { part: 2 } }),
  group('CHR-2026', '岭南医药有限公司', -70, 80, {
    pay: 'MONTH',
    steps: [
      { kind: 'SUSPEND', day: -20 },
      { kind: 'REINSTATE', day: 0, fate: 'PENDING_AUDIT' },
    ],
  }),
  group('SPD-2026', '中原机械有限公司', -30, 130, { pay: 'MONTH', order: 'PART_SETTLED' }),
  group('DAAS-2026', '东海渔业有限公司', 9, 70),
  group('HMO-2026', '云岭旅游有限公司', 20, 85, { order: 'PENDING_AUDIT' }),
  // over, and gone on from: without a gap, and with one
  group('SPD-2026', '太湖纺织有限公司', -470, 100, { days: 365, steps: [{ kind: 'REMOVE', day: -250, persons: 5 }] }),
  group('SPD-2026', '太湖纺织有限公司', -105, 96, { renews: { of: 18, gap: 0 }, declaredMore: -2 }),
  group('CHR-2026', '洞庭农业有限公司', -480, 64, { days: 365, pay: 'QUARTER' }),
  group('CHR-2026', '洞庭农业有限公司', -95, 60, { renews: { of: 20, gap: 20 }, order: 'SETTLED' }),
  group('MED-2026', '天府文化有限公司', -420, 75, { days: 300, steps: [{ kind: 'EXTEND', day: -180, order: 'SETTLED' }] }),
  // families and single people, of whom the product knows many
  person('SPD-2026', '', -310, 1, { pay: 'MONTH', steps: [{ kind: 'PLAN', day: -100, persons: 1 }] }),
  person('MED-2026', '', -180, 4, { pay: 'MONTH', steps: [{ kind: 'CORRECT', day: -40 }] }),
  person('CHR-2026', '', -140, 1, { pay: 'MONTH', steps: [{ kind: 'PLAN', day: -70, persons: 1, fate: 'UNDONE' }] }),
  person('SPD-R2-2026', '', -110, 2, { pay: 'MONTH' }),
  person('SPD-2026', '', -345, 3, { pay: 'MONTH', graceDays: 90, heads: ['张建国'] }),
  person('MED-2026', '', -352, 2, { pay: 'MONTH', graceDays: 90 }),
  person('CHR-2026', '', -349, 1, { pay: 'MONTH', graceDays: 90 }),
  person('SPD-2026', '', -60, 3, { pay: 'MONTH', steps: [{ kind: 'ADD', day: -1, back: 33, order: 'PENDING_SECOND' }] }),
  person('MED-R-2026', '', -55, 1, { order: 'APPROVED' }),
  person('CHR-2026', '', -50, 2, { steps: [{ kind: 'SURRENDER', day: -3, order: 'PENDING_AUDIT' }] }),
  person('HMB-NH-2026', '', -48, 4, { pay: 'MONTH', heads: ['王志强'], order: 'SETTLED' }),
  person('SPD-2026', '', -25, 1, { order: 'REJECTED' }),
  person('MED-2026', '', -18, 2, { order: 'DRAFT', steps: [{ kind: 'ADD', day: -4, fate: 'DISCARDED' }] }),
  person('SPD-R2-2026', '', -9, 1, { order: 'VOIDED', steps: [{ kind: 'HOLDER', day: 0, fate: 'DRAFT' }] }),
  person('SPD-2026', '', 15, 2, { order: 'PENDING_AUDIT' }),
  // whole cities, last: what is looked at of each other policy is small until then
  { ...person('HMB-JC-2026', '江城市医疗保障局', -200, 8000), type: 'CITY', adcode: '420100', channel: '惠民保专区', declaredMore: 120 },
  { ...person('HMB-NH-2026', '南湖区医疗保障局', -120, 768), type: 'CITY', adcode: '330402', channel: '惠民保专区' },
];
