// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface InstitutionChain {
  id: GeneratedAlways<string>;
  chainNo: string;
  name: string;
  brand: Generated<string>;
  uscc: string;
  contactName: Generated<string>;
  contactMobileCipher: string | null;
  account: ColumnType<unknown, string | null | undefined, string | null>;
  state: 'ENABLED' | 'DISABLED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InstitutionDepartment {
  id: GeneratedAlways<string>;
  hospitalId: string;
  name: string;
  standardDeptCode: string | null;
  alias: Generated<string[]>;
  sort: Generated<number>;
  phone: Generated<string>;
  state: 'ENABLED' | 'DISABLED';
  mergedIntoId: string | null;
  doctorCount: Generated<number>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InstitutionDoctorCopy {
  doctorId: string;
  hospitalId: string | null;
  departmentId: string | null;
  seq: string;
}

export interface InstitutionDrugstore {
  id: GeneratedAlways<string>;
  storeNo: string;
  name: string;
  normName: string;
  nameGrams: string[];
  chainId: string | null;
  chainStoreCode: string | null;
  storeTags: Generated<('DTP' | 'CHAIN' | 'SINGLE' | 'DIRECT' | 'DUAL' | 'ONLINE')[]>;
  uscc: string | null;
  nhsaCode: string | null;
  adcode: string;
  cityAdcode: string;
  provinceAdcode: string;
  address: Generated<string>;
  addressHash: string;
  lngE6: number | null;
  latE6: number | null;
  locateSource: 'TIP' | 'MANUAL' | 'IMPORT' | null;
  phone: Generated<string>;
  managerName: Generated<string>;
  managerMobileCipher: string | null;
  pharmacistName: Generated<string>;
  pharmacistCertNo: Generated<string>;
  accountOf: Generated<'NONE' | 'SHOP' | 'CHAIN'>;
  account: ColumnType<unknown, string | null | undefined, string | null>;
  weekHours: ColumnType<unknown, string | undefined, string>;
  capabilities: Generated<('COLD' | 'RX' | 'DELIVERY' | 'PICKUP' | 'INFUSION' | 'SPECIAL')[]>;
  withheld: Generated<string[]>;
  deliveryRadiusM: number | null;
  deliveryFeeFen: number | null;
  freeOverFen: number | null;
  state: 'DRAFT' | 'PENDING' | 'OPEN' | 'SUSPENDED' | 'REJECTED' | 'CLOSED';
  suspendReason: string | null;
  nextExpireOn: string | null;
  openOrderCount: Generated<number>;
  makerId: string | null;
  importBatchNo: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InstitutionDuplicateIgnore {
  leftId: string;
  rightId: string;
  createdAt: string;
  createdBy: string | null;
}

export interface InstitutionDuplicatePair {
  leftId: string;
  rightId: string;
  score: number;
  why: string[];
  distanceM: number | null;
  scoredAt: string;
}

export interface InstitutionGoodsCopy {
  goodsCode: string;
  medicineId: string;
  goodsName: string;
  spec: string;
  state: string;
  updatedAt: string;
  seq: Generated<string>;
}

export interface InstitutionHospital {
  id: GeneratedAlways<string>;
  hospitalNo: string;
  name: string;
  shortName: Generated<string>;
  namePinyin: string;
  normName: string;
  nameGrams: string[];
  uscc: string | null;
  licenceNo: string | null;
  licenceValidTo: string | null;
  nhsaCode: string | null;
  parentId: string | null;
  campusName: Generated<string>;
  level: 'L3A' | 'L3B' | 'L3C' | 'L3N' | 'L2A' | 'L2B' | 'L2C' | 'L2N' | 'L1' | 'L0';
  levelRank: number;
  kind: 'GENERAL' | 'SPECIAL' | 'TCM' | 'MATERNAL' | 'COMMUNITY' | 'CLINIC' | 'INTERNET';
  ownership: 'PUBLIC' | 'PRIVATE' | 'MILITARY';
  adcode: string;
  cityAdcode: string;
  provinceAdcode: string;
  address: Generated<string>;
  lngE6: number | null;
  latE6: number | null;
  phone: Generated<string>;
  website: Generated<string>;
  introduction: Generated<string>;
  logoFileId: string | null;
  source: 'IMPORT' | 'STAFF' | 'DOCTOR' | 'AGENT' | 'INSURER';
  state: 'ENABLED' | 'DISABLED' | 'MERGED';
  mergedIntoId: string | null;
  stateBeforeMerge: 'ENABLED' | 'DISABLED' | null;
  qualityScoreBp: Generated<number>;
  qualityIssues: Generated<('NO_COORDINATES' | 'NO_USCC' | 'NO_LEVEL' | 'CITY_ONLY' | 'NO_DEPARTMENT' | 'BRACKET_CAMPUS' | 'NO_PHONE' | 'NO_LICENCE')[]>;
  doctorCount: Generated<number>;
  contractCount: Generated<number>;
  rowHash: string | null;
  importBatchNo: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  updatedByName: string | null;
}

export interface InstitutionHospitalAlias {
  id: GeneratedAlways<string>;
  hospitalId: string;
  name: string;
  normName: string;
  kind: 'FORMER' | 'SHORT' | 'CAMPUS' | 'MERGED' | 'EXTERNAL';
  sourceCode: string | null;
  externalId: string | null;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface InstitutionHospitalApply {
  id: GeneratedAlways<string>;
  applyNo: string;
  applyType: 'CREATE' | 'MODIFY' | 'LEVEL' | 'DISABLE';
  hospitalId: string | null;
  payload: ColumnType<unknown, string, string>;
  before: ColumnType<unknown, string | null | undefined, string | null>;
  name: string;
  level: 'L3A' | 'L3B' | 'L3C' | 'L3N' | 'L2A' | 'L2B' | 'L2C' | 'L2N' | 'L1' | 'L0' | null;
  adcode: string | null;
  applicantType: 'DOCTOR' | 'AGENT' | 'STAFF';
  applicantId: string;
  applicantName: string;
  applicantMobileCipher: string | null;
  evidenceFileIds: Generated<string[]>;
  candidates: ColumnType<unknown, string | undefined, string>;
  topScore: Generated<number>;
  notDuplicateIds: Generated<string[]>;
  reason: Generated<string>;
  state: 'PENDING' | 'REVIEWING' | 'APPROVED' | 'LINKED' | 'REJECTED' | 'WITHDRAWN';
  auditorId: string | null;
  auditorName: string | null;
  opinion: string | null;
  auditedAt: string | null;
  resultHospitalId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InstitutionHospitalMerge {
  id: GeneratedAlways<string>;
  mergeNo: string;
  survivorId: string;
  loserId: string;
  fieldChoice: ColumnType<unknown, string, string>;
  deptPlan: ColumnType<unknown, string, string>;
  loserSnapshot: ColumnType<unknown, string, string>;
  survivorSnapshot: ColumnType<unknown, string, string>;
  applied: ColumnType<unknown, string | null | undefined, string | null>;
  reason: string;
  usccDiffers: Generated<boolean>;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  state: 'PENDING' | 'DONE' | 'REJECTED' | 'UNDONE';
  doneAt: string | null;
  undoneAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface InstitutionLicence {
  id: GeneratedAlways<string>;
  ownerType: 'DRUGSTORE' | 'HOSPITAL' | 'CHAIN';
  ownerId: string;
  licenceType: 'BUSINESS' | 'DRUG' | 'DEVICE' | 'FOOD' | 'NHSA' | 'PHARMACIST' | 'DUAL' | 'MEDICAL';
  licenceNo: string;
  holder: string;
  validFrom: string;
  validTo: string | null;
  fileIds: Generated<string[]>;
  state: 'VALID' | 'EXPIRED' | 'REPLACED';
  remindedDays: Generated<number[]>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InstitutionStandardDept {
  code: string;
  parentCode: string | null;
  name: string;
  aliasNames: Generated<string[]>;
  sort: number;
  state: 'ENABLED' | 'DISABLED';
}

export interface InstitutionStoreChange {
  id: GeneratedAlways<string>;
  changeNo: string;
  ownerType: 'DRUGSTORE' | 'CHAIN';
  ownerId: string;
  ownerName: string;
  before: ColumnType<unknown, string, string>;
  after: ColumnType<unknown, string, string>;
  fileIds: Generated<string[]>;
  reason: Generated<string>;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  opinion: string | null;
  state: 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface InstitutionStoreGoods {
  id: GeneratedAlways<string>;
  storeId: string;
  goodsCode: string;
  effectiveFrom: string;
  medicineId: string;
  goodsName: string;
  spec: string;
  priceFen: string;
  inStock: boolean;
  stockAt: string;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface InstitutionStoreHoliday {
  storeId: string;
  day: string;
  spans: ColumnType<unknown, string, string>;
  note: Generated<string>;
  updatedAt: string;
  updatedBy: string | null;
}

export interface InstitutionTables {
  institutionChain: InstitutionChain;
  institutionDepartment: InstitutionDepartment;
  institutionDoctorCopy: InstitutionDoctorCopy;
  institutionDrugstore: InstitutionDrugstore;
  institutionDuplicateIgnore: InstitutionDuplicateIgnore;
  institutionDuplicatePair: InstitutionDuplicatePair;
  institutionGoodsCopy: InstitutionGoodsCopy;
  institutionHospital: InstitutionHospital;
  institutionHospitalAlias: InstitutionHospitalAlias;
  institutionHospitalApply: InstitutionHospitalApply;
  institutionHospitalMerge: InstitutionHospitalMerge;
  institutionLicence: InstitutionLicence;
  institutionStandardDept: InstitutionStandardDept;
  institutionStoreChange: InstitutionStoreChange;
  institutionStoreGoods: InstitutionStoreGoods;
  institutionStoreHoliday: InstitutionStoreHoliday;
}
