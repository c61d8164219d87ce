import type { QuestionnaireContent } from '../../../contract/questionnaires/content.ts';

type Question = QuestionnaireContent['questions'][number];
type Options = readonly (readonly [label: string, score: number])[];

const choice = (key: string, title: string, options: Options, more: Partial<Question> = {}): Question => ({
  key,
  type: 'SINGLE',
  title,
  required: true,
  options: options.map(([label, score]) => ({ label, score })),
  ...more,
});
const plain = (key: string, type: 'NUMBER' | 'TEXT' | 'DATE', title: string, more: Partial<Question> = {}): Question => ({
  key,
  type,
  title,
  required: false,
  options: [],
  ...more,
});

const often: Options = [
  ['从不', 0],
  ['偶尔', 1],
  ['经常', 2],
  ['几乎每天', 3],
];
const grade: Options = [
  ['没有', 0],
  ['轻微，不影响生活', 1],
  ['明显，影响部分活动', 2],
  ['严重，不能自理或需就医', 3],
];

export interface DemoForm {
  title: string;
  state: 'ENABLED' | 'DISABLED' | 'AUDITING' | 'DRAFT';
  content: QuestionnaireContent;
}

const adherence: QuestionnaireContent = {
  questions: [
    choice('q1', '最近一周，您有忘记服药吗？', often),
    choice('q2', '感觉好转时，您会自行停药吗？', often),
    choice(
      'q3',
      '您漏服的主要原因是？',
      [
        ['忘记', 0],
        ['担心不良反应', 0],
        ['药品用完', 0],
      ],
      { showIf: { key: 'q1', labels: ['经常', '几乎每天'] } },
    ),
    plain('q4', 'TEXT', '还有什么想告诉医生的？'),
  ],
  alerts: [{ key: null, operator: '>=', value: 5, level: 'MID', taskType: 'CALL' }],
};

const reaction = (name: string): QuestionnaireContent => ({
  questions: [
    choice('q1', `用药后是否出现${name}？`, grade, { variableCode: 'patient.adverseGrade' }),
    plain('q2', 'DATE', '从哪一天开始？', { showIf: { key: 'q1', labels: grade.slice(1).map(([label]) => label) } }),
    {
      ...choice('q3', '还有以下哪些不适？', [
        ['乏力', 1],
        ['恶心', 1],
        ['腹泻', 1],
        ['发热', 2],
      ]),
      type: 'MULTI',
      required: false,
    },
    plain('q4', 'TEXT', '请描述具体情况', { showIf: { key: 'q1', labels: [grade[2]![0], grade[3]![0]] } }),
  ],
  alerts: [
    { key: 'q1', operator: '>=', value: 3, level: 'HIGH', taskType: 'AE' },
    { key: 'q1', operator: '=', value: 2, level: 'MID', taskType: 'REPLY' },
  ],
});

const value = (name: string, variableCode: string, min: number, max: number, high: number): QuestionnaireContent => ({
  questions: [
    plain('q1', 'NUMBER', `最近一次${name}是多少？`, { required: true, min, max, variableCode }),
    plain('q2', 'DATE', '测量日期', { required: true }),
    choice('q3', '最近一周自觉症状如何？', grade),
  ],
  alerts: [{ key: 'q1', operator: '>=', value: high, level: 'HIGH', taskType: 'ALERT' }],
});

export const demoForms: readonly DemoForm[] = [
  { title: '用药依从性问卷', state: 'ENABLED', content: adherence },
  { title: '皮疹与不良反应自评', state: 'ENABLED', content: reaction('皮疹') },
  { title: '化疗后不适自评', state: 'ENABLED', content: reaction('手足麻木') },
  { title: '空腹血糖周报', state: 'ENABLED', content: value('空腹血糖（mmol/L）', 'patient.fastingGlucose', 1, 40, 13) },
  { title: '家庭血压周报', state: 'ENABLED', content: value('收缩压（mmHg）', 'patient.systolic', 60, 260, 180) },
  {
    title: '睡眠与情绪筛查',
    state: 'ENABLED',
    content: { ...adherence, questions: [choice('q1', '最近两周是否情绪低落？', often), choice('q2', '是否难以入睡？', often)] },
  },
  {
    title: '服务满意度调查',
    state: 'DISABLED',
    content: {
      questions: [
        choice('q1', '您对随访服务满意吗？', [
          ['满意', 2],
          ['一般', 1],
          ['不满意', 0],
        ]),
      ],
      alerts: [],
    },
  },
  {
    title: '哮喘控制测试',
    state: 'AUDITING',
    content: { questions: [choice('q1', '最近四周哮喘影响工作的频率？', often)], alerts: [] },
  },
  {
    title: '关节疼痛评分',
    state: 'DRAFT',
    content: { questions: [plain('q1', 'NUMBER', '疼痛评分（0至10）', { required: true, min: 0, max: 10 })], alerts: [] },
  },
];

export const DEMO_ANSWERS = 420;
export const DEMO_ALERTS = 18;
