import type { Instant } from '../../../../kernel/contract/time.ts';
import { dayOf, plusDays } from '../../../../kernel/contract/time.ts';

/** A value, and how many days before today it was recorded; a variable that is left out has no data. */
type DemoFacts = Readonly<Record<string, readonly [value: string, daysAgo: number]>>;

interface DemoPatient {
  patientId: string;
  patientName: string;
  sex: 1 | 2;
  age: number;
  diseaseCode: string;
  facts: DemoFacts;
}

const sources: Readonly<Record<string, string>> = {
  'patient.age': '实名信息',
  'patient.sex': '实名信息',
  'patient.diagnosedDays': '诊断记录',
  'patient.groupDays': '会话',
  'patient.daysSincePurchase': '购药订单',
  'patient.medicineDaysLeft': '购药订单与用法用量',
  'patient.purchaseCount': '购药订单',
  'patient.daysSinceRevisit': '就诊记录',
  'patient.daysSinceReply': '会话消息',
  'patient.unreadFollowUps': '会话消息',
  'patient.treatmentLine': '治疗记录',
  'patient.lastFormScore': '随访问卷',
  'patient.adverseGrade': '随访问卷',
  'doctor.title': '医生档案',
  'doctor.patientCount': '会话',
  'doctor.hoursSinceMessage': '会话消息',
  'doctor.messagesIn7Days': '会话消息',
  'assistant.hoursSinceMessage': '会话消息',
  'assistant.groupCount': '会话',
  'assistant.openTasks': '随访任务',
};
const INDICATOR = '检查检验记录';

const team = (title: string, patients: string, doctorHours: string, assistantHours: string): DemoFacts => ({
  'doctor.title': [title, 400],
  'doctor.patientCount': [patients, 0],
  'doctor.hoursSinceMessage': [doctorHours, 0],
  'doctor.messagesIn7Days': ['12', 0],
  'assistant.hoursSinceMessage': [assistantHours, 0],
  'assistant.groupCount': ['46', 0],
  'assistant.openTasks': ['7', 0],
});

const bought = (days: string, left: string, count: string): DemoFacts => ({
  'patient.daysSincePurchase': [days, 0],
  'patient.medicineDaysLeft': [left, 0],
  'patient.purchaseCount': [count, 0],
});

/** 张建国, 李秀兰 and 王志强 are those of the stories; 冯雪梅 and 欧阳振华 lack most values on purpose. */
export const demoPatients: readonly DemoPatient[] = [
  {
    patientId: '10001',
    patientName: '张建国',
    sex: 1,
    age: 62,
    diseaseCode: 'C34',
    facts: {
      ...bought('25', '4', '6'),
      'patient.diagnosedDays': ['418', 0],
      'patient.groupDays': ['203', 0],
      'patient.daysSinceRevisit': ['31', 0],
      'patient.daysSinceInspection': ['29', 0],
      'patient.daysSinceReply': ['3', 0],
      'patient.treatmentLine': ['1', 60],
      'patient.cea': ['6.42', 29],
      'patient.adverseGrade': ['1', 8],
      ...team('1', '132', '20', '4'),
    },
  },
  {
    patientId: '10002',
    patientName: '李秀兰',
    sex: 2,
    age: 58,
    diseaseCode: 'E11',
    facts: {
      ...bought('12', '18', '9'),
      'patient.diagnosedDays': ['1460', 0],
      'patient.groupDays': ['96', 0],
      'patient.daysSinceRevisit': ['84', 0],
      'patient.daysSinceReply': ['1', 0],
      'patient.hba1c': ['7.8', 12],
      'patient.fastingGlucose': ['8.1', 3],
      'patient.systolic': ['134', 3],
      'patient.diastolic': ['82', 3],
      'patient.bmi': ['25.3', 30],
      ...team('2', '88', '50', '9'),
    },
  },
  {
    patientId: '10003',
    patientName: '王志强',
    sex: 1,
    age: 66,
    diseaseCode: 'C34',
    facts: {
      ...bought('9', '19', '3'),
      'patient.diagnosedDays': ['152', 0],
      'patient.groupDays': ['140', 0],
      'patient.daysSinceReply': ['0', 0],
      'patient.adverseGrade': ['3', 0],
      'patient.lastFormScore': ['72', 0],
      'patient.treatmentLine': ['2', 40],
      'patient.cea': ['3.1', 45],
      ...team('1', '132', '6', '1'),
    },
  },
  {
    patientId: '10004',
    patientName: '陈美玲',
    sex: 2,
    age: 49,
    diseaseCode: 'C50',
    facts: {
      ...bought('40', '0', '4'),
      'patient.diagnosedDays': ['380', 0],
      'patient.groupDays': ['210', 0],
      'patient.daysSinceReply': ['22', 0],
      'patient.daysSinceInspection': ['101', 0],
      ...team('2', '64', '30', '96'),
    },
  },
  {
    patientId: '10005',
    patientName: '刘洋',
    sex: 1,
    age: 41,
    diseaseCode: 'I10',
    facts: {
      ...bought('20', '10', '5'),
      'patient.diagnosedDays': ['700', 0],
      'patient.groupDays': ['2', 0],
      'patient.systolic': ['152', 1],
      'patient.diastolic': ['94', 1],
      'patient.daysSinceReply': ['0', 0],
      ...team('3', '41', '12', '2'),
    },
  },
  {
    patientId: '10006',
    patientName: '赵国强',
    sex: 1,
    age: 73,
    diseaseCode: 'C61',
    facts: {
      ...bought('60', '24', '8'),
      'patient.diagnosedDays': ['910', 0],
      'patient.groupDays': ['300', 0],
      'patient.psa': ['4.125', 20],
      'patient.daysSinceRevisit': ['90', 0],
      'patient.daysSinceReply': ['5', 0],
      ...team('1', '57', '70', '15'),
    },
  },
  {
    patientId: '10007',
    patientName: '孙丽华',
    sex: 2,
    age: 35,
    diseaseCode: 'M05',
    facts: {
      ...bought('26', '3', '11'),
      'patient.diagnosedDays': ['2200', 0],
      'patient.groupDays': ['365', 0],
      'patient.lastFormScore': ['48', 6],
      'patient.daysSinceReply': ['2', 0],
      ...team('1', '73', '26', '5'),
    },
  },
  {
    patientId: '10008',
    patientName: '周小燕',
    sex: 2,
    age: 28,
    diseaseCode: 'L40',
    facts: {
      ...bought('14', '14', '2'),
      'patient.groupDays': ['60', 0],
      'patient.lastFormScore': ['18', 9],
      'patient.daysSinceReply': ['15', 0],
      ...team('4', '22', '190', '100'),
    },
  },
  {
    patientId: '10009',
    patientName: '吴建平',
    sex: 1,
    age: 69,
    diseaseCode: 'I25',
    facts: {
      ...bought('28', '2', '14'),
      'patient.diagnosedDays': ['1200', 0],
      'patient.groupDays': ['500', 0],
      'patient.ldl': ['2.6', 33],
      'patient.systolic': ['128', 2],
      'patient.diastolic': ['76', 2],
      'patient.daysSinceRevisit': ['120', 0],
      ...team('2', '95', '40', '8'),
    },
  },
  {
    patientId: '10010',
    patientName: '郑海涛',
    sex: 1,
    age: 54,
    diseaseCode: 'N18',
    facts: {
      'patient.diagnosedDays': ['800', 0],
      'patient.groupDays': ['44', 0],
      'patient.creatinine': ['182.5', 15],
      'patient.systolic': ['146', 4],
      'patient.diastolic': ['88', 4],
      'patient.daysSinceReply': ['4', 0],
      ...team('2', '51', '18', '3'),
    },
  },
  {
    patientId: '10011',
    patientName: '冯雪梅',
    sex: 2,
    age: 46,
    diseaseCode: 'B18',
    facts: {
      'patient.groupDays': ['1', 0],
      ...team('3', '39', '8', '2'),
    },
  },
  { patientId: '10012', patientName: '欧阳振华', sex: 1, age: 77, diseaseCode: 'J45', facts: {} },
];

/** The stored form of a patient's facts; age and sex are known of everybody. */
export function storedFacts(patient: DemoPatient, now: Instant): Record<string, { value: string; at: string; sourceLabel: string }> {
  const all: DemoFacts = {
    'patient.age': [String(patient.age), 0],
    'patient.sex': [String(patient.sex), 0],
    ...patient.facts,
  };
  return Object.fromEntries(
    Object.entries(all).map(([code, [value, daysAgo]]) => [
      code,
      { value, at: plusDays(dayOf(now), -daysAgo), sourceLabel: sources[code] ?? INDICATOR },
    ]),
  );
}
