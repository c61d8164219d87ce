// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface IdentityApiClient {
  id: GeneratedAlways<string>;
  clientId: string;
  name: string;
  party: 'INSURER' | 'PHARMA' | 'SUPPLIER' | 'CHAIN' | 'MINI_APP' | 'PAY' | 'OTHER';
  partyId: string | null;
  keys: ColumnType<unknown, string, string>;
  permissions: ColumnType<unknown, string, string>;
  scope: ColumnType<unknown, string, string>;
  ipAllow: ColumnType<unknown, string, string>;
  ratePerMin: number;
  state: 'ENABLED' | 'DISABLED';
  lastUsedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface IdentityApiClientDay {
  apiClientId: string;
  day: string;
  calls: Generated<number>;
  failed: Generated<number>;
}

export interface IdentityApiNonce {
  clientId: string;
  nonce: string;
  at: string;
}

export interface IdentityCaptcha {
  captchaId: string;
  answerHash: string;
  expiresAt: string;
  usedAt: string | null;
}

export interface IdentityDutyPair {
  makes: string;
  decides: string;
  document: string;
  money: boolean;
}

export interface IdentityIcd10 {
  code: string;
  name: string;
  pinyin: string;
  parentCode: string | null;
  source: Generated<'SEED' | 'LOADED'>;
}

export interface IdentityLogVerifyRun {
  id: GeneratedAlways<string>;
  fromDay: string;
  toDay: string;
  state: 'RUNNING' | 'OK' | 'BROKEN';
  checked: Generated<string>;
  total: Generated<string>;
  brokenSeq: string | null;
  brokenLogId: string | null;
  brokenReason: string | null;
  userId: string | null;
  displayName: string | null;
  createdAt: string;
  finishedAt: string | null;
}

export interface IdentityLoginAttempt {
  key: string;
  failedAt: Generated<string[]>;
  locks: Generated<string[]>;
  lockedUntil: string | null;
  hardLocked: Generated<boolean>;
  updatedAt: string;
}

export interface IdentityLoginLog {
  id: GeneratedAlways<string>;
  at: string;
  userName: string;
  userId: string | null;
  method: 'PASSWORD' | 'SMS';
  result: 'OK' | 'BAD_PASSWORD' | 'BAD_CODE' | 'LOCKED' | 'DISABLED' | 'EXPIRED_TEMP' | 'RATE';
  ip: string;
  userAgent: string;
  deviceLabel: Generated<string>;
  sessionId: string | null;
  abnormal: ColumnType<unknown, string, string>;
}

export interface IdentityMenu {
  id: GeneratedAlways<string>;
  parentId: string | null;
  level: number;
  titleName: string;
  routeKey: string | null;
  path: string | null;
  kind: 'DIR' | 'PAGE';
  icon: string | null;
  sort: number;
  leftMenu: 'none' | 'corpus' | 'insurance';
  navShow: Generated<boolean>;
  weChatPage: Generated<boolean>;
  visible: Generated<boolean>;
  builtin: Generated<boolean>;
  seedKey: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface IdentityNotice {
  id: GeneratedAlways<string>;
  noticeNo: string;
  kind: 'ANNOUNCE' | 'TODO' | 'ALERT' | 'RESULT';
  title: string;
  body: Generated<string>;
  level: 'INFO' | 'WARN' | 'URGENT';
  audience: ColumnType<unknown, string, string>;
  link: string | null;
  businessKey: string | null;
  publishAt: string | null;
  expireAt: string | null;
  state: 'DRAFT' | 'PUBLISHED' | 'REVOKED' | 'DONE';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface IdentityNoticeRead {
  noticeId: string;
  userId: string;
  readAt: string;
}

export interface IdentityOperationLog {
  id: Generated<string>;
  at: string;
  traceId: string;
  durationMs: number;
  userId: string | null;
  opNo: string | null;
  displayName: string | null;
  roleCode: string | null;
  userRoleId: string | null;
  apiClientId: string | null;
  jobName: string | null;
  menuRouteKey: string | null;
  call: string;
  label: string;
  kind: 'WRITE' | 'REVEAL' | 'EXPORT' | 'DOWNLOAD' | 'IMPORT' | 'AUTH' | 'SYSTEM';
  targetType: string | null;
  targetId: string | null;
  targetNo: string | null;
  targetIds: ColumnType<unknown, string, string>;
  targetCount: number;
  diff: ColumnType<unknown, string, string>;
  diffTruncated: Generated<boolean>;
  input: ColumnType<unknown, string, string>;
  resultCode: string;
  message: string | null;
  ip: string | null;
  userAgent: string | null;
  datasetCode: string | null;
  pageToken: string | null;
  idempotencyKey: string | null;
}

export interface IdentityOperationLogAnchor {
  id: GeneratedAlways<string>;
  day: string;
  firstSeq: string | null;
  lastSeq: string | null;
  count: string;
  chainHash: string;
  hmac: string;
  fileId: string | null;
  createdAt: string;
}

export interface IdentityOperationLogSeal {
  seq: string;
  logId: string;
  logAt: string;
  rowHash: string;
  chainHash: string;
}

export interface IdentityPasswordHistory {
  id: GeneratedAlways<string>;
  userId: string;
  passwordHash: string;
  changedAt: string;
}

export interface IdentityPermissionCatalogue {
  code: string;
  label: string;
  domain: string;
  routeKeys: ColumnType<unknown, string, string>;
  risk: 'NORMAL' | 'HIGH';
  defaultRoles: ColumnType<unknown, string, string>;
  calls: ColumnType<unknown, string, string>;
  source: Generated<'CODE' | 'LOWCODE'>;
  retiredAt: string | null;
}

export interface IdentityRegion {
  adcode: string;
  name: string;
  level: 1 | 2 | 3;
  parentAdcode: string | null;
  pinyin: string;
  retiredOn: string | null;
  replacedBy: string | null;
}

export interface IdentityRole {
  id: GeneratedAlways<string>;
  roleCode: string;
  name: string;
  description: Generated<string>;
  builtin: Generated<boolean>;
  state: 'ENABLED' | 'DISABLED';
  defaultRouteKey: string | null;
  deletedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface IdentityRoleConflict {
  id: GeneratedAlways<string>;
  firstRoleId: string;
  secondRoleId: string;
  reason: string;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface IdentityRoleMenu {
  roleId: string;
  menuId: string;
}

export interface IdentityRolePermission {
  roleId: string;
  code: string;
}

export interface IdentityRouteCatalogue {
  routeKey: string;
  path: string;
  title: string;
  trail: ColumnType<unknown, string, string>;
  leftMenu: 'none' | 'corpus' | 'insurance';
  kind: string;
  source: 'CODE' | 'LOWCODE';
  viewPermission: string | null;
  sort: Generated<number>;
}

export interface IdentitySecurityPolicy {
  id: 1;
  settings: ColumnType<unknown, string, string>;
  version: Generated<number>;
  updatedAt: string;
  updatedBy: string | null;
}

export interface IdentitySession {
  id: GeneratedAlways<string>;
  tokenHash: Buffer;
  previousTokenHash: Buffer | null;
  previousValidUntil: string | null;
  userId: string;
  method: 'PASSWORD' | 'SMS';
  restricted: Generated<boolean>;
  smsVerifiedAt: string | null;
  issuedAt: string;
  lastSeenAt: string;
  idleExpiresAt: string;
  absoluteExpiresAt: string;
  rotatedAt: string;
  endedAt: string | null;
  endReason: 'LOGOUT' | 'EXPIRED' | 'REPLACED' | 'KICKED' | 'PASSWORD' | 'DISABLED' | 'BOOT' | null;
  ip: string;
  userAgent: string;
  deviceLabel: string;
}

export interface IdentitySmsCode {
  id: GeneratedAlways<string>;
  mobileHash: string;
  purpose: 'LOGIN' | 'STEP_UP';
  codeHash: string;
  sentAt: string;
  expiresAt: string;
  wrongCount: Generated<number>;
  usedAt: string | null;
  ip: string;
}

export interface IdentitySmsOutbox {
  id: GeneratedAlways<string>;
  at: string;
  mobileCipher: string;
  mobileHash: string;
  textCipher: string;
  purpose: 'LOGIN' | 'STEP_UP' | null;
  state: 'QUEUED' | 'SENT' | 'FAILED';
  providerAnswer: string | null;
}

export interface IdentityStaffUser {
  id: GeneratedAlways<string>;
  userName: string;
  displayName: string;
  opNo: string;
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  emailCipher: string | null;
  emailMasked: string | null;
  departmentName: string | null;
  postName: string | null;
  employer: 'SELF' | 'OUTSOURCE';
  validFrom: string | null;
  validTo: string | null;
  state: 'PENDING' | 'ENABLED' | 'LOCKED' | 'DISABLED' | 'LEFT';
  disabledReason: string | null;
  leftOn: string | null;
  passwordHash: string | null;
  passwordChangedAt: string | null;
  mustChangePassword: Generated<boolean>;
  changeReason: 'FIRST' | 'RESET' | null;
  tempPasswordExpiresAt: string | null;
  defaultUserRoleId: string | null;
  lastUserRoleId: string | null;
  lastLoginAt: string | null;
  lastLoginIp: string | null;
  importBatchNo: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface IdentityUserPreference {
  userId: string;
  key: string;
  value: ColumnType<unknown, string, string>;
  updatedAt: string;
}

export interface IdentityUserRole {
  id: GeneratedAlways<string>;
  userId: string;
  roleId: string;
  scope: ColumnType<unknown, string, string>;
  validFrom: string;
  validTo: string | null;
  state: 'ENABLED' | 'DISABLED';
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface IdentityWorkCalendar {
  day: string;
  isWorkday: boolean;
  isBankday: boolean;
  note: Generated<string>;
  edited: Generated<boolean>;
}

export interface IdentityTables {
  identityApiClient: IdentityApiClient;
  identityApiClientDay: IdentityApiClientDay;
  identityApiNonce: IdentityApiNonce;
  identityCaptcha: IdentityCaptcha;
  identityDutyPair: IdentityDutyPair;
  identityIcd10: IdentityIcd10;
  identityLogVerifyRun: IdentityLogVerifyRun;
  identityLoginAttempt: IdentityLoginAttempt;
  identityLoginLog: IdentityLoginLog;
  identityMenu: IdentityMenu;
  identityNotice: IdentityNotice;
  identityNoticeRead: IdentityNoticeRead;
  identityOperationLog: IdentityOperationLog;
  identityOperationLogAnchor: IdentityOperationLogAnchor;
  identityOperationLogSeal: IdentityOperationLogSeal;
  identityPasswordHistory: IdentityPasswordHistory;
  identityPermissionCatalogue: IdentityPermissionCatalogue;
  identityRegion: IdentityRegion;
  identityRole: IdentityRole;
  identityRoleConflict: IdentityRoleConflict;
  identityRoleMenu: IdentityRoleMenu;
  identityRolePermission: IdentityRolePermission;
  identityRouteCatalogue: IdentityRouteCatalogue;
  identitySecurityPolicy: IdentitySecurityPolicy;
  identitySession: IdentitySession;
  identitySmsCode: IdentitySmsCode;
  identitySmsOutbox: IdentitySmsOutbox;
  identityStaffUser: IdentityStaffUser;
  identityUserPreference: IdentityUserPreference;
  identityUserRole: IdentityUserRole;
  identityWorkCalendar: IdentityWorkCalendar;
}
