import { sql } from 'kysely';
import { type Operator, basicOperators } from '#kernel/contract/rules/rule.ts';
import type { ReferenceData } from '#kernel/server/module.ts';
import type { Role } from '../../contract/dictionaries.ts';

interface VariableSeed {
  id: number;
  code: string;
  name: string;
  userType: Role;
  /** 1 for conditions, 2 for message texts, 3 for both. */
  flag: 1 | 2 | 3;
  valueType: 'NUMBER' | 'OPTION';
  options: readonly { value: string; label: string }[];
  unit: string;
  decimals: number;
  operators: readonly Operator[];
  timeDerived: boolean;
  source: string;
  refreshOn: readonly string[];
}

type NumberExtra = Partial<Pick<VariableSeed, 'unit' | 'decimals' | 'timeDerived' | 'flag' | 'refreshOn'>>;

const number = (id: number, userType: Role, code: string, name: string, source: string, extra: NumberExtra = {}): VariableSeed => ({
  id,
  code,
  name,
  userType,
  source,
  flag: 1,
  valueType: 'NUMBER',
  options: [],
  unit: '',
  decimals: 0,
  operators: basicOperators,
  timeDerived: false,
  refreshOn: [],
  ...extra,
});

const option = (
  id: number,
  userType: Role,
  code: string,
  name: string,
  source: string,
  labels: readonly string[],
  firstDigit: number,
  refreshOn: readonly string[] = [],
): VariableSeed => ({
  id,
  code,
  name,
  userType,
  source,
  refreshOn,
  flag: 1,
  valueType: 'OPTION',
  unit: '',
  decimals: 0,
  operators: ['='],
  timeDerived: false,
  options: labels.map((label, index) => ({ value: String(firstDigit + index), label })),
});

const record = ['patient.record.changed'];
const paid = ['order.order.paid'];
const posted = ['consultation.message.posted'];

/** A patient's indicator: the latest value of his record. */
const indicator = (id: number, code: string, name: string, unit: string, decimals: number) =>
  number(id, 1, code, name, '检查检验记录（最近一次）', { unit, decimals, refreshOn: record });

/**
 * The variables of conditions. Ids are fixed: stored conditions refer to them. A new one goes to the end;
 * none is ever removed or given another meaning.
 */
export const variableSeeds: readonly VariableSeed[] = [
  number(1, 1, 'patient.age', '年龄', '实名信息', { unit: '岁', timeDerived: true, flag: 3 }),
  option(2, 1, 'patient.sex', '性别', '实名信息', ['男', '女'], 1),
  number(3, 1, 'patient.diagnosedDays', '确诊天数', '诊断记录', { unit: '天', timeDerived: true, refreshOn: record }),
  number(4, 1, 'patient.groupDays', '入群天数', '会话', { unit: '天', timeDerived: true, refreshOn: ['consultation.conversation.opened'] }),
  number(5, 1, 'patient.daysSincePurchase', '距上次购药天数', '购药订单', { unit: '天', timeDerived: true, flag: 3, refreshOn: paid }),
  number(6, 1, 'patient.medicineDaysLeft', '剩余用药天数', '购药订单与用法用量', {
    unit: '天',
    timeDerived: true,
    flag: 3,
    refreshOn: paid,
  }),
  number(7, 1, 'patient.purchaseCount', '累计购药次数', '购药订单', { unit: '次', refreshOn: paid }),
  number(8, 1, 'patient.daysSinceRevisit', '距上次复诊天数', '就诊记录', {
    unit: '天',
    timeDerived: true,
    flag: 3,
    refreshOn: ['consultation.visitRecord.completed'],
  }),
  number(9, 1, 'patient.daysSinceInspection', '距上次检查天数', '检查检验记录', { unit: '天', timeDerived: true, refreshOn: record }),
  number(10, 1, 'patient.daysSinceReply', '距上次回复天数', '会话消息', { unit: '天', timeDerived: true, refreshOn: posted }),
  number(11, 1, 'patient.unreadFollowUps', '未读随访消息数', '会话消息', { unit: '条', refreshOn: ['consultation.message.read'] }),
  number(12, 1, 'patient.treatmentLine', '当前治疗线数', '治疗记录', { unit: '线', refreshOn: record }),
  number(13, 1, 'patient.lastFormScore', '最近问卷得分', '随访问卷', { unit: '分', refreshOn: ['corpus.form.submitted'] }),
  option(14, 1, 'patient.adverseGrade', '不良反应分级', '随访问卷', ['0级', '1级', '2级', '3级', '4级', '5级'], 0, [
    'corpus.form.submitted',
  ]),
  indicator(15, 'patient.hba1c', '糖化血红蛋白', '%', 1),
  indicator(16, 'patient.fastingGlucose', '空腹血糖', 'mmol/L', 1),
  indicator(17, 'patient.systolic', '收缩压', 'mmHg', 0),
  indicator(18, 'patient.diastolic', '舒张压', 'mmHg', 0),
  indicator(19, 'patient.ldl', 'LDL-C', 'mmol/L', 2),
  indicator(20, 'patient.creatinine', '肌酐', 'μmol/L', 1),
  indicator(21, 'patient.psa', 'PSA', 'ng/mL', 3),
  indicator(22, 'patient.cea', 'CEA', 'ng/mL', 2),
  indicator(23, 'patient.bmi', 'BMI', 'kg/m²', 1),
  option(24, 2, 'doctor.title', '职称', '医生档案', ['主任医师', '副主任医师', '主治医师', '住院医师'], 1, ['doctor.doctor.changed']),
  number(25, 2, 'doctor.patientCount', '在管患者数', '会话', {
    unit: '人',
    refreshOn: ['consultation.conversation.opened', 'consultation.conversation.closed'],
  }),
  number(26, 2, 'doctor.hoursSinceMessage', '距上次发言小时数', '会话消息', { unit: '小时', timeDerived: true, refreshOn: posted }),
  number(27, 2, 'doctor.messagesIn7Days', '近7日发言数', '会话消息', { unit: '条', timeDerived: true, refreshOn: posted }),
  number(28, 3, 'assistant.hoursSinceMessage', '距上次发言小时数', '会话消息', { unit: '小时', timeDerived: true, refreshOn: posted }),
  number(29, 3, 'assistant.groupCount', '在管群数', '会话', { unit: '个', refreshOn: ['consultation.member.changed'] }),
  number(30, 3, 'assistant.openTasks', '待办任务数', '随访任务', {
    unit: '个',
    refreshOn: ['corpus.task.created', 'corpus.task.completed'],
  }),
];

/** Variables come from code in every mode; staff never edit them. */
export const variableReference: ReferenceData = {
  name: 'corpus.variables',
  content: variableSeeds,
  async write(tx) {
    for (const seed of variableSeeds) {
      await sql`
        insert into corpus_variable_info (
          id, variable_code, variable_name, user_type, variable_info_flag, value_type, options, unit, decimals, operators, time_derived,
          source, refresh_on
        )
          values (
            ${seed.id}, ${seed.code}, ${seed.name}, ${seed.userType}, ${seed.flag}, ${seed.valueType},
            ${JSON.stringify(seed.options)}::jsonb, ${seed.unit}, ${seed.decimals}, ${[...seed.operators]}::text[], ${seed.timeDerived},
            ${seed.source}, ${[...seed.refreshOn]}::text[]
          )
          on conflict (id) do update
          set variable_code = excluded.variable_code, variable_name = excluded.variable_name, user_type = excluded.user_type,
            variable_info_flag = excluded.variable_info_flag, value_type = excluded.value_type, options = excluded.options,
            unit = excluded.unit, decimals = excluded.decimals, operators = excluded.operators, time_derived = excluded.time_derived,
            source = excluded.source, refresh_on = excluded.refresh_on`.execute(tx);
    }
  },
};
