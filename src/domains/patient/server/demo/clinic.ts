/** What the demonstration knows of its twelve diseases, so that a record never contradicts itself. */
export interface Clinic {
  name: string;
  /** Whom it meets. */
  gender?: 1 | 2;
  youngest: number;
  /** Where a hospital treats it. */
  department: string;
  /** Who prescribes for it; number and name as the demonstration of doctors gives them. */
  doctor: readonly [id: string, name: string];
  medicine: Medicine;
  regimens: readonly (readonly [kind: string, regimen: string])[];
  complaint: string;
  /** Name of the laboratory report and its indicators: first value, change a report, spread. */
  panel: string;
  measured: readonly (readonly [code: string, start: number, step: number, spread: number])[];
  /** Other reports that it leads to. */
  reports: readonly (readonly [kind: string, itemName: string])[];
  conclusion: string;
}
interface Medicine {
  id: string;
  name: string;
  spec: string;
  dose: string;
  frequency: string;
  route: string;
  unit: string;
  days: number;
  /** Units for those days. */
  quantity: number;
}

/** By number, name and package of the catalogue. */
const medicine = (
  id: string,
  name: string,
  spec: string,
  dose: string,
  frequency: string,
  days: number,
  quantity: number,
  route = '口服',
  unit = '盒',
): Medicine => ({ id, name, spec, dose, frequency, route, unit, days, quantity });
const heart = ['1', '李文博'] as const;
const lungs = ['2', '陈立'] as const;
const surgery = ['5', '袁雪梅'] as const;
const children = ['8', '欧阳娜娜'] as const;
const chemistry = [
  ['CREA', 78, 1, 8],
  ['ALT', 30, 0, 8],
  ['WBC', 6.4, 0, 0.9],
  ['HGB', 138, 0, 8],
] as const;
const BETTER = '较前好转，建议继续当前方案';

/** Breast cancer of men is left out: whoever reads the record would take it for a mistake. */
export const clinics: Readonly<Record<string, Clinic>> = {
  'E11.9': {
    name: '2型糖尿病不伴有并发症',
    youngest: 30,
    department: '内分泌科',
    doctor: ['4', '周敏'],
    medicine: medicine('157', '盐酸二甲双胍片', '0.5g*7片/盒', '0.5g', 'BID', 28, 8),
    regimens: [
      ['DRUG', '二甲双胍'],
      ['DRUG', '二甲双胍+达格列净'],
    ],
    complaint: '口渴、多饮半年',
    panel: '糖尿病随访检查',
    measured: [
      ['HBA1C', 8.6, -0.45, 0.2],
      ['FPG', 9.4, -0.6, 0.5],
      ['LDLC', 3.6, -0.2, 0.3],
      ['BMI', 27, -0.3, 0.3],
    ],
    reports: [['IMAGE', '腹部超声']],
    conclusion: BETTER,
  },
  I10: {
    name: '特发性（原发性）高血压',
    youngest: 30,
    department: '心血管内科',
    doctor: heart,
    medicine: medicine('149', '苯磺酸氨氯地平片', '5mg*7片/盒', '5mg', 'QD', 28, 4),
    regimens: [
      ['DRUG', '氨氯地平'],
      ['DRUG', '厄贝沙坦氢氯噻嗪'],
    ],
    complaint: '体检发现血压升高一月',
    panel: '高血压随访检查',
    measured: [
      ['SBP', 162, -7, 5],
      ['DBP', 98, -4, 3],
      ['LDLC', 3.4, -0.1, 0.2],
      ['K', 4.2, 0, 0.3],
    ],
    reports: [['IMAGE', '头颅MRI']],
    conclusion: BETTER,
  },
  'C34.901': {
    name: '肺恶性肿瘤',
    youngest: 40,
    department: '呼吸内科',
    doctor: lungs,
    medicine: medicine('1', '甲磺酸奥希替尼片', '80mg*30片/盒', '80mg', 'QD', 30, 1),
    regimens: [
      ['TARGET', '奥希替尼一线'],
      ['CHEMO', '培美曲塞+卡铂'],
    ],
    complaint: '咳嗽伴胸闷两月',
    panel: '肺癌随访检查',
    measured: [
      ['CEA', 18.4, -3.2, 1.5],
      ['WBC', 6.1, -0.3, 0.8],
      ['PLT', 210, -8, 20],
      ['ALT', 28, 3, 6],
    ],
    reports: [
      ['IMAGE', '胸部CT'],
      ['PATHOLOGY', '穿刺活检病理'],
      ['GENE', 'EGFR基因检测'],
    ],
    conclusion: BETTER,
  },
  'C50.9': {
    name: '乳房恶性肿瘤，未特指',
    gender: 2,
    youngest: 30,
    department: '乳腺外科',
    doctor: surgery,
    medicine: medicine('14', '来曲唑片', '2.5mg*7片/盒', '2.5mg', 'QD', 28, 4),
    regimens: [
      ['SURGERY', '改良根治术'],
      ['ENDOCRINE', '来曲唑'],
    ],
    complaint: '发现乳房肿块两周',
    panel: '乳腺癌随访检查',
    measured: [
      ['CEA', 6.2, -0.7, 0.6],
      ['WBC', 5.4, -0.2, 0.6],
      ['HGB', 121, -1, 5],
      ['ALT', 26, 2, 5],
    ],
    reports: [
      ['IMAGE', '腹部超声'],
      ['PATHOLOGY', '穿刺活检病理'],
      ['GENE', 'BRCA基因检测'],
    ],
    conclusion: BETTER,
  },
  C61: {
    name: '前列腺恶性肿瘤',
    gender: 1,
    youngest: 50,
    department: '泌尿外科',
    doctor: surgery,
    medicine: medicine('76', '阿仑膦酸钠片', '70mg*7片/盒', '70mg', 'QW', 28, 1),
    regimens: [
      ['ENDOCRINE', '戈舍瑞林'],
      ['ENDOCRINE', '阿比特龙'],
    ],
    complaint: '排尿困难、夜尿增多三月',
    panel: '前列腺癌随访检查',
    measured: [
      ['PSA', 3.2, 1.1, 0.4],
      ['HGB', 138, -2, 4],
      ['CREA', 82, 2, 6],
      ['ALT', 24, 1, 5],
    ],
    reports: [
      ['IMAGE', '腹部超声'],
      ['PATHOLOGY', '穿刺活检病理'],
    ],
    conclusion: 'PSA较前升高，警惕疾病进展，建议复查影像',
  },
  B18: {
    name: '慢性病毒性肝炎',
    youngest: 20,
    department: '感染科',
    doctor: ['3', '高欣然'],
    medicine: medicine('171', '恩替卡韦分散片', '0.5mg*14片/盒', '0.5mg', 'QD', 28, 2),
    regimens: [
      ['DRUG', '恩替卡韦'],
      ['DRUG', '替诺福韦'],
    ],
    complaint: '乏力、食欲减退一月',
    panel: '肝功能',
    measured: [
      ['ALT', 92, -18, 6],
      ['AST', 70, -12, 5],
      ['WBC', 5.6, 0, 0.6],
      ['PLT', 168, 4, 12],
    ],
    reports: [['IMAGE', '腹部超声']],
    conclusion: BETTER,
  },
  M05: {
    name: '血清反应阳性的类风湿性关节炎',
    youngest: 20,
    department: '风湿免疫科',
    doctor: ['14', '乔宏伟'],
    medicine: medicine('106', '枸橼酸托法替布片', '5mg*7片/盒', '5mg', 'BID', 28, 8),
    regimens: [
      ['DRUG', '甲氨蝶呤'],
      ['IMMUNE', '托法替布'],
    ],
    complaint: '双手关节晨僵一年',
    panel: '血生化',
    measured: chemistry,
    reports: [['IMAGE', '腹部超声']],
    conclusion: BETTER,
  },
  L40: {
    name: '银屑病',
    youngest: 12,
    department: '皮肤科',
    doctor: children,
    medicine: medicine('107', '司库奇尤单抗注射液', '1ml:150mg*1支/盒', '300mg', 'QW', 28, 8, '皮下注射'),
    regimens: [['IMMUNE', '司库奇尤单抗']],
    complaint: '四肢红斑鳞屑两年',
    panel: '血生化',
    measured: chemistry,
    reports: [],
    conclusion: BETTER,
  },
  'I25.1': {
    name: '动脉粥样硬化性心脏病',
    youngest: 40,
    department: '心血管内科',
    doctor: heart,
    medicine: medicine('47', '阿托伐他汀钙片', '20mg*14片/盒', '20mg', 'QD', 28, 2),
    regimens: [
      ['DRUG', '阿司匹林+阿托伐他汀'],
      ['SURGERY', '冠脉支架置入'],
    ],
    complaint: '活动后胸闷半年',
    panel: '冠心病随访检查',
    measured: [
      ['LDLC', 3.2, -0.3, 0.2],
      ['SBP', 138, -3, 4],
      ['DBP', 84, -2, 3],
      ['ALT', 28, 1, 5],
    ],
    reports: [['IMAGE', '腹部超声']],
    conclusion: BETTER,
  },
  N18: {
    name: '慢性肾脏病',
    youngest: 20,
    department: '肾内科',
    doctor: heart,
    medicine: medicine('63', '达格列净片', '10mg*14片/盒', '10mg', 'QD', 28, 2),
    regimens: [
      ['DRUG', '司维拉姆'],
      ['OTHER', '血液透析'],
    ],
    complaint: '双下肢浮肿两月',
    panel: '肾功能',
    measured: [
      ['CREA', 186, -4, 8],
      ['UA', 452, -12, 15],
      ['K', 4.8, -0.1, 0.2],
      ['HGB', 118, 1, 5],
    ],
    reports: [['IMAGE', '腹部超声']],
    conclusion: '肌酐较前稳定，建议继续当前方案',
  },
  J45: {
    name: '哮喘',
    youngest: 6,
    department: '呼吸内科',
    doctor: lungs,
    medicine: medicine('78', '布地奈德福莫特罗吸入粉雾剂', '160μg/4.5μg*1瓶/盒', '1吸', 'BID', 30, 1, '吸入'),
    regimens: [['DRUG', '布地奈德福莫特罗']],
    complaint: '反复喘息、夜间憋醒三年',
    panel: '血常规',
    measured: [
      ['WBC', 6.8, -0.1, 0.8],
      ['HGB', 136, 0, 6],
      ['PLT', 224, 0, 20],
    ],
    reports: [],
    conclusion: BETTER,
  },
  L20: {
    name: '特应性皮炎',
    youngest: 3,
    department: '皮肤科',
    doctor: children,
    medicine: medicine('108', '司普奇拜单抗注射液', '2ml:300mg*1支/盒', '300mg', 'PRN', 28, 2, '皮下注射'),
    regimens: [['DRUG', '外用糖皮质激素']],
    complaint: '皮肤瘙痒、湿疹反复两年',
    panel: '血常规',
    measured: [
      ['WBC', 7.6, -0.1, 0.8],
      ['HGB', 132, 0, 6],
      ['PLT', 232, 0, 20],
    ],
    reports: [],
    conclusion: BETTER,
  },
};
export const diseases = Object.keys(clinics);

/** Whether somebody of that gender and age on the day of the diagnosis may have it. */
export const meets = (icd: string, gender: 1 | 2, age: number): boolean =>
  (clinics[icd]!.gender ?? gender) === gender && age >= clinics[icd]!.youngest;
