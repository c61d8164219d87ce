// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface DoctorAgentHandover {
  id: GeneratedAlways<string>;
  handoverNo: string;
  fromAgentId: string;
  toAgentId: string;
  doctorIds: string[];
  channelIds: string[];
  effectiveOn: string;
  appliedAt: string | null;
}

export interface DoctorAssistant {
  id: GeneratedAlways<string>;
  assistantNo: string;
  operatorId: Generated<string>;
  userId: string;
  name: string;
  mobileCipher: string;
  mobileHash: string;
  mobileMasked: string;
  avatarFileId: string | null;
  groupName: string;
  leaderId: string | null;
  capacity: Generated<number>;
  diseaseIds: Generated<string[]>;
  dutyWeek: ColumnType<unknown, string, string>;
  state: Generated<string>;
  leaveUntil: string | null;
  activeCount: Generated<number>;
  lastAssignedAt: string | null;
  firstReplyMedianSec: number | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorAssistantBind {
  id: GeneratedAlways<string>;
  doctorId: string;
  assistantId: string;
  role: string;
  startedAt: string;
  startedBy: string | null;
  endedAt: string | null;
  endedBy: string | null;
  endReason: string | null;
  transferId: string | null;
}

export interface DoctorAssistantLoad {
  orderId: string;
  doctorId: string;
  assistantId: string | null;
  inquiryId: string | null;
  open: boolean;
  seq: Generated<number>;
  takenAt: string;
  firstReplySec: number | null;
  updatedAt: string;
}

export interface DoctorAssistantTransfer {
  id: GeneratedAlways<string>;
  transferNo: string;
  fromAssistantId: string;
  scope: string;
  doctorIds: Generated<string[]>;
  strategy: string;
  toAssistantIds: string[];
  withInquiries: boolean;
  reason: string;
  state: string;
  results: ColumnType<unknown, string | undefined, string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorAttribution {
  id: GeneratedAlways<string>;
  subjectType: string;
  subjectId: string;
  subjectName: string;
  mobileMasked: string | null;
  channelId: string | null;
  sceneCodeId: string | null;
  agentId: string | null;
  viaDoctorId: string | null;
  scanId: string | null;
  scannedAt: string | null;
  method: string;
  startedAt: string;
  endedAt: string | null;
  changeId: string | null;
  mergedInto: string | null;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorAttributionChange {
  id: GeneratedAlways<string>;
  changeNo: string;
  subjectType: string;
  subjectId: string;
  subjectName: string;
  fromChannelId: string | null;
  toChannelId: string | null;
  fromAgentId: string | null;
  toAgentId: string | null;
  effectiveOn: string;
  reason: string;
  evidenceFileIds: Generated<string[]>;
  source: string;
  batchNo: string | null;
  makerId: string;
  checkerId: string | null;
  opinion: string | null;
  decidedAt: string | null;
  performedAt: string | null;
  state: Generated<string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorCard {
  id: GeneratedAlways<string>;
  doctorId: string;
  template: string;
  headline: Generated<string>;
  showFields: string[];
  sceneCodeId: string | null;
  codeLink: string | null;
  cardFileId: string | null;
  posterFileId: string | null;
  thumb: string | null;
  sourceHash: string | null;
  state: string;
  failReason: string | null;
  shareCount: Generated<number>;
  scanCount: Generated<number>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorCardTask {
  id: GeneratedAlways<string>;
  taskNo: string;
  doctorIds: string[];
  total: number;
  done: Generated<number>;
  failures: ColumnType<unknown, string | undefined, string>;
  state: string;
  createdAt: string;
  createdBy: string;
  updatedAt: string;
}

export interface DoctorCert {
  id: GeneratedAlways<string>;
  doctorId: string;
  qualApplyId: string | null;
  certType: string;
  hospitalId: string | null;
  certNoCipher: string | null;
  noHash: string | null;
  certNoMasked: string | null;
  fileIds: Generated<string[]>;
  issuer: Generated<string>;
  issuedOn: string | null;
  validFrom: string | null;
  validTo: string | null;
  extracted: ColumnType<unknown, string | undefined, string>;
  verified: ColumnType<unknown, string | undefined, string>;
  verifySource: string | null;
  verifyFileId: string | null;
  verifiedBy: string | null;
  state: Generated<string>;
  remindedDays: Generated<number[]>;
  remindedByHandOn: string | null;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorConsultOrder {
  id: GeneratedAlways<string>;
  orderNo: string;
  doctorId: string;
  openingId: string;
  itemId: string;
  itemType: string;
  itemSnapshot: ColumnType<unknown, string, string>;
  productLineId: string | null;
  patientId: string;
  patientOriginId: string | null;
  patientNameCipher: string;
  patientNameMasked: string;
  patientMobileCipher: string | null;
  patientMobileHash: string | null;
  patientMobileMasked: string | null;
  adcode: string | null;
  scanId: string | null;
  channelId: string | null;
  sceneCodeId: string | null;
  agentId: string | null;
  attributionId: string | null;
  priceFen: string;
  discountFen: Generated<string>;
  payFen: string;
  discountSource: Generated<string>;
  budgetUsedUp: Generated<boolean>;
  slotAt: string | null;
  slotHeld: Generated<boolean>;
  assistantId: string | null;
  overload: Generated<boolean>;
  inquiryId: string | null;
  groupId: string | null;
  expireAt: string;
  payChannel: string;
  payOpenedAt: string | null;
  payAskedAt: string | null;
  payResult: string | null;
  payFlag: string | null;
  channelTradeNo: string | null;
  paidAt: string | null;
  acceptDueAt: string | null;
  acceptedAt: string | null;
  replyDueAt: string | null;
  firstReplyAt: string | null;
  endedAt: string | null;
  completedAt: string | null;
  usedReplies: Generated<number>;
  replySeconds: number | null;
  stars: number | null;
  inquirySeq: Generated<number>;
  refundedFen: Generated<string>;
  stateBefore: string | null;
  completePending: Generated<boolean>;
  closeReason: string | null;
  state: string;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorConsultRefund {
  id: GeneratedAlways<string>;
  refundNo: string;
  orderId: string;
  amountFen: string;
  calc: ColumnType<unknown, string, string>;
  reason: string;
  opinion: string | null;
  patientNote: string | null;
  makerId: string | null;
  checkerId: string | null;
  checkOpinion: string | null;
  state: string;
  channelRefundNo: string | null;
  failReason: string | null;
  askedAt: string | null;
  finishedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorConsultStep {
  orderId: string;
  step: string;
  usedReplies: number;
  at: string;
}

export interface DoctorDoctor {
  id: GeneratedAlways<string>;
  doctorNo: string;
  operatorId: Generated<string>;
  name: string;
  namePinyin: string;
  gender: string | null;
  birthDate: string | null;
  avatarFileId: string | null;
  mobileCipher: string;
  mobileHash: string;
  mobileMasked: string;
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
  hospitalId: string | null;
  hospitalApplyId: string | null;
  departmentId: string | null;
  standardDeptCode: string | null;
  hospitalName: string | null;
  departmentName: string | null;
  titleCode: string | null;
  practiceLevel: string | null;
  practiceCategory: string | null;
  practiceScope: string | null;
  practiceSince: string | null;
  adcode: string | null;
  specialty: Generated<string>;
  intro: Generated<string>;
  diseaseIds: Generated<string[]>;
  markIds: Generated<string[]>;
  sourceType: string;
  accountState: Generated<string>;
  qualState: Generated<string>;
  qualReason: string | null;
  submittedAt: string | null;
  practiceOk: Generated<boolean>;
  acceptState: Generated<string>;
  offFrom: string | null;
  offUntil: string | null;
  channelId: string | null;
  agentId: string | null;
  responseMedianMin: number | null;
  ratingBp: number | null;
  servedCount: Generated<number>;
  unsettledFen: Generated<string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorHospitalMerge {
  loserId: string;
  survivorId: string;
  doctorId: string;
  departmentId: string | null;
  main: Generated<boolean>;
  certIds: Generated<string[]>;
  practices: ColumnType<unknown, string | undefined, string>;
}

export interface DoctorOpeningApply {
  id: GeneratedAlways<string>;
  applyNo: string;
  openingId: string;
  kind: string;
  fromPriceFen: string | null;
  toPriceFen: string;
  bandSnapshot: ColumnType<unknown, string, string>;
  reason: Generated<string>;
  applicantType: string;
  applicantId: string;
  applicantName: string;
  state: Generated<string>;
  auditorId: string | null;
  auditorName: string | null;
  opinion: string | null;
  decidedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
}

export interface DoctorOpeningPrice {
  id: GeneratedAlways<string>;
  openingId: string;
  priceFen: string;
  source: string;
  applyId: string | null;
  reason: Generated<string>;
  at: string;
  byId: string | null;
  byName: string;
}

export interface DoctorOpeningSlot {
  openingId: string;
  slotAt: string;
  quota: number;
  taken: Generated<number>;
}

export interface DoctorPatient {
  id: GeneratedAlways<string>;
  doctorId: string;
  patientId: string;
  patientOriginId: string | null;
  firstSource: string;
  firstAt: string;
  lastAt: string;
  orderCount: Generated<number>;
  state: Generated<string>;
  createdAt: string;
  updatedAt: string;
}

export interface DoctorPayNotice {
  id: GeneratedAlways<string>;
  payChannel: string;
  channelTradeNo: string;
  orderNo: string;
  orderId: string | null;
  amountFen: string;
  paidAt: string;
  source: string;
  outcome: string;
  at: string;
}

export interface DoctorPractice {
  id: GeneratedAlways<string>;
  doctorId: string;
  hospitalId: string;
  isMain: boolean;
  validFrom: string | null;
  validTo: string | null;
  certId: string | null;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorQualApply {
  id: GeneratedAlways<string>;
  applyNo: string;
  doctorId: string;
  applyType: string;
  payload: ColumnType<unknown, string, string>;
  before: ColumnType<unknown, string, string>;
  source: string;
  state: string;
  round: Generated<number>;
  submittedAt: string | null;
  dueAt: string | null;
  enteredBy: string | null;
  hospitalApplyId: string | null;
  leaseUserId: string | null;
  leaseUserName: string | null;
  leaseToken: string | null;
  leaseUntil: string | null;
  firstAuditorId: string | null;
  firstAuditorName: string | null;
  secondAuditorId: string | null;
  recheckReason: string | null;
  rejectReasons: Generated<string[]>;
  returnItems: Generated<string[]>;
  doctorWording: Generated<string>;
  internalNote: Generated<string>;
  returnedAt: string | null;
  decidedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorQualCheck {
  applyId: string;
  round: number;
  checkCode: string;
  machineResult: string;
  explain: string;
  hard: boolean;
  humanVerdict: string | null;
  note: Generated<string>;
  updatedAt: string;
}

export interface DoctorRecommendation {
  id: GeneratedAlways<string>;
  position: string;
  scopeKey: string;
  adcode: string | null;
  doctorId: string;
  sort: number;
  reason: Generated<string>;
  startAt: string;
  endAt: string;
  state: string;
  offOpinion: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorRefCopy {
  kind: string;
  refId: string;
  name: string;
  state: string;
  facts: ColumnType<unknown, string | undefined, string>;
  seq: Generated<number>;
  updatedAt: string;
}

export interface DoctorRegistration {
  mobileHash: string;
  bodyHash: string;
  doctorId: string;
  at: string;
}

export interface DoctorServiceCategory {
  id: GeneratedAlways<string>;
  code: string;
  parentId: string | null;
  depth: number;
  name: string;
  icon: string | null;
  sort: number;
  visibleTo: Generated<string>;
  state: Generated<string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorServiceConfigVersion {
  id: GeneratedAlways<string>;
  versionNo: number;
  content: ColumnType<unknown, string, string>;
  effectiveFrom: string | null;
  publishedAt: string | null;
  publishedBy: string | null;
  note: Generated<string>;
  state: Generated<string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorServiceItem {
  id: GeneratedAlways<string>;
  itemCode: string;
  name: string;
  itemType: string;
  careKind: string;
  categoryId: string;
  sort: number;
  summary: Generated<string>;
  detail: Generated<string>;
  coverFileId: string | null;
  billing: string;
  quotaReplies: number | null;
  periodDays: number | null;
  durationMin: number | null;
  freeAllowed: Generated<boolean>;
  priceBands: ColumnType<unknown, string, string>;
  acceptHours: number;
  replyHours: number;
  validHours: number;
  needSlot: boolean;
  titleMin: string;
  categories: Generated<string[]>;
  productLineId: string | null;
  agreementFileId: string | null;
  agreementVersion: Generated<number>;
  refundRuleCode: string;
  state: Generated<string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorServiceOpening {
  id: GeneratedAlways<string>;
  doctorId: string;
  itemId: string;
  priceFen: string;
  dailyLimit: number;
  slots: ColumnType<unknown, string | undefined, string>;
  state: Generated<string>;
  suspendReason: string | null;
  suspendedFrom: string | null;
  effectiveAt: string | null;
  autoPricedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorTables {
  doctorAgentHandover: DoctorAgentHandover;
  doctorAssistant: DoctorAssistant;
  doctorAssistantBind: DoctorAssistantBind;
  doctorAssistantLoad: DoctorAssistantLoad;
  doctorAssistantTransfer: DoctorAssistantTransfer;
  doctorAttribution: DoctorAttribution;
  doctorAttributionChange: DoctorAttributionChange;
  doctorCard: DoctorCard;
  doctorCardTask: DoctorCardTask;
  doctorCert: DoctorCert;
  doctorConsultOrder: DoctorConsultOrder;
  doctorConsultRefund: DoctorConsultRefund;
  doctorConsultStep: DoctorConsultStep;
  doctorDoctor: DoctorDoctor;
  doctorHospitalMerge: DoctorHospitalMerge;
  doctorOpeningApply: DoctorOpeningApply;
  doctorOpeningPrice: DoctorOpeningPrice;
  doctorOpeningSlot: DoctorOpeningSlot;
  doctorPatient: DoctorPatient;
  doctorPayNotice: DoctorPayNotice;
  doctorPractice: DoctorPractice;
  doctorQualApply: DoctorQualApply;
  doctorQualCheck: DoctorQualCheck;
  doctorRecommendation: DoctorRecommendation;
  doctorRefCopy: DoctorRefCopy;
  doctorRegistration: DoctorRegistration;
  doctorServiceCategory: DoctorServiceCategory;
  doctorServiceConfigVersion: DoctorServiceConfigVersion;
  doctorServiceItem: DoctorServiceItem;
  doctorServiceOpening: DoctorServiceOpening;
}
