import { dictionary, type AnyDictionary } from '#kernel/contract/dictionary.ts';

export const idTypes = dictionary('patientIdType', {
  ID: '身份证',
  PASSPORT: '护照',
  HKMO: '港澳居民来往内地通行证',
  TW: '台湾居民来往大陆通行证',
  FOREIGN: '外国人永久居留身份证',
  BIRTH: '出生证明',
});
export type IdType = (typeof idTypes.codes)[number];
/** Keyed by the number as text; the wire carries the number. */
export const genders = dictionary('patientGender', { '0': '未知', '1': '男', '2': '女' });
export const relations = dictionary('patientRelation', { SELF: '本人', SPOUSE: '配偶', PARENT: '父母', CHILD: '子女', OTHER: '其他' });
export type Relation = (typeof relations.codes)[number];
export const contactRelations = dictionary('patientContactRelation', {
  SPOUSE: '配偶',
  PARENT: '父母',
  CHILD: '子女',
  GUARDIAN: '监护人',
  OTHER: '其他',
});
export const insuranceTypes = dictionary('patientMedicalInsurance', { URBAN_WORKER: '职工医保', RESIDENT: '居民医保', NONE: '无' });
export const sources = dictionary('patientSource', {
  MINI: '小程序',
  CHANNEL: '渠道码',
  POLICY: '被保人清单',
  ORDER: '订单',
  STAFF: '后台录入',
  IMPORT: '导入',
});
export type Source = (typeof sources.codes)[number];
export const lifeStates = dictionary('patientLifeState', {
  ALIVE: { label: '在世' },
  DECEASED: { label: '已身故', tone: 'error' },
});
export const bloodTypes = dictionary('patientBloodType', { A: 'A型', B: 'B型', AB: 'AB型', O: 'O型', UNKNOWN: '未知' });
export const smokings = dictionary('patientSmoking', { NEVER: '从不', FORMER: '已戒', CURRENT: '吸烟' });
export const drinkings = dictionary('patientDrinking', { NEVER: '从不', SOMETIMES: '偶尔', OFTEN: '经常' });
export const pregnancies = dictionary('patientPregnancy', { NONE: '无', PREGNANT: '妊娠期', LACTATING: '哺乳期', PLANNING: '备孕' });
export const accountStates = dictionary('patientAccountState', {
  ACTIVE: { label: '正常', tone: 'success' },
  FROZEN: { label: '已冻结', tone: 'warning' },
  CANCELLED: { label: '已注销' },
});

export const checkMethods = dictionary('patientCheckMethod', {
  ID2: '姓名身份证二要素',
  ID3: '含手机号三要素',
  FACE: '人脸核身',
  MANUAL: '人工核验',
});
export type CheckMethod = (typeof checkMethods.codes)[number];
export const checkResults = dictionary('patientCheckResult', {
  PASS: { label: '一致', tone: 'success' },
  MISMATCH: { label: '不一致', tone: 'error' },
  NOT_FOUND: { label: '库中无此号', tone: 'warning' },
  ERROR: { label: '核验服务异常', tone: 'warning' },
});
export type CheckResult = (typeof checkResults.codes)[number];
export const minMethods = dictionary('patientMinMethod', { ID2: '姓名身份证二要素', ID3: '含手机号三要素', FACE: '人脸核身' });
export type MinMethod = (typeof minMethods.codes)[number];
export const switchScopes = dictionary('patientSwitchScope', {
  GLOBAL: '全局',
  CHANNEL: '渠道',
  DISEASE: '病种',
  SERVICE_ITEM: '服务项目',
  DOCTOR: '医生',
});
export type SwitchScope = (typeof switchScopes.codes)[number];
export const switchScenes = dictionary('patientSwitchScene', {
  REGISTER: '注册建档',
  CONSULT: '发起咨询',
  PRESCRIBE: '开具用药建议',
  BUY_RX: '购买处方药',
  CLAIM: '理赔申请',
  ENROL: '入组申请',
});
export type SwitchScene = (typeof switchScenes.codes)[number];
/** Scenes in which the law wants a proven identity; their switch cannot be off. */
export const lockedScenes: readonly SwitchScene[] = ['PRESCRIBE', 'BUY_RX', 'CLAIM', 'ENROL'];

export const paragraphs = dictionary('patientParagraph', { P01: '主诉', P02: '现病史', P03: '既往史', P04: '过敏史' });
export type Paragraph = (typeof paragraphs.codes)[number];
export const recordSources = dictionary('patientRecordSource', {
  DOCTOR: '医生',
  ASSISTANT: '医助',
  PATIENT: '患者自述',
  ENROL: '入组材料',
  IMPORT: '导入',
});
export type RecordSource = (typeof recordSources.codes)[number];
export const diagnosisStates = dictionary('patientDiagnosisState', {
  SUSPECTED: { label: '疑似', tone: 'warning' },
  CONFIRMED: { label: '确诊', tone: 'processing' },
  RESOLVED: { label: '已治愈/排除' },
});
export const treatmentKinds = dictionary('patientTreatmentKind', {
  SURGERY: '手术',
  CHEMO: '化疗',
  RADIO: '放疗',
  TARGET: '靶向',
  IMMUNE: '免疫',
  ENDOCRINE: '内分泌',
  DRUG: '药物',
  OTHER: '其他',
});
export const outcomes = dictionary('patientOutcome', {
  CR: { label: '完全缓解', tone: 'success' },
  PR: { label: '部分缓解', tone: 'success' },
  SD: { label: '疾病稳定', tone: 'processing' },
  PD: { label: '疾病进展', tone: 'error' },
  NE: { label: '不可评估' },
});
export const frequencies = dictionary('patientFrequency', {
  QD: '每日一次',
  BID: '每日两次',
  TID: '每日三次',
  QW: '每周一次',
  Q3W: '每三周一次',
  PRN: '必要时',
});
export const invalidReasons = dictionary('patientInvalidReason', { EXPIRED: '已过期', WITHDRAWN: '医生撤回' });
export const inspectionKinds = dictionary('patientInspectionKind', {
  LAB: '检验',
  IMAGE: '影像',
  PATHOLOGY: '病理',
  GENE: '基因检测',
  OTHER: '其他',
});
export type InspectionKind = (typeof inspectionKinds.codes)[number];
export const indicatorFlags = dictionary('patientIndicatorFlag', {
  L: { label: '偏低', tone: 'warning' },
  N: { label: '正常', tone: 'success' },
  H: { label: '偏高', tone: 'warning' },
  C: { label: '危急值', tone: 'error' },
});
export type IndicatorFlag = (typeof indicatorFlags.codes)[number];

export const consentTypes = dictionary('patientConsentType', {
  PRIVACY: '隐私政策',
  MEDICAL_DATA: '医疗健康信息单独同意',
  TELEMED: '互联网诊疗知情同意',
  FOLLOW_UP: '随访触达',
  MARKETING: '营销推送',
  SHARE_INSURER: '向保险公司提供',
  SHARE_PHARMA: '向药企提供',
  CROSS_PERSON: '代他人提交',
});
export type ConsentType = (typeof consentTypes.codes)[number];
export const consentActions = dictionary('patientConsentAct', {
  GRANT: { label: '同意', tone: 'success' },
  WITHDRAW: { label: '撤回', tone: 'warning' },
});
export const consentSigners = dictionary('patientConsentSigner', { SELF: '本人', GUARDIAN: '监护人', STAFF: '代登记' });
export const consentStates = dictionary('patientConsentState', {
  VALID: { label: '有效', tone: 'success' },
  WITHDRAWN: { label: '已撤回' },
  LAPSED: { label: '已失效' },
  NONE: { label: '未签署' },
});
export type ConsentState = (typeof consentStates.codes)[number];

export const privacyKinds = dictionary('patientPrivacyKind', { COPY: '查阅复制', CORRECT: '更正', DELETE: '删除/注销' });
export const accessKinds = dictionary('patientAccessKind', {
  VIEW: '查看',
  REVEAL: { label: '明文查看', tone: 'warning' },
  EXPORT: { label: '导出', tone: 'warning' },
  BREAK_GLASS: { label: '紧急查看', tone: 'error' },
});
export const revealFields = dictionary('patientRevealField', {
  mobile: '手机号',
  idNo: '证件号',
  address: '详细地址',
  contactMobile: '联系人手机号',
  contactIdNo: '联系人证件号',
});
export type RevealField = (typeof revealFields.codes)[number];

export const patientDictionaries: readonly AnyDictionary[] = [
  idTypes,
  genders,
  relations,
  contactRelations,
  insuranceTypes,
  sources,
  lifeStates,
  bloodTypes,
  smokings,
  drinkings,
  pregnancies,
  accountStates,
  checkMethods,
  checkResults,
  minMethods,
  switchScopes,
  switchScenes,
  paragraphs,
  recordSources,
  diagnosisStates,
  treatmentKinds,
  outcomes,
  frequencies,
  invalidReasons,
  inspectionKinds,
  indicatorFlags,
  consentTypes,
  consentActions,
  consentSigners,
  consentStates,
  privacyKinds,
  accessKinds,
  revealFields,
];
