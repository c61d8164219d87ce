import { dictionary } from '#kernel/contract/dictionary.ts';

export const companyRoles = dictionary('pharma.companyRole', {
  MAH: '药品上市许可持有人',
  MAKER: '生产企业',
  IMPORTER: '进口总代理',
  DISTRIBUTOR: '经销商',
});
export type CompanyRole = (typeof companyRoles.codes)[number];

export const medicineKinds = dictionary('pharma.medicineKind', {
  CHEM: '化学药',
  BIO: '生物制品',
  TCM: '中成药',
  DEVICE: '医疗器械',
  FSMP: '特医食品',
});
export type MedicineKind = (typeof medicineKinds.codes)[number];

export const rxClasses = dictionary('pharma.rxClass', {
  RX: { label: '处方药', tone: 'error' },
  OTC_A: { label: '甲类非处方药', tone: 'warning' },
  OTC_B: { label: '乙类非处方药', tone: 'success' },
  NONE: '非药品',
});
export type RxClass = (typeof rxClasses.codes)[number];

export const dosageForms = dictionary('pharma.dosageForm', {
  TABLET: '片剂',
  FILM_TABLET: '薄膜衣片',
  CAPSULE: '胶囊剂',
  SOFT_CAPSULE: '软胶囊',
  GRANULE: '颗粒剂',
  INJECTION: '注射液',
  POWDER_INJ: '注射用粉针',
  PREFILLED: '预充式注射剂',
  PEN: '注射笔',
  ORAL_LIQUID: '口服液',
  INHALANT: '吸入剂',
  OINTMENT: '软膏剂',
  PATCH: '贴剂',
  DROPS: '滴眼剂',
  SUPPOSITORY: '栓剂',
  OTHER: '其他',
});
export type DosageForm = (typeof dosageForms.codes)[number];

export const storages = dictionary('pharma.storage', {
  NORMAL: '常温 10–30℃',
  COOL: '阴凉 ≤20℃',
  COLD: { label: '冷藏 2–8℃', tone: 'processing' },
  FROZEN: { label: '冷冻 ≤−18℃', tone: 'processing' },
});
export type Storage = (typeof storages.codes)[number];
export const isColdChain = (storage: string | null): boolean => storage === 'COLD' || storage === 'FROZEN';

export const approvalKinds = dictionary('pharma.approvalKind', {
  DOMESTIC: '国药准字',
  IMPORT: '进口',
  HMT: '港澳台',
  REPACK: '分包装',
  DEVICE: '械字号',
});

export const controlClasses = dictionary('pharma.controlClass', {
  NONE: '无',
  NARCOTIC: { label: '麻醉药品', tone: 'error' },
  PSYCH1: { label: '第一类精神药品', tone: 'error' },
  PSYCH2: { label: '第二类精神药品', tone: 'error' },
  TOXIC: { label: '医疗用毒性药品', tone: 'error' },
  RADIO: { label: '放射性药品', tone: 'error' },
  BANNED_ONLINE: { label: '网络禁售药品', tone: 'error' },
});
export type ControlClass = (typeof controlClasses.codes)[number];

export const taxSchemes = dictionary('pharma.taxScheme', { GENERAL: '一般计税', SIMPLE: '简易计税', EXEMPT: '免税' });

export const reimburseClasses = dictionary('pharma.reimburseClass', {
  A: { label: '甲类', tone: 'success' },
  B: { label: '乙类', tone: 'processing' },
  NEGOTIATED: { label: '国谈乙类', tone: 'warning' },
  DUAL: { label: '双通道', tone: 'warning' },
  SELF: '自费',
});
export type ReimburseClass = (typeof reimburseClasses.codes)[number];

export const priceTypes = dictionary('pharma.priceType', { MARKET: '零售指导价', SUPPLY: '供货价', REIMBURSE: '医保支付标准' });
export type PriceType = (typeof priceTypes.codes)[number];

export const applyTypes = dictionary('pharma.applyType', { CREATE: '新增', MODIFY: '变更', ON: '上架', PRICE: '调价' });
export type ApplyType = (typeof applyTypes.codes)[number];

export const categoryKinds = dictionary('pharma.categoryKind', { THERAPY: '治疗领域', SHOP: '前台分类' });
export const categoryStates = dictionary('pharma.categoryState', { ENABLED: { label: '启用', tone: 'success' }, DISABLED: '停用' });

/** From the highest to the lowest. */
export const agentRanks = dictionary('pharma.agentRank', { BU: '事业部总监', RM: '大区经理', DM: '地区经理', MR: '医药代表' });

export const filingFilters = dictionary('pharma.filing', { NONE: '未备案', EXPIRING: '60天内到期', EXPIRED: '已过期' });

export const handoverReasons = dictionary('pharma.handoverReason', { LEAVE: '离职', TRANSFER: '调岗', AREA: '区域调整' });

export const seriousnessLevels = dictionary('pharma.seriousness', {
  GENERAL: '一般',
  SERIOUS: { label: '严重', tone: 'warning' },
  DEATH: { label: '死亡', tone: 'error' },
});

export const pharmaDictionaries = [
  companyRoles,
  medicineKinds,
  rxClasses,
  dosageForms,
  storages,
  approvalKinds,
  controlClasses,
  taxSchemes,
  reimburseClasses,
  priceTypes,
  applyTypes,
  categoryKinds,
  categoryStates,
  agentRanks,
  filingFilters,
  handoverReasons,
  seriousnessLevels,
] as const;
