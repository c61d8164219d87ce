// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface PharmaAdverseReport {
  id: GeneratedAlways<string>;
  reportNo: string;
  medicineId: string;
  patientId: string;
  sourceTaskId: string;
  seriousness: 'GENERAL' | 'SERIOUS' | 'DEATH';
  isNew: boolean;
  descriptionCipher: string;
  occurredOn: string | null;
  receivedAt: string;
  dueAt: string;
  forwardedAt: string | null;
  forwardFileId: string | null;
  companyReceiptNo: string | null;
  invalidBy: string | null;
  invalidOpinion: string | null;
  reminded: Generated<number>;
  state: 'RECEIVED' | 'FORWARDED' | 'CLOSED' | 'INVALID';
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
}

export interface PharmaAgent {
  id: GeneratedAlways<string>;
  agentNo: string;
  name: string;
  namePinyin: string;
  mobileCipher: string;
  mobileHash: string;
  mobileMasked: string;
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
  email: string | null;
  avatarFileId: string | null;
  companyId: string;
  companyAgentCode: string | null;
  rank: 'BU' | 'RM' | 'DM' | 'MR';
  parentId: string | null;
  path: Generated<string[]>;
  adcodes: Generated<string[]>;
  hospitalIds: Generated<string[]>;
  filingNo: string | null;
  filingValidTo: string | null;
  filingFileId: string | null;
  userId: string | null;
  joinedOn: string | null;
  leftOn: string | null;
  previousAgentId: string | null;
  state: 'PENDING' | 'ACTIVE' | 'FROZEN' | 'HANDOVER' | 'LEFT';
  handoverFrom: 'ACTIVE' | 'FROZEN' | null;
  suspendReason: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PharmaAgentChannel {
  channelId: string;
  channelNo: string;
  name: string;
  channelType: string;
  agentId: string | null;
  state: string;
  scans30: number;
  seq: string;
}

export interface PharmaAgentDoctor {
  agentId: string;
  doctorId: string;
  productLineId: string;
  doctorName: string;
  hospitalName: string;
  titleCode: string | null;
  qualState: string | null;
  since: string;
  until: string | null;
}

export interface PharmaAgentHandover {
  id: GeneratedAlways<string>;
  handoverNo: string;
  fromAgentId: string;
  reason: 'LEAVE' | 'TRANSFER' | 'AREA';
  effectiveOn: string;
  plan: ColumnType<unknown, string, string>;
  makerId: string | null;
  makerName: string | null;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  remark: string | null;
  progress: ColumnType<unknown, string, string>;
  startedAt: string | null;
  remindedAt: string | null;
  state: 'DRAFT' | 'PENDING' | 'WAITING' | 'RUNNING' | 'DONE' | 'REJECTED' | 'CANCELLED';
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PharmaAgentLine {
  agentId: string;
  lineId: string;
  createdAt: string;
}

export interface PharmaCategory {
  id: GeneratedAlways<string>;
  parentId: string | null;
  code: string;
  path: string;
  depth: number;
  name: string;
  icon: string | null;
  sort: number;
  kind: 'THERAPY' | 'SHOP';
  state: 'ENABLED' | 'DISABLED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PharmaCompany {
  id: GeneratedAlways<string>;
  companyNo: string;
  name: string;
  normName: string;
  shortName: string;
  namePinyin: string;
  roles: ('MAH' | 'MAKER' | 'IMPORTER' | 'DISTRIBUTOR')[];
  uscc: string | null;
  country: string;
  logoFileId: string | null;
  contactName: string | null;
  contactMobileCipher: string | null;
  contactMobileMasked: string | null;
  contactEmail: string | null;
  address: string | null;
  pvName: string | null;
  pvEmail: string | null;
  pvPhone: string | null;
  licenceFileIds: Generated<string[]>;
  licenceValidTo: string | null;
  state: 'ENABLED' | 'DISABLED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PharmaDiseaseCopy {
  diseaseId: string;
  diseaseCode: string;
  diseaseName: string;
  available: boolean;
  seq: string;
}

export interface PharmaDoctorCopy {
  doctorId: string;
  name: string;
  hospitalName: string;
  titleCode: string | null;
  qualState: string | null;
  seq: string;
}

export interface PharmaMail {
  id: GeneratedAlways<string>;
  recipient: string;
  subject: string;
  body: string;
  fileIds: Generated<string[]>;
  state: 'QUEUED' | 'SENT';
  createdAt: string;
  sentAt: string | null;
}

export interface PharmaMedicine {
  id: GeneratedAlways<string>;
  medicineNo: string;
  genericName: string;
  brandName: string | null;
  englishName: string | null;
  genericPinyin: string;
  brandPinyin: Generated<string>;
  medicineKind: 'CHEM' | 'BIO' | 'TCM' | 'DEVICE' | 'FSMP';
  rxClass: 'RX' | 'OTC_A' | 'OTC_B' | 'NONE' | null;
  dosageForm: 'TABLET' | 'FILM_TABLET' | 'CAPSULE' | 'SOFT_CAPSULE' | 'GRANULE' | 'INJECTION' | 'POWDER_INJ' | 'PREFILLED' | 'PEN' | 'ORAL_LIQUID' | 'INHALANT' | 'OINTMENT' | 'PATCH' | 'DROPS' | 'SUPPOSITORY' | 'OTHER' | null;
  strength: string | null;
  approvalNo: string;
  approvalKind: 'DOMESTIC' | 'IMPORT' | 'HMT' | 'REPACK' | 'DEVICE';
  approvalValidTo: string | null;
  baseCode: string | null;
  nhsaCode: string | null;
  holderId: string | null;
  makerId: string | null;
  importerId: string | null;
  categoryId: string | null;
  atcCode: string | null;
  indications: ColumnType<unknown, string | undefined, string>;
  usageText: string | null;
  defaultDose: ColumnType<unknown, string | null | undefined, string | null>;
  contraindication: string | null;
  adverseReaction: string | null;
  labelFileId: string | null;
  imageFileIds: Generated<string[]>;
  storage: 'NORMAL' | 'COOL' | 'COLD' | 'FROZEN' | null;
  lightproof: Generated<boolean>;
  coldChain: GeneratedAlways<boolean | null>;
  controlClass: 'NONE' | 'NARCOTIC' | 'PSYCH1' | 'PSYCH2' | 'TOXIC' | 'RADIO' | 'BANNED_ONLINE';
  taxCode: string | null;
  taxRateBp: number | null;
  taxScheme: 'GENERAL' | 'SIMPLE' | 'EXEMPT' | null;
  rxRequired: GeneratedAlways<boolean | null>;
  sort: Generated<number>;
  firstOnAt: string | null;
  state: 'DRAFT' | 'PENDING' | 'OFF' | 'ON' | 'VOID';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PharmaMedicineApply {
  id: GeneratedAlways<string>;
  applyNo: string;
  applyType: 'CREATE' | 'MODIFY' | 'ON' | 'PRICE';
  medicineId: string;
  payload: ColumnType<unknown, string, string>;
  before: ColumnType<unknown, string, string>;
  makerId: string | null;
  makerName: string | null;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  decidedAt: string | null;
  state: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN';
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
}

export interface PharmaMedicineTag {
  medicineId: string;
  tagId: string;
  seq: string;
}

export interface PharmaProductLine {
  id: GeneratedAlways<string>;
  lineNo: string;
  companyId: string;
  name: string;
  therapyArea: string;
  diseaseIds: Generated<string[]>;
  startDate: string;
  endDate: string;
  ownerUserId: string | null;
  agreementFileIds: Generated<string[]>;
  remark: string | null;
  state: 'DRAFT' | 'ACTIVE' | 'EXPIRED' | 'STOPPED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PharmaProductLineMedicine {
  id: GeneratedAlways<string>;
  lineId: string;
  medicineId: string;
  startDate: string;
  endDate: string | null;
  createdAt: string;
  createdBy: string | null;
}

export interface PharmaPromotionTag {
  tagId: string;
  name: string;
  colour: string | null;
  validFrom: string | null;
  validTo: string | null;
  state: string;
  seq: string;
}

export interface PharmaReimburse {
  id: GeneratedAlways<string>;
  medicineId: string;
  provinceAdcode: string;
  reimburseClass: 'A' | 'B' | 'NEGOTIATED' | 'DUAL' | 'SELF';
  selfPayBp: number;
  restriction: string | null;
  effectiveFrom: string;
  effectiveTo: string | null;
  sourceFileId: string | null;
  createdAt: string;
  createdBy: string | null;
}

export interface PharmaSku {
  id: GeneratedAlways<string>;
  goodsCode: string;
  barcode: string | null;
  medicineId: string;
  packSpec: string;
  packUnits: number;
  unit: string;
  minQty: Generated<number>;
  maxQtyPerOrder: number;
  weightG: number | null;
  lengthMm: number | null;
  widthMm: number | null;
  heightMm: number | null;
  traceable: boolean;
  saleable: boolean;
  state: 'ON' | 'OFF';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PharmaSkuPrice {
  id: GeneratedAlways<string>;
  skuId: string;
  priceType: 'MARKET' | 'SUPPLY' | 'REIMBURSE';
  provinceAdcode: Generated<string>;
  priceFen: string;
  effectiveFrom: string;
  effectiveTo: string | null;
  reason: string;
  priceApplyId: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
  createdAt: string;
  createdBy: string | null;
}

export interface PharmaStaffCopy {
  userId: string;
  displayName: string;
  state: string;
  seq: string;
}

export interface PharmaTables {
  pharmaAdverseReport: PharmaAdverseReport;
  pharmaAgent: PharmaAgent;
  pharmaAgentChannel: PharmaAgentChannel;
  pharmaAgentDoctor: PharmaAgentDoctor;
  pharmaAgentHandover: PharmaAgentHandover;
  pharmaAgentLine: PharmaAgentLine;
  pharmaCategory: PharmaCategory;
  pharmaCompany: PharmaCompany;
  pharmaDiseaseCopy: PharmaDiseaseCopy;
  pharmaDoctorCopy: PharmaDoctorCopy;
  pharmaMail: PharmaMail;
  pharmaMedicine: PharmaMedicine;
  pharmaMedicineApply: PharmaMedicineApply;
  pharmaMedicineTag: PharmaMedicineTag;
  pharmaProductLine: PharmaProductLine;
  pharmaProductLineMedicine: PharmaProductLineMedicine;
  pharmaPromotionTag: PharmaPromotionTag;
  pharmaReimburse: PharmaReimburse;
  pharmaSku: PharmaSku;
  pharmaSkuPrice: PharmaSkuPrice;
  pharmaStaffCopy: PharmaStaffCopy;
}
