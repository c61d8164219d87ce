import type { IncentiveTask } from '../../contract/dictionaries.ts';
import type { programMachine } from '../../contract/programStates.ts';

export interface ProgramSpec {
  name: string;
  /** Days before today; negative: after it. */
  from: number;
  to: number;
  budgetFen: number;
  fate: keyof typeof programMachine.states;
  tasks: readonly { taskType: IncentiveTask; taskName: string; unitFen: number }[];
  /** Something is done every so many days; absent: nothing. */
  every?: number;
  opinion: string;
}

const edu = { taskType: 'PATIENT_EDU', taskName: '患者教育电话', unitFen: 2_000 } as const;
const visit = { taskType: 'FOLLOW_UP_RECORD', taskName: '随访记录', unitFen: 1_500 } as const;
const survey = { taskType: 'SURVEY', taskName: '用药体验问卷', unitFen: 3_000 } as const;
const caseOf = { taskType: 'CASE_COLLECT', taskName: '病例征集', unitFen: 8_000 } as const;
const lecture = { taskType: 'LECTURE', taskName: '科室授课', unitFen: 30_000 } as const;

/** Programmes in each of their states; the first one has next to nothing left of its budget. */
export const PROGRAMS: readonly ProgramSpec[] = [
  { name: '糖尿病患者教育', from: 60, to: -60, budgetFen: 51_000, fate: 'ACTIVE', tasks: [edu], every: 2, opinion: '任务与单价符合协议' },
  {
    name: '高血压随访质量提升',
    from: 50,
    to: -90,
    budgetFen: 800_000,
    fate: 'ACTIVE',
    tasks: [visit, survey],
    every: 3,
    opinion: '同意开展',
  },
  {
    name: '罕见病病例征集',
    from: 45,
    to: -30,
    budgetFen: 600_000,
    fate: 'PAUSED',
    tasks: [caseOf],
    every: 4,
    opinion: '病例脱敏要求已写入说明',
  },
  { name: '慢病学术调研', from: 70, to: 12, budgetFen: 300_000, fate: 'ENDED', tasks: [survey], every: 5, opinion: '同意开展' },
  { name: '肿瘤规范化诊疗授课', from: 65, to: 40, budgetFen: 200_000, fate: 'CLOSED', tasks: [lecture], opinion: '同意开展' },
  { name: '哮喘吸入技术教育', from: -10, to: -100, budgetFen: 400_000, fate: 'PENDING_AUDIT', tasks: [edu, visit], opinion: '' },
  {
    name: '骨质疏松随访',
    from: -5,
    to: -80,
    budgetFen: 150_000,
    fate: 'REJECTED',
    tasks: [visit],
    opinion: '协议缺少药企盖章，请补齐后重新提交',
  },
  { name: '儿童生长发育调研', from: -20, to: -120, budgetFen: 250_000, fate: 'DRAFT', tasks: [survey], opinion: '' },
];
export const MONTHLY_CAP = 30;
