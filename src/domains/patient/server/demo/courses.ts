import { dayOf, days, plusDays, plusMs, startOfDay, type Instant } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { indicatorOf } from '../../contract/indicators.ts';
import { measure } from '../inspections/convert.ts';
import { bulk, reserve, type Random } from '../../../../kernel/server/demo/bulk.ts';
import { STORY, type DemoPerson } from './people.ts';

const NAMES: Readonly<Record<string, string>> = {
  'E11.9': '2型糖尿病不伴有并发症', I10: '特发性（原发性）高血压', 'C34.901': '肺恶性肿瘤', 'C50.9': '乳房恶性肿瘤，未特指', C61: '前列腺恶性肿瘤', B18: '慢性病毒性肝炎', M05: '血清反应阳性的类风湿性关节炎', M06: '其他类风湿性关节炎', L40: '银屑病',
  'I25.1': '动脉粥样硬化性心脏病', N18: '慢性肾脏病', J45: '哮喘', L20: '特应性皮炎',
};
const REGIMENS: Readonly<Record<string, readonly (readonly [kind: string, regimen: string])[]>> = {
  'E11.9': [['DRUG', '二甲双胍'], ['DRUG', '二甲双胍+达格列净']], I10: [['DRUG', '氨氯地平'], ['DRUG', '厄贝沙坦氢氯噻嗪']], 'C34.901': [['TARGET', '奥希替尼一线'], ['CHEMO', '培美曲塞+卡铂']], 'C50.9': [['SURGERY', '改良根治术'], ['ENDOCRINE', '来曲唑']],
  C61: [['ENDOCRINE', '戈舍瑞林'], ['ENDOCRINE', '阿比特龙']], B18: [['DRUG', '恩替卡韦'], ['DRUG', '替诺福韦']], M05: [['DRUG', '甲氨蝶呤'], ['IMMUNE', '阿达木单抗']], L40: [['IMMUNE', '司库奇尤单抗']], 'I25.1': [['DRUG', '阿司匹林+阿托伐他汀'], ['SURGERY', '冠脉支架置入']],
  N18: [['DRUG', '司维拉姆'], ['OTHER', '血液透析']], J45: [['DRUG', '布地奈德福莫特罗']], L20: [['IMMUNE', '度普利尤单抗']],
};
/** Indicators of a disease: first value, change a report, spread. */
const MEASURED: Readonly<Record<string, readonly (readonly [code: string, start: number, step: number, spread: number])[]>> = {
  'E11.9': [['HBA1C', 8.6, -0.45, 0.2], ['FPG', 9.4, -0.6, 0.5], ['LDLC', 3.6, -0.2, 0.3], ['BMI', 27, -0.3, 0.3]], I10: [['SBP', 162, -7, 5], ['DBP', 98, -4, 3], ['LDLC', 3.4, -0.1, 0.2], ['K', 4.2, 0, 0.3]],
  'C34.901': [['CEA', 18.4, -3.2, 1.5], ['WBC', 6.1, -0.3, 0.8], ['PLT', 210, -8, 20], ['ALT', 28, 3, 6]], 'C50.9': [['CEA', 6.2, -0.7, 0.6], ['WBC', 5.4, -0.2, 0.6], ['HGB', 121, -1, 5], ['ALT', 26, 2, 5]],
  C61: [['PSA', 3.2, 1.1, 0.4], ['HGB', 138, -2, 4], ['CREA', 82, 2, 6], ['ALT', 24, 1, 5]],
};
const COMMON = [['CREA', 78, 1, 8], ['ALT', 30, 0, 8], ['WBC', 6.4, 0, 0.9], ['HGB', 138, 0, 8]] as const;

/** What may stand beside a disease: nothing that excludes it, and no second tumour. */
const BESIDE = ['I10', 'E11.9', 'I25.1', 'B18', 'J45', 'N18', 'L20'] as const;
function besides(icd: string, index: number): string {
  const others = BESIDE.filter((one) => one !== icd);
  return others[index % others.length]!;
}

interface Diagnosis {
  id: string;
  person: DemoPerson;
  index: number;
  icd: string;
  on: string;
}

const stamp = (at: Instant) => ({ version: 1, createdAt: at, createdBy: null, updatedAt: at, updatedBy: null });

/** 2,100 diagnoses over twelve diseases, their treatments, and 病情资料. */
export async function writeHistory(tx: Tx, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const today = dayOf(now);
  const ids = await reserve(tx, 'patient_diagnosis', 2_100);
  const diagnoses: Diagnosis[] = ids.map((id, index) => {
    const at = index % people.length;
    const person = people[at]!;
    const icd = index < people.length ? person.icd : besides(person.icd, index);
    return { id, person, index, icd, on: plusDays(today, -random.int(120, 2_400)) };
  });
  await bulk(tx, 'patient_diagnosis', diagnoses.map(({ id, person, index, icd, on }) => ({
    id, patientId: person.id, icd10: icd, name: NAMES[icd] ?? icd, stage: icd.startsWith('C') ? random.pick(['Ⅰ期', 'Ⅱ期', 'Ⅲ期', 'Ⅳ期']) : '', isPrimary: index < people.length, diagnosedAt: on, hospitalId: null, hospitalName: random.pick(['市第一人民医院', '省肿瘤医院', '大学附属医院']),
    departmentName: '', doctorName: '', state: random.chance(0.94) ? 'CONFIRMED' : 'SUSPECTED', source: random.pick(['DOCTOR', 'ASSISTANT', 'PATIENT', 'ENROL']), sourceRef: null, verifiedBy: null, fileIds: [], voidedAt: null, voidReason: null, ...stamp(plusMs(startOfDay(on), days(1))),
  })));
  const treatments = diagnoses.flatMap((one) => {
    const list = REGIMENS[one.icd] ?? [['DRUG', '对症治疗'] as const];
    const lines = one.index === STORY.zhang ? 2 : Math.min(list.length, random.chance(0.65) ? 2 : 1);
    return Array.from({ length: lines }, (_, line) => ({ one, line, entry: one.index === STORY.zhang ? (['TARGET', line === 0 ? '吉非替尼' : '奥希替尼'] as const) : list[line % list.length]! }));
  });
  const treatmentIds = await reserve(tx, 'patient_treatment', treatments.length);
  await bulk(tx, 'patient_treatment', treatments.map(({ one, line, entry }, index) => {
    const startOn = plusDays(one.on, 10 + line * 60);
    const ended = line === 0 && treatments[index + 1]?.one === one;
    return {
      id: treatmentIds[index], diagnosisId: one.id, kind: entry[0], regimen: entry[1], lineNo: one.icd.startsWith('C') ? line + 1 : null, startOn, endOn: ended ? plusDays(startOn, 59) : null, outcome: one.icd.startsWith('C') ? (ended ? 'PD' : random.pick(['PR', 'SD'])) : null,
      adverseGrade: random.chance(0.4) ? random.int(0, 3) : null, note: '', source: 'DOCTOR', fileIds: [], voidedAt: null, voidReason: null, ...stamp(startOfDay(startOn)),
    };
  }));
  const texts = people.filter((_, index) => index % 3 === 0).flatMap((person, index) => [
    { person, code: 'P01', text: random.pick(['体检发现异常一周', '乏力、口渴半年', '咳嗽伴胸闷两月', '关节晨僵一年']), index }, { person, code: 'P02', text: '规律服药，复查指标较前好转，无明显不适。', index },
  ]);
  const textIds = await reserve(tx, 'patient_record_text', texts.length);
  await bulk(tx, 'patient_record_text', texts.map(({ person, code, text }, index) => ({ id: textIds[index], patientId: person.id, paragraphCode: code, text, fileIds: [], source: 'ASSISTANT', voidedAt: null, voidReason: null, ...stamp(plusMs(now, -days(random.int(1, 200)))) })));
}

/** What is measured of a disease stands in this report. */
const LABS: Readonly<Record<string, string>> = { 'E11.9': '糖化血红蛋白', 'C34.901': '肿瘤标志物', 'C50.9': '肿瘤标志物', C61: '肿瘤标志物' };
const ITEMS: Readonly<Record<string, readonly string[]>> = { LAB: ['血生化', '血常规', '肿瘤标志物', '糖化血红蛋白'], IMAGE: ['胸部CT', '腹部超声', '头颅MRI'], PATHOLOGY: ['穿刺活检病理'], GENE: ['EGFR基因检测', 'BRCA基因检测'] };

/** 4,200 reports, four values each in courses that make sense: sugar falls under treatment, PSA rises before it progresses. */
export async function writeReports(tx: Tx, people: readonly DemoPerson[], now: Instant, random: Random): Promise<void> {
  const count = 4_200;
  const ids = await reserve(tx, 'patient_inspection', count);
  const today = dayOf(now);
  const values: Record<string, unknown>[] = [];
  const rows = ids.map((id, index) => {
    const at = index % people.length;
    const person = people[at]!;
    const round = Math.floor(index / people.length);
    const status = index >= count - 40 ? '0' : index >= count - 110 ? '1' : '2';
    const voided = index >= 2_000 && index < 2_030;
    const kind = index === STORY.zhang ? 'GENE' : status === '2' || round < 3 ? 'LAB' : random.pick(['LAB', 'IMAGE', 'PATHOLOGY', 'GENE']);
    const inspectionTime = status === '0' ? now : plusMs(now, -days((3 - round) * 88 + random.int(status === '1' ? 0 : 2, 40)));
    if (kind === 'LAB' && status !== '0') {
      for (const [code, start, step, spread] of MEASURED[person.icd] ?? COMMON) {
        const value = at === STORY.li && code === 'HBA1C' ? [8.6, 8.0, 7.5, 7.1][round]! : Math.max(0.1, start + step * round + (random.next() - 0.5) * spread);
        const unit = indicatorOf(code)!.unit;
        const measured = measure({ code, value: value.toFixed(value > 50 ? 0 : 1), unit, refLow: null, refHigh: null }, { gender: person.gender, age: 50 });
        values.push({ inspectionId: id, patientId: person.id, ...measured, inspectionTime });
      }
    }
    return {
      id, inspectionNo: `JC${today.replaceAll('-', '')}${String(900_000 + index)}`, patientId: person.id, kind, itemName: kind === 'LAB' ? (LABS[person.icd] ?? (round % 2 === 0 ? '血生化' : '血常规')) : random.pick(ITEMS[kind]!), hospitalName: random.pick(['市第一人民医院', '省肿瘤医院', '大学附属医院']), inspectionTime,
      conclusion: index === STORY.zhang ? 'EGFR 19号外显子缺失突变阳性' : status === '2' ? '较前好转，建议继续当前方案' : '', fileIds: [], source: random.pick(['PATIENT', 'ASSISTANT']), requestId: null, dueOn: status === '0' ? plusDays(today, random.int(1, 14)) : null, status, ocr: null, readBy: null,
      readAt: status === '2' ? plusMs(inspectionTime, days(1)) : null, voidedAt: voided ? plusMs(inspectionTime, days(2)) : null, voidReason: voided ? '上传了他人的报告' : null, ...stamp(status === '1' ? plusMs(now, -days(random.int(0, 3))) : plusMs(inspectionTime, 3_600_000)),
    };
  });
  await bulk(tx, 'patient_inspection', rows);
  const valueIds = await reserve(tx, 'patient_indicator', values.length);
  await bulk(tx, 'patient_indicator', values.map((row, index) => ({ id: valueIds[index], ...row })));
}
