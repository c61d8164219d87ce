import { dictionary } from '#kernel/contract/dictionary.ts';

export const hospitalLevels = dictionary('institution.hospitalLevel', {
  L3A: { label: '三级甲等', tone: 'processing' },
  L3B: { label: '三级乙等', tone: 'processing' },
  L3C: { label: '三级丙等', tone: 'processing' },
  L3N: { label: '三级未定等', tone: 'processing' },
  L2A: '二级甲等',
  L2B: '二级乙等',
  L2C: '二级丙等',
  L2N: '二级未定等',
  L1: '一级',
  L0: '未定级',
});
export type HospitalLevel = (typeof hospitalLevels.codes)[number];
/** Other domains compare levels by rank. */
export const levelRanks: Readonly<Record<HospitalLevel, number>> = {
  L3A: 90,
  L3B: 85,
  L3C: 80,
  L3N: 75,
  L2A: 60,
  L2B: 55,
  L2C: 50,
  L2N: 45,
  L1: 30,
  L0: 10,
};

export const hospitalKinds = dictionary('institution.hospitalKind', {
  GENERAL: '综合医院',
  SPECIAL: '专科医院',
  TCM: '中医医院',
  MATERNAL: '妇幼保健院',
  COMMUNITY: '社区卫生服务中心',
  CLINIC: '门诊部/诊所',
  INTERNET: '互联网医院',
});
export const ownerships = dictionary('institution.ownership', { PUBLIC: '公立', PRIVATE: '民营', MILITARY: '部队' });
export const hospitalSources = dictionary('institution.hospitalSource', {
  IMPORT: '导入',
  STAFF: '人工',
  DOCTOR: '医生申请',
  AGENT: '代表申请',
  INSURER: '保司名录',
});
export const aliasKinds = dictionary('institution.aliasKind', {
  FORMER: '曾用名',
  SHORT: '简称',
  CAMPUS: '院区名',
  MERGED: '并入名称',
  EXTERNAL: '外部系统名',
});
export const applyTypes = dictionary('institution.applyType', {
  CREATE: '新增医院',
  MODIFY: '信息变更',
  LEVEL: '等级变更',
  DISABLE: { label: '停用' },
});
export const applicantTypes = dictionary('institution.applicantType', { DOCTOR: '医生', AGENT: '代表', STAFF: '员工' });
export const enabledStates = dictionary('institution.enabledState', { ENABLED: { label: '启用', tone: 'success' }, DISABLED: '停用' });
export const qualityIssues = dictionary('institution.qualityIssue', {
  NO_COORDINATES: { label: '缺坐标', tone: 'warning' },
  NO_USCC: { label: '缺信用代码', tone: 'warning' },
  NO_LEVEL: { label: '等级未定', tone: 'warning' },
  CITY_ONLY: { label: '地区仅到市', tone: 'warning' },
  NO_DEPARTMENT: { label: '无科室', tone: 'warning' },
  BRACKET_CAMPUS: { label: '名称含括号院区', tone: 'processing' },
  NO_PHONE: '缺电话',
  NO_LICENCE: '缺许可证号',
});
const duplicateGrades = dictionary('institution.duplicateGrade', {
  SUSPECT: { label: '疑似重复', tone: 'error' },
  RELATED: { label: '可能相关', tone: 'warning' },
});
export const rejectReasons = ['医院不存在', '证明材料不清晰', '名称与执照不一致', '重复提交', '其他'] as const;

export const storeTags = dictionary('institution.storeTag', {
  DTP: { label: 'DTP药房', tone: 'processing' },
  CHAIN: '连锁门店',
  SINGLE: '单体药店',
  DIRECT: { label: '直付门店', tone: 'success' },
  DUAL: { label: '双通道药店', tone: 'warning' },
  ONLINE: '网售药店',
});
export type StoreTag = (typeof storeTags.codes)[number];
export const capabilities = dictionary('institution.capability', {
  COLD: '冷链',
  RX: '处方药',
  DELIVERY: '配送',
  PICKUP: '自提',
  INFUSION: '输注服务',
  SPECIAL: '特药存储',
});
export type Capability = (typeof capabilities.codes)[number];
export const locateSources = dictionary('institution.locateSource', { TIP: '地图选点', MANUAL: '手工', IMPORT: '导入' });
export type LocateSource = (typeof locateSources.codes)[number];
export const accountOwners = dictionary('institution.accountOwner', { NONE: '未设置', SHOP: '门店账户', CHAIN: '连锁总部账户' });
export type AccountOwner = (typeof accountOwners.codes)[number];
export const licenceTypes = dictionary('institution.licenceType', {
  BUSINESS: '营业执照',
  DRUG: '药品经营许可证',
  DEVICE: '医疗器械经营许可',
  FOOD: '食品经营许可',
  NHSA: '医保定点协议',
  PHARMACIST: '执业药师注册证',
  DUAL: '双通道资格',
  MEDICAL: '医疗机构执业许可证',
});
export type LicenceType = (typeof licenceTypes.codes)[number];
export const licenceOwners = dictionary('institution.licenceOwner', { DRUGSTORE: '药店', HOSPITAL: '医院', CHAIN: '连锁' });
export type LicenceOwner = (typeof licenceOwners.codes)[number];
export const licenceStates = dictionary('institution.licenceState', {
  VALID: { label: '有效', tone: 'success' },
  EXPIRED: { label: '已过期', tone: 'error' },
  REPLACED: '已替换',
});

export const institutionDictionaries = [
  hospitalLevels,
  hospitalKinds,
  ownerships,
  hospitalSources,
  aliasKinds,
  applyTypes,
  applicantTypes,
  enabledStates,
  qualityIssues,
  duplicateGrades,
  storeTags,
  capabilities,
  locateSources,
  accountOwners,
  licenceTypes,
  licenceOwners,
  licenceStates,
] as const;
