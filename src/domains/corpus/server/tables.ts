// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface CorpusAutoMessage {
  id: GeneratedAlways<string>;
  kind: 'WELCOME' | 'NOTICE';
  name: string;
  triggerType: 'GROUP_CREATED' | 'SINGLE_OPEN' | 'CHANNEL_SCAN' | 'enrolment.apply.submitted' | 'enrolment.apply.approved' | 'enrolment.apply.rejected' | 'enrolment.apply.supplementRequested' | 'enrolment.apply.closed' | 'claim.case.supplementRequested' | 'claim.case.resultNotified' | 'order.fulfilment.shipped' | 'order.fulfilment.signed' | 'card.card.granted' | 'card.card.expiryNeared';
  scopeType: 'CHANNEL' | 'DOCTOR' | 'SERVICE_ITEM' | 'DISEASE' | 'DEFAULT';
  scopeId: string | null;
  scopeName: string;
  materialIds: string[];
  delaySec: number;
  quietMode: 'IMMEDIATE' | 'WINDOW';
  smsText: string | null;
  validFrom: string | null;
  validTo: string | null;
  state: 'DRAFT' | 'AUDITING' | 'ENABLED' | 'DISABLED';
  submittedBy: string | null;
  submittedAt: string | null;
  auditedBy: string | null;
  auditedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusCampaign {
  id: GeneratedAlways<string>;
  campaignNo: GeneratedAlways<string>;
  name: string;
  diseaseIds: string[];
  rows: ColumnType<unknown, string | undefined, string>;
  includePatientIds: Generated<string[]>;
  excludePatientIds: Generated<string[]>;
  target: 'AUTO' | 'GROUP' | 'SINGLE';
  touchKind: 'CARE' | 'CHECK' | 'EDUCATION' | 'FORM' | 'MEDICATION' | 'PROMO' | 'REVISIT' | 'SERVICE';
  materialIds: string[];
  sendAt: string;
  previewCount: number | null;
  previewAt: string | null;
  state: Generated<'DRAFT' | 'AUDITING' | 'SCHEDULED' | 'SENDING' | 'DONE' | 'STOPPED'>;
  stopReason: Generated<string>;
  submittedBy: string | null;
  submittedAt: string | null;
  auditedBy: string | null;
  auditedAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  importedPatientIds: Generated<string[]>;
}

export interface CorpusConditionSet {
  id: GeneratedAlways<string>;
  scenePackageId: string;
  expType: 1 | 2;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusDisease {
  id: GeneratedAlways<string>;
  diseaseCode: string;
  diseaseName: string;
  icd10Prefixes: string[];
  available: 0 | 1;
  sortNo: number;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusEngineSetting {
  id: 1;
  capPerDay: Generated<number>;
  cap7Days: Generated<number>;
  sameMaterialGapDays: Generated<number>;
  ratePerSecond: Generated<number>;
  breakerWindow: Generated<number>;
  breakerFailBp: Generated<number>;
  version: Generated<number>;
  updatedAt: string | null;
  updatedBy: string | null;
}

export interface CorpusFactLog {
  patientId: string;
  conversationId: string;
  at: string;
  facts: ColumnType<unknown, string, string>;
  catalogue: number;
  groupId: string | null;
  doctorId: string | null;
  assistantOperatorId: string | null;
  followUp: boolean;
  marketing: boolean;
  alive: boolean;
  cancelled: boolean;
}

export interface CorpusFollowRun {
  id: GeneratedAlways<string>;
  runNo: GeneratedAlways<string>;
  scenePackageId: string;
  packageVersionId: string;
  diseaseId: string;
  sceneId: string;
  patientId: string;
  conversationId: string;
  groupId: string | null;
  doctorId: string | null;
  assistantOperatorId: string | null;
  entrySource: 'AUTO' | 'MANUAL';
  entryExplain: ColumnType<unknown, string, string>;
  entryNote: Generated<string>;
  enteredAt: string;
  baseDate: string;
  shiftDays: Generated<number>;
  state: 'RUNNING' | 'PAUSED' | 'FINISHED' | 'STOPPED';
  pauseReason: 'PATIENT_REPLY' | 'DOCTOR_REPLY' | 'MANUAL' | null;
  pausedAt: string | null;
  pausedUntil: string | null;
  stopReason: 'STOP_CONDITION' | 'SERVICE_END' | 'NO_CHANNEL' | 'CONSENT' | 'DECEASED' | 'CANCELLED' | 'MERGED' | 'SCENE_OFFLINE' | 'MANUAL' | null;
  stopExplain: ColumnType<unknown, string | undefined, string>;
  endedAt: string | null;
  sentCount: Generated<number>;
  readCount: Generated<number>;
  repliedCount: Generated<number>;
  convertedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  course: ColumnType<unknown, string | undefined, string>;
}

export interface CorpusFollowSend {
  id: GeneratedAlways<string>;
  sendNo: GeneratedAlways<string>;
  dedupeKey: string;
  runId: string | null;
  scenePackageId: string | null;
  itemKey: string;
  occurrence: number;
  materialIds: string[];
  patientId: string;
  target: 'AUTO' | 'GROUP' | 'SINGLE';
  touchKind: 'MEDICATION' | 'CHECK' | 'REVISIT' | 'FORM' | 'SERVICE' | 'CARE' | 'EDUCATION' | 'PROMO';
  priority: number;
  itemConditions: ColumnType<unknown, string | undefined, string>;
  conversationId: string | null;
  senderId: string | null;
  dueAt: string;
  nextTryAt: string;
  expiresAt: string;
  state: 'PLANNED' | 'HELD' | 'SENDING' | 'UNKNOWN' | 'SENT' | 'FAILED' | 'SKIPPED' | 'CANCELLED';
  reasonCode: 'KILL' | 'PAUSED' | 'ACTIVE' | 'QUIET' | 'CAP' | 'EXPIRED' | 'CONDITION_LOST' | 'ITEM_CONDITION' | 'NO_CONSENT' | 'NO_CHANNEL' | 'MATERIAL_OFF' | 'RX_REQUIRED' | 'REPEAT' | 'MANUAL' | 'KILL_SKIP' | 'TASK' | null;
  gateTrace: ColumnType<unknown, string | undefined, string>;
  bubbles: ColumnType<unknown, string | undefined, string>;
  attempts: Generated<number>;
  lastError: string | null;
  leaseUntil: string | null;
  claimedAt: string | null;
  sentAt: string | null;
  lastSeq: string | null;
  readAt: string | null;
  repliedAt: string | null;
  convertedAt: string | null;
  convertEvent: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
  sourceKind: Generated<'FOLLOW' | 'WELCOME' | 'NOTICE' | 'CAMPAIGN'>;
  sourceId: string | null;
  textValues: ColumnType<unknown, string | undefined, string>;
  immediate: Generated<boolean>;
  smsText: string | null;
}

export interface CorpusFollowTask {
  id: GeneratedAlways<string>;
  taskNo: GeneratedAlways<string>;
  sourceType: 'SEND' | 'ANSWER' | 'RUN' | 'MANUAL';
  sourceId: string | null;
  taskType: 'CALL' | 'FORM' | 'REPLY' | 'ALERT' | 'AE' | 'SEND_FAIL';
  level: 'HIGH' | 'MID' | 'LOW';
  diseaseId: string | null;
  sceneId: string | null;
  runId: string | null;
  doctorId: string | null;
  patientId: string;
  conversationId: string | null;
  groupId: string | null;
  subject: string;
  dueAt: string;
  assigneeId: string | null;
  state: 'TODO' | 'DOING' | 'DONE' | 'CLOSED';
  attempts: ColumnType<unknown, string | undefined, string>;
  result: 'CONNECTED' | 'NO_ANSWER' | 'REFUSED' | 'WRONG_NUMBER' | 'RESOLVED' | 'LOST' | null;
  note: Generated<string>;
  nextFollowAt: string | null;
  aeReport: ColumnType<unknown, string | null | undefined, string | null>;
  endedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusForbiddenWord {
  word: string;
  level: 'HARD' | 'SOFT';
}

export interface CorpusGateTry {
  sendId: string;
  at: string;
  lastAt: string;
  tries: Generated<number>;
  scenePackageId: string | null;
  input: ColumnType<unknown, string, string>;
  facts: ColumnType<unknown, string, string>;
  verdict: ColumnType<unknown, string, string>;
}

export interface CorpusMaterial {
  id: GeneratedAlways<string>;
  materialNo: string;
  materialType: 'TEXT' | 'IMAGE' | 'ARTICLE' | 'MINI_CARD' | 'QUESTIONNAIRE' | 'MEDICINE_CARD';
  title: string;
  folderId: string | null;
  diseaseIds: Generated<string[]>;
  tags: Generated<string[]>;
  state: 'DRAFT' | 'AUDITING' | 'ENABLED' | 'DISABLED';
  editState: 'NONE' | 'DRAFT' | 'AUDITING';
  draft: ColumnType<unknown, string | null | undefined, string | null>;
  draftBy: string | null;
  currentVersionId: string | null;
  auditVersionId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusMaterialFolder {
  id: GeneratedAlways<string>;
  parentId: string | null;
  name: string;
  sortNo: number;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusMaterialVersion {
  id: GeneratedAlways<string>;
  materialId: string;
  seq: number;
  content: ColumnType<unknown, string, string>;
  textPlain: string;
  forbiddenHits: Generated<string[]>;
  state: 'AUDITING' | 'APPROVED' | 'REJECTED';
  submittedBy: string;
  submittedAt: string;
  auditorId: string | null;
  auditedAt: string | null;
  opinion: string | null;
}

export interface CorpusPackageCycle {
  id: GeneratedAlways<string>;
  scenePackageId: string;
  timeOption: 'EVERY_DAY' | 'EVERY_OTHER_DAY' | 'EVERY_TWO_DAYS';
  sendTime: string;
  age: 10 | 20 | 30 | null;
  playMode: 'SAME' | 'ROTATE';
  target: 'AUTO' | 'GROUP' | 'SINGLE';
  touchKind: 'MEDICATION' | 'CHECK' | 'REVISIT' | 'FORM' | 'SERVICE' | 'CARE' | 'EDUCATION' | 'PROMO';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  materialIds: Generated<string[]>;
}

export interface CorpusPackageVersion {
  id: GeneratedAlways<string>;
  scenePackageId: string;
  seq: number;
  state: 'AUDITING' | 'PUBLISHED' | 'REJECTED' | 'WITHDRAWN' | 'SUPERSEDED' | 'OFFLINE';
  snapshot: ColumnType<unknown, string, string>;
  contentHash: string;
  submitNote: Generated<string>;
  checks: ColumnType<unknown, string, string>;
  migrateMode: 'KEEP' | 'MIGRATE' | null;
  submittedBy: string;
  submittedAt: string;
  auditedBy: string | null;
  auditedAt: string | null;
  opinion: Generated<string>;
  version: Generated<number>;
  replayId: string | null;
}

export interface CorpusPreviewTouch {
  previewId: string;
  seq: number;
  scenePackageId: string;
  patientId: string;
  conversationId: string;
  doctorId: string | null;
  itemKey: string;
  occurrence: number;
  change: 'ADDED' | 'DROPPED' | 'MOVED' | 'CHANGED' | 'UNKNOWN' | 'SENT' | 'HELD' | 'SKIPPED' | 'CANCELLED';
  beforeAt: string | null;
  afterAt: string | null;
  label: string;
  why: Generated<string>;
}

export interface CorpusQuestionnaire {
  id: GeneratedAlways<string>;
  title: string;
  state: 'DRAFT' | 'AUDITING' | 'ENABLED' | 'DISABLED';
  editState: 'NONE' | 'DRAFT' | 'AUDITING';
  draft: ColumnType<unknown, string | null | undefined, string | null>;
  draftBy: string | null;
  currentVersionId: string | null;
  auditVersionId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusQuestionnaireAnswer {
  id: GeneratedAlways<string>;
  sendId: string | null;
  patientId: string;
  questionnaireId: string;
  versionId: string;
  answers: ColumnType<unknown, string, string>;
  score: number;
  alerts: ColumnType<unknown, string | undefined, string>;
  submittedAt: string;
  seconds: number;
  taskId: string | null;
  filledBy: string | null;
}

export interface CorpusQuestionnaireLink {
  sendId: string;
  patientId: string;
  questionnaireId: string;
  versionId: string;
  createdAt: string;
  expiresAt: string;
}

export interface CorpusQuestionnaireVersion {
  id: GeneratedAlways<string>;
  questionnaireId: string;
  seq: number;
  content: ColumnType<unknown, string, string>;
  textPlain: string;
  forbiddenHits: Generated<string[]>;
  state: 'AUDITING' | 'APPROVED' | 'REJECTED';
  submittedBy: string;
  submittedAt: string;
  auditorId: string | null;
  auditedAt: string | null;
  opinion: string | null;
}

export interface CorpusScene {
  id: GeneratedAlways<string>;
  name: string;
  diseaseId: string;
  mainSceneId: string | null;
  chatFlag: 0 | 1 | 2;
  copiedFromId: string | null;
  sortNo: number;
  version: Generated<number>;
  deletedAt: string | null;
  deletedBy: string | null;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusSceneCondition {
  id: GeneratedAlways<string>;
  conditionSetId: string;
  diseaseId: string;
  groupNo: 1 | 2 | 3 | 4 | 5;
  sortNo: number;
  role: 1 | 2 | 3;
  variableId: string;
  variableName: string;
  operatorValue: '>' | '<' | '=' | '>=' | '<=' | 'range';
  conditionValue: string;
  checked: 0 | 1;
  createdAt: string;
  createdBy: string | null;
}

export interface CorpusSceneEval {
  scenePackageId: string;
  patientId: string;
  conversationId: string;
  result: 'ENTER' | 'NOT' | 'BLOCKED';
  explain: ColumnType<unknown, string, string>;
  since: string;
  evaluatedAt: string;
  armed: boolean;
}

export interface CorpusScenePackage {
  id: GeneratedAlways<string>;
  sceneId: string;
  diseaseId: string;
  state: 'UNPUBLISHED' | 'RUNNING' | 'SUSPENDED' | 'OFFLINE';
  entryMode: Generated<'AUTO' | 'MANUAL'>;
  reentry: Generated<'NEVER' | 'AFTER_DAYS'>;
  reentryDays: number | null;
  priority: Generated<number>;
  pauseOnPatientReply: Generated<boolean>;
  pauseOnDoctorReply: Generated<boolean>;
  pauseHours: Generated<number>;
  resumeMode: Generated<'KEEP' | 'SHIFT'>;
  maxDelayHours: Generated<number>;
  activeGuardMin: Generated<number>;
  recheckLaunch: Generated<boolean>;
  calendarMode: Generated<'EVERY' | 'WORKDAY'>;
  goal: Generated<'NONE' | 'REPLY' | 'FORM_DONE' | 'ORDER_PAID' | 'INSPECTION' | 'REVISIT'>;
  goalWindowDays: Generated<number>;
  endAfterDays: number | null;
  childExclusive: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface CorpusScenePreview {
  id: GeneratedAlways<string>;
  scenePackageId: string;
  kind: 'DRY_RUN' | 'SIMULATE' | 'REPLAY';
  source: 'DRAFT' | 'PUBLISHED';
  contentHash: string;
  snapshot: ColumnType<unknown, string, string>;
  asOf: string;
  days: number;
  state: 'RUNNING' | 'DONE' | 'FAILED';
  doneCount: Generated<number>;
  totalCount: Generated<number>;
  summary: ColumnType<unknown, string | undefined, string>;
  fault: Generated<string>;
  createdAt: string;
  createdBy: string;
  finishedAt: string | null;
  baseVersionId: string | null;
  fromDay: string | null;
}

export interface CorpusScenePreviewRow {
  previewId: string;
  patientId: string;
  conversationId: string;
  doctorId: string | null;
  result: 'ENTER' | 'LIVE' | 'NOT' | 'BLOCKED';
  reason: Generated<string>;
  explain: ColumnType<unknown, string, string>;
}

export interface CorpusScheduleItem {
  id: GeneratedAlways<string>;
  itemKey: string;
  scenePackageId: string;
  dayOffset: number;
  sendTime: string;
  target: 'AUTO' | 'GROUP' | 'SINGLE';
  touchKind: 'MEDICATION' | 'CHECK' | 'REVISIT' | 'FORM' | 'SERVICE' | 'CARE' | 'EDUCATION' | 'PROMO';
  itemConditions: ColumnType<unknown, string | undefined, string>;
  sortNo: Generated<number>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  materialIds: Generated<string[]>;
  createTask: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface CorpusSendSwitch {
  id: GeneratedAlways<string>;
  scopeType: 'ENGINE' | 'SCENE' | 'DOCTOR' | 'CONVERSATION' | 'PATIENT';
  scopeId: string;
  reason: string;
  until: string | null;
  byUserId: string | null;
  onResume: 'CATCH_UP' | 'SKIP' | null;
  active: Generated<boolean>;
  createdAt: string;
  endedAt: string | null;
  endedBy: string | null;
}

export interface CorpusTouchCounter {
  patientId: string;
  day: string;
  count: number;
}

export interface CorpusVariableInfo {
  id: string;
  variableCode: string;
  variableName: string;
  userType: 1 | 2 | 3;
  variableInfoFlag: 1 | 2 | 3;
  valueType: 'NUMBER' | 'OPTION';
  options: ColumnType<unknown, string, string>;
  unit: string;
  decimals: number;
  operators: ('>' | '<' | '=' | '>=' | '<=' | 'range')[];
  timeDerived: boolean;
  source: string;
  refreshOn: string[];
}

export interface CorpusTables {
  corpusAutoMessage: CorpusAutoMessage;
  corpusCampaign: CorpusCampaign;
  corpusConditionSet: CorpusConditionSet;
  corpusDisease: CorpusDisease;
  corpusEngineSetting: CorpusEngineSetting;
  corpusFactLog: CorpusFactLog;
  corpusFollowRun: CorpusFollowRun;
  corpusFollowSend: CorpusFollowSend;
  corpusFollowTask: CorpusFollowTask;
  corpusForbiddenWord: CorpusForbiddenWord;
  corpusGateTry: CorpusGateTry;
  corpusMaterial: CorpusMaterial;
  corpusMaterialFolder: CorpusMaterialFolder;
  corpusMaterialVersion: CorpusMaterialVersion;
  corpusPackageCycle: CorpusPackageCycle;
  corpusPackageVersion: CorpusPackageVersion;
  corpusPreviewTouch: CorpusPreviewTouch;
  corpusQuestionnaire: CorpusQuestionnaire;
  corpusQuestionnaireAnswer: CorpusQuestionnaireAnswer;
  corpusQuestionnaireLink: CorpusQuestionnaireLink;
  corpusQuestionnaireVersion: CorpusQuestionnaireVersion;
  corpusScene: CorpusScene;
  corpusSceneCondition: CorpusSceneCondition;
  corpusSceneEval: CorpusSceneEval;
  corpusScenePackage: CorpusScenePackage;
  corpusScenePreview: CorpusScenePreview;
  corpusScenePreviewRow: CorpusScenePreviewRow;
  corpusScheduleItem: CorpusScheduleItem;
  corpusSendSwitch: CorpusSendSwitch;
  corpusTouchCounter: CorpusTouchCounter;
  corpusVariableInfo: CorpusVariableInfo;
}
