import type { Selectable } from 'kysely';
import type { ConditionRow } from '../../../contract/rules/conditions.ts';
import type { ContentMarkRule } from '../../tables.ts';

export interface DemoRule {
  group: string;
  mark: string;
  objectType: 'PATIENT' | 'DOCTOR' | 'MEDICINE';
  conditions: readonly ConditionRow[];
  schedule: ContentMarkRule['schedule'];
  state: Selectable<ContentMarkRule>['state'];
  removeWhenFalse?: boolean;
  /** What the dry run foresaw. */
  foreseen: number;
  /** Runs and dry runs, the dry run among them; none: it was never tried. */
  runs: number;
  /** What the nights after the publication changed, the first one first; afterwards little. */
  nights?: readonly (readonly [added: number, removed: number])[];
  /** Place of a run that was aborted, or that failed and was done once more. */
  aborted?: number;
  failed?: number;
}

/** `code operator value`, joined with 且; groups with 或. */
const when = (...groups: readonly (readonly string[])[]): ConditionRow[] =>
  groups.flatMap((rows, place) =>
    rows.map((text) => {
      const [variableCode = '', operator = '', value = ''] = text.split(' ');
      const known = (['>', '<', '=', '>=', '<=', 'range', 'in'] as const).find((one) => one === operator) ?? '=';
      return { variableCode, operator: known, value, groupNo: place + 1 };
    }),
  );

/** content.md §Demo data: 12 rules with 90 runs. */
export const demoRules: readonly DemoRule[] = [
  {
    group: '生命周期',
    mark: '高复购',
    objectType: 'PATIENT',
    conditions: when(['patient.purchaseCount >= 3', 'patient.daysSincePurchase <= 90']),
    schedule: 'DAILY',
    // Its people have fewer orders in the demonstration than its story tells: it changes them no further.
    state: 'PAUSED',
    foreseen: 412,
    runs: 15,
    nights: [[0, 38]],
  },
  {
    group: '生命周期',
    mark: '沉睡',
    objectType: 'PATIENT',
    conditions: when(['patient.daysSincePurchase >= 180']),
    schedule: 'DAILY',
    state: 'RUNNING',
    foreseen: 96,
    runs: 14,
  },
  {
    group: '生命周期',
    mark: '新注册',
    objectType: 'PATIENT',
    conditions: when(['patient.recordDays <= 30']),
    schedule: 'DAILY',
    state: 'RUNNING',
    foreseen: 58,
    runs: 14,
  },
  {
    group: '价值等级',
    mark: '高价值',
    objectType: 'PATIENT',
    conditions: when(['patient.purchaseCount >= 6'], ['patient.purchaseCount >= 3', 'patient.daysSincePurchase <= 30']),
    schedule: 'DAILY',
    state: 'RUNNING',
    foreseen: 74,
    runs: 12,
  },
  {
    group: '服务偏好',
    mark: '视力不便',
    objectType: 'PATIENT',
    conditions: when(['patient.age >= 75']),
    schedule: 'DAILY',
    state: 'PAUSED',
    removeWhenFalse: false,
    foreseen: 44,
    runs: 6,
  },
  {
    group: '运营活动',
    mark: '国庆关怀',
    objectType: 'PATIENT',
    conditions: when(['patient.marketingConsent = 1', 'patient.age >= 60']),
    schedule: 'ONCE',
    state: 'ENDED',
    removeWhenFalse: false,
    foreseen: 83,
    runs: 2,
  },
  {
    group: '合作阶段',
    mark: '活跃',
    objectType: 'DOCTOR',
    conditions: when(['doctor.patientCount >= 5', 'doctor.practiceOk = 1']),
    schedule: 'DAILY',
    state: 'RUNNING',
    foreseen: 36,
    runs: 12,
    aborted: 1,
  },
  {
    group: '学术影响',
    mark: '全国专家',
    objectType: 'DOCTOR',
    conditions: when(['doctor.title = CHIEF', 'doctor.servedCount >= 100']),
    schedule: 'EVENT',
    state: 'RUNNING',
    foreseen: 18,
    runs: 3,
  },
  {
    group: '运营活动',
    mark: '年会嘉宾',
    objectType: 'DOCTOR',
    conditions: when(['doctor.title in CHIEF,ASSOCIATE', 'doctor.recordDays >= 365']),
    schedule: 'ONCE',
    state: 'DRAFT',
    foreseen: 0,
    runs: 0,
  },
  {
    group: '用药特点',
    mark: '需冷藏',
    objectType: 'MEDICINE',
    conditions: when(['medicine.coldChain = 1']),
    schedule: 'EVENT',
    state: 'RUNNING',
    foreseen: 22,
    runs: 3,
  },
  {
    group: '供应情况',
    mark: '新上市',
    objectType: 'MEDICINE',
    conditions: when(['medicine.onSale = 1', 'medicine.daysOnSale <= 30']),
    schedule: 'DAILY',
    state: 'RUNNING',
    foreseen: 16,
    runs: 8,
    failed: 4,
  },
  {
    group: '经营分层',
    mark: '战略品种',
    objectType: 'MEDICINE',
    conditions: when(['medicine.retailPrice >= 5000', 'medicine.onSale = 1']),
    schedule: 'DAILY',
    state: 'DRAFT',
    foreseen: 12,
    runs: 1,
  },
];
