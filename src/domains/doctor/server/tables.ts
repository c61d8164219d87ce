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
  state: Generated<'ON_DUTY' | 'OFF_DUTY' | 'LEAVE' | 'DISABLED'>;
  leaveUntil: string | null;
  activeCount: Generated<number>;
  lastAssignedAt: string | null;
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
  role: 'PRIMARY' | 'BACKUP';
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
  scope: 'ALL' | 'DOCTORS';
  doctorIds: Generated<string[]>;
  strategy: 'ONE' | 'SPREAD';
  toAssistantIds: string[];
  withInquiries: boolean;
  reason: string;
  state: 'RUNNING' | 'DONE' | 'PARTIAL';
  results: ColumnType<unknown, string | undefined, string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorAttribution {
  id: GeneratedAlways<string>;
  subjectType: 'DOCTOR' | 'PATIENT';
  subjectId: string;
  subjectName: string;
  mobileMasked: string | null;
  channelId: string | null;
  sceneCodeId: string | null;
  agentId: string | null;
  viaDoctorId: string | null;
  scanId: string | null;
  scannedAt: string | null;
  method: 'SCAN' | 'MANUAL' | 'IMPORT' | 'ORGANIC';
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
  subjectType: 'DOCTOR' | 'PATIENT';
  subjectId: string;
  subjectName: string;
  fromChannelId: string | null;
  toChannelId: string | null;
  fromAgentId: string | null;
  toAgentId: string | null;
  effectiveOn: string;
  reason: string;
  evidenceFileIds: Generated<string[]>;
  source: 'MANUAL' | 'IMPORT';
  batchNo: string | null;
  makerId: string;
  checkerId: string | null;
  opinion: string | null;
  decidedAt: string | null;
  performedAt: string | null;
  state: Generated<'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELLED'>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface DoctorCard {
  id: GeneratedAlways<string>;
  doctorId: string;
  template: 'BLUE' | 'GREEN' | 'GOLD';
  headline: Generated<string>;
  showFields: ('AVATAR' | 'DEPARTMENT' | 'DISEASES' | 'SPECIALTY' | 'INTRO')[];
  sceneCodeId: string | null;
  codeLink: string | null;
  cardFileId: string | null;
  posterFileId: string | null;
  thumb: string | null;
  sourceHash: string | null;
  state: 'NONE' | 'GENERATING' | 'READY' | 'FAILED' | 'STALE' | 'DISABLED';
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
  state: 'RUNNING' | 'DONE' | 'PARTIAL';
  createdAt: string;
  createdBy: string;
  updatedAt: string;
}

export interface DoctorCert {
  id: GeneratedAlways<string>;
  doctorId: string;
  qualApplyId: string | null;
  certType: 'ID_CARD' | 'QUALIFICATION' | 'PRACTICE' | 'TITLE' | 'BADGE' | 'MULTI_SITE' | 'E_SIGN';
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
  verifySource: 'MANUAL' | 'NHC' | null;
  verifyFileId: string | null;
  verifiedBy: string | null;
  state: Generated<'PENDING' | 'VALID' | 'EXPIRED' | 'REJECTED' | 'REPLACED'>;
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
  itemType: 'TEXT' | 'PHONE' | 'VIDEO' | 'FOLLOW_UP' | 'REPORT' | 'SECOND_OPINION' | 'PRIVATE';
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
  discountSource: Generated<'VIP' | 'NONE'>;
  budgetUsedUp: Generated<boolean>;
  slotAt: string | null;
  slotHeld: Generated<boolean>;
  assistantId: string | null;
  overload: Generated<boolean>;
  inquiryId: string | null;
  groupId: string | null;
  expireAt: string;
  payChannel: 'WECHAT' | 'ALIPAY' | 'FREE';
  payOpenedAt: string | null;
  payAskedAt: string | null;
  payResult: 'WAITING' | 'UNKNOWN' | 'FAILED' | 'CLOSED' | 'PAID' | null;
  payFlag: 'AMOUNT' | 'LATE' | 'TWICE' | null;
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
  stateBefore: 'PAID' | 'SERVING' | 'COMPLETED' | null;
  completePending: Generated<boolean>;
  closeReason: 'TIMEOUT' | 'STAFF' | 'PATIENT' | 'DOCTOR_DISABLED' | null;
  state: 'WAIT_PAY' | 'PAID' | 'SERVING' | 'COMPLETED' | 'REFUNDING' | 'REFUNDED' | 'CLOSED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  unknownSince: string | null;
  askDueAt: string | null;
}

export interface DoctorConsultRefund {
  id: GeneratedAlways<string>;
  refundNo: string;
  orderId: string;
  amountFen: string;
  calc: ColumnType<unknown, string, string>;
  reason: 'NO_ACCEPT' | 'NO_REPLY' | 'DOCTOR_REFUSE' | 'PATIENT' | 'COMPLAINT';
  opinion: string | null;
  patientNote: string | null;
  makerId: string | null;
  checkerId: string | null;
  checkOpinion: string | null;
  state: 'APPLIED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'UNKNOWN' | 'REJECTED';
  channelRefundNo: string | null;
  failReason: string | null;
  askedAt: string | null;
  finishedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  unknownSince: string | null;
  askDueAt: string | null;
  foundOutcome: 'SUCCESS' | 'FAILED' | null;
  foundRefundNo: string | null;
  foundNote: string | null;
  foundFileId: string | null;
  foundBy: string | null;
  foundAt: string | null;
}

export interface DoctorConsultStep {
  orderId: string;
  step: 'ACCEPT' | 'FIRST_REPLY' | 'REPLY' | 'COMPLETE' | 'NO_ACCEPT' | 'NO_REPLY' | 'DOCTOR_REFUSE' | 'PATIENT';
  usedReplies: number;
  at: string;
}

export interface DoctorDoctor {
  id: GeneratedAlways<string>;
  doctorNo: string;
  operatorId: Generated<string>;
  name: string;
  namePinyin: string;
  gender: 'MALE' | 'FEMALE' | null;
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
  titleCode: 'CHIEF' | 'ASSOCIATE' | 'ATTENDING' | 'RESIDENT' | null;
  practiceLevel: 'LICENSED' | 'ASSISTANT' | null;
  practiceCategory: 'CLINICAL' | 'TCM' | 'STOMATOLOGY' | 'PUBLIC' | null;
  practiceScope: string | null;
  practiceSince: string | null;
  adcode: string | null;
  specialty: Generated<string>;
  intro: Generated<string>;
  diseaseIds: Generated<string[]>;
  markIds: Generated<string[]>;
  sourceType: 'SCAN' | 'INVITE' | 'IMPORT' | 'STAFF';
  accountState: Generated<'NORMAL' | 'FROZEN' | 'CANCELLED'>;
  qualState: Generated<'NONE' | 'PENDING' | 'RETURNED' | 'APPROVED' | 'REJECTED' | 'EXPIRED'>;
  qualReason: string | null;
  submittedAt: string | null;
  practiceOk: Generated<boolean>;
  acceptState: Generated<'ON' | 'OFF'>;
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
  kind: 'OPEN' | 'PRICE';
  fromPriceFen: string | null;
  toPriceFen: string;
  bandSnapshot: ColumnType<unknown, string, string>;
  reason: Generated<string>;
  applicantType: 'DOCTOR' | 'STAFF';
  applicantId: string;
  applicantName: string;
  state: Generated<'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN'>;
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
  source: 'OPEN' | 'AUTO' | 'AUDIT';
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
  firstSource: 'SCENE_CODE' | 'CARD' | 'SEARCH' | 'ASSIGN';
  firstAt: string;
  lastAt: string;
  orderCount: Generated<number>;
  state: Generated<'FOLLOWING' | 'UNFOLLOWED'>;
  createdAt: string;
  updatedAt: string;
}

export interface DoctorPayNotice {
  id: GeneratedAlways<string>;
  payChannel: 'WECHAT' | 'ALIPAY' | 'FREE';
  channelTradeNo: string;
  orderNo: string;
  orderId: string | null;
  amountFen: string;
  paidAt: string;
  source: 'NOTICE' | 'QUERY' | 'INTRANET';
  outcome: 'PAID' | 'AMOUNT' | 'LATE' | 'TWICE' | 'UNKNOWN_ORDER';
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
  applyType: 'FIRST' | 'UPDATE' | 'RENEW' | 'TITLE' | 'HOSPITAL';
  payload: ColumnType<unknown, string, string>;
  before: ColumnType<unknown, string, string>;
  source: 'SCAN' | 'INVITE' | 'IMPORT' | 'STAFF';
  state: 'PENDING' | 'REVIEWING' | 'RECHECK' | 'RETURNED' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN';
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
  recheckReason: 'OVERRIDE' | 'LEVEL' | null;
  rejectReasons: Generated<('N01' | 'N02' | 'N03' | 'N04' | 'N05' | 'N06' | 'N07' | 'N08' | 'N99')[]>;
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
  checkCode: 'Q01' | 'Q02' | 'Q03' | 'Q04' | 'Q05' | 'Q06' | 'Q07' | 'Q08' | 'Q09' | 'Q10' | 'Q11';
  machineResult: 'PASS' | 'WARN' | 'FAIL' | 'UNKNOWN';
  explain: string;
  hard: boolean;
  humanVerdict: 'AGREE' | 'OVERRIDE' | 'FAIL' | null;
  note: Generated<string>;
  updatedAt: string;
}

export interface DoctorRecommendation {
  id: GeneratedAlways<string>;
  position: 'HOME' | 'DISEASE' | 'CHANNEL' | 'SEARCH';
  scopeKey: string;
  adcode: string | null;
  doctorId: string;
  sort: number;
  reason: Generated<string>;
  startAt: string;
  endAt: string;
  state: 'WAITING' | 'ON' | 'ENDED' | 'OFF';
  offOpinion: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface DoctorRefCopy {
  kind: 'DISEASE' | 'PATIENT' | 'STAFF' | 'MARK' | 'INQUIRY' | 'CHANNEL' | 'AGENT' | 'SCENE_CODE';
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
  depth: 1 | 2;
  name: string;
  icon: 'CHAT' | 'EXPERT' | 'FOLLOW' | 'REPORT' | 'CROWN' | 'PHONE' | 'VIDEO' | 'HEART' | null;
  sort: number;
  visibleTo: Generated<'ALL' | 'VIP'>;
  state: Generated<'ENABLED' | 'DISABLED'>;
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
  state: Generated<'DRAFT' | 'ACTIVE' | 'HISTORY'>;
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
  itemType: 'TEXT' | 'PHONE' | 'VIDEO' | 'FOLLOW_UP' | 'REPORT' | 'SECOND_OPINION' | 'PRIVATE';
  careKind: 'CONSULT' | 'DIAGNOSIS';
  categoryId: string;
  sort: number;
  summary: Generated<string>;
  detail: Generated<string>;
  coverFileId: string | null;
  billing: 'TIME' | 'REPLIES' | 'PERIOD';
  quotaReplies: number | null;
  periodDays: number | null;
  durationMin: 10 | 15 | 20 | 30 | 60 | null;
  freeAllowed: Generated<boolean>;
  priceBands: ColumnType<unknown, string, string>;
  acceptHours: number;
  replyHours: number;
  validHours: number;
  needSlot: boolean;
  titleMin: 'CHIEF' | 'ASSOCIATE' | 'ATTENDING' | 'RESIDENT';
  categories: Generated<('CLINICAL' | 'TCM' | 'STOMATOLOGY' | 'PUBLIC')[]>;
  productLineId: string | null;
  agreementFileId: string | null;
  agreementVersion: Generated<number>;
  refundRuleCode: 'TIME_NONE' | 'REPLIES_SHARE' | 'DAYS_SHARE';
  state: Generated<'DRAFT' | 'ON' | 'OFF'>;
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
  state: Generated<'PENDING' | 'ON' | 'PAUSED' | 'SUSPENDED' | 'REJECTED' | 'CLOSED'>;
  suspendReason: 'CERT' | 'FREEZE' | null;
  suspendedFrom: 'ON' | 'PAUSED' | null;
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
