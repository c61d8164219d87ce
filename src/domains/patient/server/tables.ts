// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface PatientAccount {
  operatorId: string;
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  nick: Generated<string>;
  avatarFileId: string | null;
  openIds: Generated<string[]>;
  state: Generated<'ACTIVE' | 'FROZEN' | 'CANCELLED'>;
  lastLoginAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
}

export interface PatientAccountPerson {
  id: GeneratedAlways<string>;
  operatorId: string;
  patientId: string;
  relation: 'SELF' | 'SPOUSE' | 'PARENT' | 'CHILD' | 'OTHER';
  isDefault: Generated<boolean>;
  addedAt: string;
  removedAt: string | null;
}

export interface PatientAssistant {
  operatorId: string;
  userId: string;
}

export interface PatientAssistantBind {
  doctorId: string;
  operatorId: string;
}

export interface PatientBreakGlass {
  id: GeneratedAlways<string>;
  patientId: string;
  userId: string;
  reason: string;
  at: string;
  until: string;
}

export interface PatientCareGroup {
  conversationId: string;
  groupId: string | null;
  kind: string;
  patientId: string;
  suffererOperatorId: string;
  doctorId: string | null;
  assistantOperatorId: string | null;
  openedAt: string;
  closedAt: string | null;
  seq: number;
}

export interface PatientCareMember {
  conversationId: string;
  operatorId: string;
  leftAt: string | null;
  seq: number;
}

export interface PatientConsent {
  id: GeneratedAlways<string>;
  patientId: string;
  consentType: 'PRIVACY' | 'MEDICAL_DATA' | 'TELEMED' | 'FOLLOW_UP' | 'MARKETING' | 'SHARE_INSURER' | 'SHARE_PHARMA' | 'CROSS_PERSON';
  docVersion: string;
  act: 'GRANT' | 'WITHDRAW';
  by: 'SELF' | 'GUARDIAN' | 'STAFF';
  signerName: Generated<string>;
  channel: string;
  evidenceFileId: string | null;
  note: Generated<string>;
  createdBy: string | null;
  at: string;
}

export interface PatientConsentState {
  patientId: string;
  consentType: 'PRIVACY' | 'MEDICAL_DATA' | 'TELEMED' | 'FOLLOW_UP' | 'MARKETING' | 'SHARE_INSURER' | 'SHARE_PHARMA' | 'CROSS_PERSON';
  state: 'VALID' | 'WITHDRAWN' | 'LAPSED' | 'NONE';
  docVersion: string;
  at: string;
}

export interface PatientConsentText {
  id: GeneratedAlways<string>;
  consentType: 'PRIVACY' | 'MEDICAL_DATA' | 'TELEMED' | 'FOLLOW_UP' | 'MARKETING' | 'SHARE_INSURER' | 'SHARE_PHARMA' | 'CROSS_PERSON';
  docVersion: string;
  title: string;
  fileId: string | null;
  sha256: string | null;
  effectiveFrom: string;
  resign: boolean;
  lapsedDone: Generated<boolean>;
  createdAt: string;
  createdBy: string | null;
}

export interface PatientContactPerson {
  id: GeneratedAlways<string>;
  patientId: string;
  name: string;
  relation: 'SPOUSE' | 'PARENT' | 'CHILD' | 'GUARDIAN' | 'OTHER';
  mobileCipher: string;
  mobileMasked: string;
  idNoCipher: string | null;
  idNoMasked: string | null;
  isGuardian: boolean;
  proofFileId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PatientDiagnosis {
  id: GeneratedAlways<string>;
  patientId: string;
  icd10: string;
  name: string;
  stage: Generated<string>;
  isPrimary: Generated<boolean>;
  diagnosedAt: string;
  hospitalId: string | null;
  hospitalName: Generated<string>;
  departmentName: Generated<string>;
  doctorName: Generated<string>;
  state: 'SUSPECTED' | 'CONFIRMED' | 'RESOLVED';
  source: 'DOCTOR' | 'ASSISTANT' | 'PATIENT' | 'ENROL' | 'IMPORT';
  sourceRef: string | null;
  verifiedBy: string | null;
  fileIds: Generated<string[]>;
  voidedAt: string | null;
  voidReason: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PatientExternalRequest {
  clientId: string;
  operation: string;
  externalRequestNo: string;
  inputHash: string;
  answer: ColumnType<unknown, string, string>;
  at: string;
}

export interface PatientFileFact {
  fileId: string;
  sha256: string;
}

export interface PatientIndicator {
  id: GeneratedAlways<string>;
  inspectionId: string;
  patientId: string;
  code: string;
  value: string;
  unit: string;
  rawValue: string;
  rawUnit: string;
  refLow: string | null;
  refHigh: string | null;
  flag: 'L' | 'N' | 'H' | 'C';
  inspectionTime: string;
}

export interface PatientInspection {
  id: GeneratedAlways<string>;
  inspectionNo: string;
  patientId: string;
  kind: 'LAB' | 'IMAGE' | 'PATHOLOGY' | 'GENE' | 'OTHER';
  itemName: string;
  hospitalName: Generated<string>;
  inspectionTime: string;
  conclusion: Generated<string>;
  fileIds: Generated<string[]>;
  source: 'DOCTOR' | 'ASSISTANT' | 'PATIENT' | 'ENROL' | 'IMPORT';
  requestId: string | null;
  dueOn: string | null;
  status: '0' | '1' | '2';
  ocr: ColumnType<unknown, string | null | undefined, string | null>;
  readBy: string | null;
  readAt: string | null;
  voidedAt: string | null;
  voidReason: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PatientInspectionFile {
  inspectionId: string;
  patientId: string;
  fileId: string;
  sha256: string;
  live: Generated<boolean>;
}

export interface PatientMedicineSuggested {
  id: GeneratedAlways<string>;
  suggestNo: string;
  patientId: string;
  groupId: string | null;
  serverId: string | null;
  doctorId: string;
  doctorName: string;
  prescriptionTime: string;
  validUntil: string;
  note: Generated<string>;
  medicines: ColumnType<unknown, string, string>;
  status: '0' | '1' | '2' | '3';
  orderId: string | null;
  invalidReason: 'EXPIRED' | 'WITHDRAWN' | null;
  withdrawReason: string | null;
  confirmedAt: string | null;
  overrides: Generated<string[]>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PatientMerge {
  id: GeneratedAlways<string>;
  mergeNo: string;
  fromId: string;
  intoId: string;
  evidence: Generated<string[]>;
  reason: Generated<string>;
  suggested: Generated<boolean>;
  confirmed: Generated<boolean>;
  carried: Generated<string[]>;
  state: Generated<'PENDING' | 'MERGED' | 'REJECTED' | 'UNDONE'>;
  makerId: string | null;
  checkerId: string | null;
  opinion: string | null;
  decidedAt: string | null;
  undoneAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
}

export interface PatientPatient {
  id: GeneratedAlways<string>;
  patientNo: string;
  name: string;
  gender: Generated<0 | 1 | 2>;
  idType: 'ID' | 'PASSPORT' | 'HKMO' | 'TW' | 'FOREIGN' | 'BIRTH' | null;
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
  birthDate: string | null;
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  adcode: string | null;
  addressCipher: string | null;
  occupation: Generated<string>;
  medicalInsuranceType: 'URBAN_WORKER' | 'RESIDENT' | 'NONE' | null;
  source: 'MINI' | 'CHANNEL' | 'POLICY' | 'ORDER' | 'STAFF' | 'IMPORT';
  sourceId: string | null;
  realNameState: Generated<'UNVERIFIED' | 'PENDING' | 'MANUAL' | 'VERIFIED' | 'FAILED'>;
  realNameAt: string | null;
  realNameCheckId: string | null;
  lifeState: Generated<'ALIVE' | 'DECEASED'>;
  deceasedOn: string | null;
  lifeProofFileId: string | null;
  deceasedBy: string | null;
  state: Generated<'ACTIVE' | 'FROZEN' | 'MERGED' | 'CANCELLED'>;
  mergedIntoId: string | null;
  heightCm: number | null;
  weightG: number | null;
  bloodType: 'A' | 'B' | 'AB' | 'O' | 'UNKNOWN' | null;
  allergyHistory: Generated<string>;
  pastHistory: Generated<string>;
  familyHistory: Generated<string>;
  smoking: 'NEVER' | 'FORMER' | 'CURRENT' | null;
  drinking: 'NEVER' | 'SOMETIMES' | 'OFTEN' | null;
  pregnancyState: 'NONE' | 'PREGNANT' | 'LACTATING' | 'PLANNING' | null;
  covers: ColumnType<unknown, string | undefined, string>;
  insurerIds: Generated<string[]>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PatientPrivacyRequest {
  id: GeneratedAlways<string>;
  requestNo: string;
  kind: 'COPY' | 'CORRECT' | 'DELETE';
  patientId: string;
  detail: string;
  state: Generated<'OPEN' | 'DOING' | 'DONE' | 'REFUSED'>;
  dueAt: string;
  resultFileId: string | null;
  handlerId: string | null;
  opinion: string | null;
  finishedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface PatientRealNameCheck {
  id: GeneratedAlways<string>;
  patientId: string;
  requestId: string | null;
  method: 'ID2' | 'ID3' | 'FACE' | 'MANUAL';
  name: string;
  idType: 'ID' | 'PASSPORT' | 'HKMO' | 'TW' | 'FOREIGN' | 'BIRTH';
  idNoCipher: string;
  idNoHash: string;
  idNoMasked: string;
  mobileMasked: string | null;
  result: 'PASS' | 'MISMATCH' | 'NOT_FOUND' | 'ERROR';
  providerRef: string | null;
  fileIds: Generated<string[]>;
  decidedBy: string | null;
  opinion: string | null;
  at: string;
}

export interface PatientRealNameRequest {
  id: GeneratedAlways<string>;
  patientId: string;
  method: 'ID2' | 'ID3' | 'FACE' | 'MANUAL';
  name: string;
  idType: 'ID' | 'PASSPORT' | 'HKMO' | 'TW' | 'FOREIGN' | 'BIRTH';
  idNoCipher: string;
  idNoHash: string;
  idNoMasked: string;
  mobileCipher: string | null;
  mobileMasked: string | null;
  attempts: Generated<number>;
  fileIds: Generated<string[]>;
  opinion: string | null;
  open: Generated<boolean>;
  requestedBy: string | null;
  at: string;
  day: string;
}

export interface PatientRealNameSwitch {
  id: GeneratedAlways<string>;
  scopeType: 'GLOBAL' | 'CHANNEL' | 'DISEASE' | 'SERVICE_ITEM' | 'DOCTOR';
  scopeId: Generated<string>;
  scopeName: Generated<string>;
  scene: 'REGISTER' | 'CONSULT' | 'PRESCRIBE' | 'BUY_RX' | 'CLAIM' | 'ENROL';
  required: boolean;
  minMethod: 'ID2' | 'ID3' | 'FACE';
  effectiveFrom: string;
  reason: string;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PatientRecordAccess {
  id: Generated<string>;
  patientId: string;
  userId: string | null;
  clientId: string | null;
  role: Generated<string>;
  kind: 'VIEW' | 'REVEAL' | 'EXPORT' | 'BREAK_GLASS';
  fields: Generated<string[]>;
  reason: string | null;
  fromPage: string | null;
  at: string;
}

export interface PatientRecordOrder {
  id: GeneratedAlways<string>;
  orderId: string;
  patientId: string;
  orderNo: string;
  bizLine: string;
  orderTime: string;
  statusCode: string;
  statusName: string;
  lines: ColumnType<unknown, string | undefined, string>;
  payFen: string;
  drugstoreName: string | null;
  suggestNo: string | null;
  dead: Generated<boolean>;
  eventAt: string;
  createdAt: string;
  updatedAt: string;
}

export interface PatientRecordText {
  id: GeneratedAlways<string>;
  patientId: string;
  paragraphCode: 'P01' | 'P02' | 'P03' | 'P04';
  text: string;
  fileIds: Generated<string[]>;
  source: 'DOCTOR' | 'ASSISTANT' | 'PATIENT' | 'ENROL' | 'IMPORT';
  voidedAt: string | null;
  voidReason: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PatientReportedValue {
  id: GeneratedAlways<string>;
  patientId: string;
  code: string;
  value: string;
  answerId: string;
  at: string;
}

export interface PatientTreatment {
  id: GeneratedAlways<string>;
  diagnosisId: string;
  kind: 'SURGERY' | 'CHEMO' | 'RADIO' | 'TARGET' | 'IMMUNE' | 'ENDOCRINE' | 'DRUG' | 'OTHER';
  regimen: string;
  lineNo: number | null;
  startOn: string;
  endOn: string | null;
  outcome: 'CR' | 'PR' | 'SD' | 'PD' | 'NE' | null;
  adverseGrade: number | null;
  note: Generated<string>;
  source: 'DOCTOR' | 'ASSISTANT' | 'PATIENT' | 'ENROL' | 'IMPORT';
  fileIds: Generated<string[]>;
  voidedAt: string | null;
  voidReason: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface PatientTables {
  patientAccount: PatientAccount;
  patientAccountPerson: PatientAccountPerson;
  patientAssistant: PatientAssistant;
  patientAssistantBind: PatientAssistantBind;
  patientBreakGlass: PatientBreakGlass;
  patientCareGroup: PatientCareGroup;
  patientCareMember: PatientCareMember;
  patientConsent: PatientConsent;
  patientConsentState: PatientConsentState;
  patientConsentText: PatientConsentText;
  patientContactPerson: PatientContactPerson;
  patientDiagnosis: PatientDiagnosis;
  patientExternalRequest: PatientExternalRequest;
  patientFileFact: PatientFileFact;
  patientIndicator: PatientIndicator;
  patientInspection: PatientInspection;
  patientInspectionFile: PatientInspectionFile;
  patientMedicineSuggested: PatientMedicineSuggested;
  patientMerge: PatientMerge;
  patientPatient: PatientPatient;
  patientPrivacyRequest: PatientPrivacyRequest;
  patientRealNameCheck: PatientRealNameCheck;
  patientRealNameRequest: PatientRealNameRequest;
  patientRealNameSwitch: PatientRealNameSwitch;
  patientRecordAccess: PatientRecordAccess;
  patientRecordOrder: PatientRecordOrder;
  patientRecordText: PatientRecordText;
  patientReportedValue: PatientReportedValue;
  patientTreatment: PatientTreatment;
}
