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
  state: string;
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
  state: string;
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
  storeTags: Generated<string[]>;
  uscc: string | null;
  nhsaCode: string | null;
  adcode: string;
  cityAdcode: string;
  provinceAdcode: string;
  address: Generated<string>;
  addressHash: string;
  lngE6: number | null;
  latE6: number | null;
  locateSource: string | null;
  phone: Generated<string>;
  managerName: Generated<string>;
  managerMobileCipher: string | null;
  pharmacistName: Generated<string>;
  pharmacistCertNo: Generated<string>;
  accountOf: Generated<string>;
  account: ColumnType<unknown, string | null | undefined, string | null>;
  weekHours: ColumnType<unknown, string | undefined, string>;
  capabilities: Generated<string[]>;
  withheld: Generated<string[]>;
  deliveryRadiusM: number | null;
  deliveryFeeFen: number | null;
  freeOverFen: number | null;
  state: string;
  suspendReason: string | null;
  nextExpireOn: string | null;
  lastVisitedOn: string | null;
  openOrderCount: Generated<number>;
  makerId: string | null;
  importBatchNo: string | null;
  rowHash: string | null;
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
  level: string;
  levelRank: number;
  kind: string;
  ownership: string;
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
  source: string;
  state: string;
  mergedIntoId: string | null;
  stateBeforeMerge: string | null;
  qualityScoreBp: Generated<number>;
  qualityIssues: Generated<string[]>;
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
  kind: string;
  sourceCode: string | null;
  externalId: string | null;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface InstitutionHospitalApply {
  id: GeneratedAlways<string>;
  applyNo: string;
  applyType: string;
  hospitalId: string | null;
  payload: ColumnType<unknown, string, string>;
  before: ColumnType<unknown, string | null | undefined, string | null>;
  name: string;
  level: string | null;
  adcode: string | null;
  applicantType: string;
  applicantId: string;
  applicantName: string;
  applicantMobileCipher: string | null;
  evidenceFileIds: Generated<string[]>;
  candidates: ColumnType<unknown, string | undefined, string>;
  topScore: Generated<number>;
  notDuplicateIds: Generated<string[]>;
  reason: Generated<string>;
  state: string;
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
  state: string;
  doneAt: string | null;
  undoneAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface InstitutionLicence {
  id: GeneratedAlways<string>;
  ownerType: string;
  ownerId: string;
  licenceType: string;
  licenceNo: string;
  holder: string;
  validFrom: string;
  validTo: string | null;
  fileIds: Generated<string[]>;
  state: string;
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
  state: string;
}

export interface InstitutionStoreChange {
  id: GeneratedAlways<string>;
  changeNo: string;
  ownerType: string;
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
  state: string;
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
