// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface ChannelChannel {
  id: GeneratedAlways<string>;
  channelNo: string;
  parentId: string | null;
  path: string[];
  depth: number;
  name: string;
  channelType: 'AGENT' | 'COMPANY' | 'HOSPITAL' | 'DRUGSTORE' | 'INSURER' | 'ACTIVITY' | 'ONLINE' | 'WECOM' | 'OTHER';
  ownerId: string | null;
  ownerName: string | null;
  agentId: string | null;
  companyId: string | null;
  productLineId: string | null;
  adcode: string | null;
  startDate: string;
  endDate: string | null;
  tags: Generated<string[]>;
  remark: Generated<string>;
  costFen: Generated<string>;
  costNote: Generated<string>;
  state: Generated<'ENABLED' | 'EXPIRED' | 'DISABLED'>;
  doctorCount: Generated<number>;
  patientCount: Generated<number>;
  orderCount: Generated<number>;
  orderFen: Generated<string>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ChannelCodeHost {
  id: GeneratedAlways<string>;
  host: string;
  note: Generated<string>;
  enabled: boolean;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface ChannelContactTransfer {
  id: GeneratedAlways<string>;
  transferNo: string;
  fromMemberId: string;
  toMemberId: string;
  reason: 'LEAVE' | 'CHANGE';
  createdAt: string;
  createdBy: string | null;
}

export interface ChannelContactTransferItem {
  transferId: string;
  contactId: string;
  state: Generated<'WAITING' | 'DONE' | 'REFUSED' | 'LIMIT' | 'FAILED'>;
}

export interface ChannelDaily {
  channelId: string;
  day: string;
  pv: number;
  uv: number;
  newUv: number;
  registered: number;
  contacts: number;
  orders: number;
  payFen: string;
}

export interface ChannelDirtyDay {
  day: string;
}

export interface ChannelHandover {
  id: GeneratedAlways<string>;
  handoverNo: string;
  fromAgentId: string;
  toAgentId: string;
  channelIds: string[];
  effectiveOn: string;
  appliedAt: string | null;
}

export interface ChannelLiveCode {
  id: GeneratedAlways<string>;
  liveCodeNo: string;
  codeId: string;
  corpRowId: string;
  channelId: string;
  name: string;
  strategy: 'ROUND' | 'LEAST' | 'WEIGHT' | 'SAME';
  skipVerify: Generated<boolean>;
  welcome: ColumnType<unknown, string, string>;
  offHoursText: Generated<string>;
  state: Generated<'CREATING' | 'ACTIVE' | 'ERROR' | 'PAUSED' | 'DELETED'>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  tagIds: Generated<string[]>;
}

export interface ChannelLiveCodeMember {
  id: GeneratedAlways<string>;
  liveCodeId: string;
  memberId: string;
  weight: Generated<number>;
  dailyLimit: Generated<number>;
  spans: ColumnType<unknown, string | undefined, string>;
  isBackup: Generated<boolean>;
  lastShownAt: string | null;
  configId: string | null;
  qrUrl: string | null;
  wayState: Generated<'NONE' | 'READY' | 'FAILED'>;
  wayError: string | null;
  removed: Generated<boolean>;
}

export interface ChannelLiveMemberDay {
  liveCodeMemberId: string;
  day: string;
  shown: Generated<number>;
  added: Generated<number>;
}

export interface ChannelQrBatch {
  id: GeneratedAlways<string>;
  batchNo: string;
  name: string;
  mode: 'COUNT' | 'LIST';
  channelId: string;
  quantity: number;
  template: ColumnType<unknown, string, string>;
  namePattern: string;
  items: ColumnType<unknown, string | null | undefined, string | null>;
  done: Generated<number>;
  failed: Generated<number>;
  failures: ColumnType<unknown, string | undefined, string>;
  zipFileId: string | null;
  zipExpireAt: string | null;
  state: Generated<'QUEUED' | 'RUNNING' | 'READY' | 'PARTIAL' | 'FAILED' | 'CANCELLED' | 'VOID'>;
  failReason: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface ChannelQrCode {
  id: GeneratedAlways<string>;
  token: string;
  kind: 'COMMON' | 'SCENE' | 'LIVE';
  name: string;
  channelId: string;
  batchId: string | null;
  seqInBatch: number | null;
  target: ColumnType<unknown, string, string>;
  targetType: 'H5' | 'MINI' | 'DOCTOR' | 'DOCTOR_REGISTER' | 'SCENE' | 'PRODUCT' | 'DESK' | 'LIVE';
  params: ColumnType<unknown, string | undefined, string>;
  style: ColumnType<unknown, string, string>;
  validFrom: string | null;
  validTo: string | null;
  scanLimit: number | null;
  state: Generated<'ACTIVE' | 'DISABLED' | 'VOID'>;
  okCount: Generated<number>;
  pv: Generated<number>;
  uv: Generated<number>;
  lastScanAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ChannelQrScan {
  id: Generated<string>;
  codeId: string | null;
  token: string;
  channelId: string | null;
  agentId: string | null;
  sceneCodeId: string | null;
  doctorId: string | null;
  liveMemberId: string | null;
  at: string;
  visitorId: string | null;
  ipHash: string;
  client: 'WECHAT' | 'WECOM' | 'ALIPAY' | 'BROWSER' | 'OTHER';
  os: string;
  isNew: boolean;
  counted: boolean;
  result: 'OK' | 'DISABLED' | 'EXPIRED' | 'NOT_STARTED' | 'LIMIT' | 'UNKNOWN' | 'BOT' | 'THROTTLED';
}

export interface ChannelQrScanDaily {
  codeId: string;
  day: string;
  channelId: string;
  pv: number;
  uv: number;
  newUv: number;
  registered: number;
  contacts: number;
  orders: number;
  payFen: string;
}

export interface ChannelQrTargetHistory {
  id: GeneratedAlways<string>;
  codeId: string;
  before: ColumnType<unknown, string, string>;
  after: ColumnType<unknown, string, string>;
  userId: string | null;
  at: string;
}

export interface ChannelRefCopy {
  kind: 'SCENE' | 'DOCTOR' | 'AGENT' | 'HOSPITAL' | 'ASSISTANT' | 'USER' | 'ITEM';
  refId: string;
  name: string;
  usable: boolean;
  facts: ColumnType<unknown, string | undefined, string>;
  seq: Generated<number>;
  updatedAt: string;
}

export interface ChannelScanBinding {
  scanId: string;
  subjectKey: string;
  patientId: string | null;
  doctorId: string | null;
  at: string;
}

export interface ChannelScanConversion {
  id: GeneratedAlways<string>;
  kind: 'REGISTER_DOCTOR' | 'REGISTER_PATIENT' | 'ADD_CONTACT' | 'FIRST_ORDER' | 'ORDER';
  subjectKey: string;
  scanId: string | null;
  codeId: string | null;
  channelId: string;
  amountFen: Generated<string>;
  match: 'EXACT' | 'GUESS';
  at: string;
}

export interface ChannelSceneCode {
  id: GeneratedAlways<string>;
  sceneCodeNo: string;
  codeId: string;
  sceneId: string;
  channelId: string;
  doctorId: string | null;
  assistantId: string | null;
  entry: 'AUTO' | 'PAY';
  itemId: string | null;
  remark: Generated<string>;
  state: Generated<'ACTIVE' | 'DISABLED' | 'VOID'>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ChannelSyncRun {
  id: GeneratedAlways<string>;
  corpRowId: string;
  kind: 'MEMBER' | 'CONTACT' | 'TAG';
  trigger: 'JOB' | 'MANUAL' | 'CALLBACK';
  total: Generated<number>;
  done: Generated<number>;
  added: Generated<number>;
  changed: Generated<number>;
  removed: Generated<number>;
  errors: ColumnType<unknown, string | undefined, string>;
  state: Generated<'RUNNING' | 'SUCCESS' | 'PARTIAL' | 'FAILED'>;
  startedAt: string;
  endedAt: string | null;
}

export interface ChannelVip {
  id: GeneratedAlways<string>;
  vipNo: string;
  channelId: string;
  level: 'GOLD' | 'PLATINUM' | 'DIAMOND';
  sponsorName: string;
  sponsorId: string | null;
  defaultDiscountBp: number;
  itemDiscounts: ColumnType<unknown, string | undefined, string>;
  priorityAcceptMin: number;
  deskCode: string | null;
  patientQuota: number | null;
  monthlyBudgetFen: string | null;
  totalBudgetFen: string;
  usedFen: Generated<string>;
  startDate: string;
  endDate: string;
  contractFileIds: Generated<string[]>;
  previousVipId: string | null;
  state: Generated<'DRAFT' | 'PENDING' | 'WAITING' | 'ACTIVE' | 'SUSPENDED' | 'REJECTED' | 'EXPIRED' | 'TERMINATED'>;
  makerId: string | null;
  checkerId: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ChannelVipMember {
  vipId: string;
  patientId: string;
  scanId: string | null;
  joinedAt: string;
}

export interface ChannelVipMonth {
  vipId: string;
  month: string;
  usedFen: Generated<string>;
}

export interface ChannelVipUsage {
  id: GeneratedAlways<string>;
  vipId: string;
  orderId: string;
  kind: 'RESERVE' | 'RELEASE';
  amountFen: string;
  month: string;
  doctorName: string | null;
  at: string;
}

export interface ChannelWecomApp {
  id: GeneratedAlways<string>;
  corpRowId: string;
  agentId: string;
  name: string;
  secret: string | null;
  homeUrl: string | null;
  state: Generated<'ENABLED' | 'DISABLED'>;
  createdAt: string;
  updatedAt: string;
}

export interface ChannelWecomContact {
  id: GeneratedAlways<string>;
  corpRowId: string;
  externalUserId: string;
  memberId: string;
  nickCipher: string;
  nickMasked: string;
  avatar: string | null;
  unionIdHash: string | null;
  remark: Generated<string>;
  addedAt: string;
  wayKey: string | null;
  liveCodeId: string | null;
  visitorId: string | null;
  patientId: string | null;
  status: Generated<'ACTIVE' | 'DELETED_BY_CUSTOMER' | 'DELETED_BY_MEMBER' | 'TRANSFERRED'>;
  touchStopped: Generated<boolean>;
  welcomeState: 'SENT' | 'FAILED' | 'EXPIRED' | null;
  createdAt: string;
  updatedAt: string;
  tagIds: Generated<string[]>;
}

export interface ChannelWecomCorp {
  id: GeneratedAlways<string>;
  corpId: string;
  name: string;
  mode: 'LOCAL' | 'WECOM';
  contactSecret: string | null;
  callbackToken: string | null;
  encodingAesKey: string | null;
  state: Generated<'UNVERIFIED' | 'CONNECTED' | 'ERROR' | 'DISABLED'>;
  failures: Generated<number>;
  lastErrcode: number | null;
  lastError: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ChannelWecomEvent {
  id: GeneratedAlways<string>;
  corpRowId: string;
  eventKey: string;
  kind: string;
  payload: ColumnType<unknown, string, string>;
  receivedAt: string;
  handledAt: string | null;
  error: string | null;
}

export interface ChannelWecomLocalMember {
  id: GeneratedAlways<string>;
  corpRowId: string;
  wecomUserId: string;
  name: string;
  mobileHash: string | null;
  mobileMasked: string | null;
  departmentNames: Generated<string[]>;
  status: 1 | 2 | 4 | 5;
  canContact: Generated<boolean>;
}

export interface ChannelWecomLocalTag {
  id: GeneratedAlways<string>;
  corpRowId: string;
  tagId: string;
  name: string;
  groupName: string;
}

export interface ChannelWecomMember {
  id: GeneratedAlways<string>;
  corpRowId: string;
  wecomUserId: string;
  name: string;
  avatar: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  departmentNames: Generated<string[]>;
  status: 1 | 2 | 4 | 5;
  canContact: boolean;
  staffUserId: string | null;
  assistantId: string | null;
  bindState: Generated<'UNBOUND' | 'BOUND' | 'INVALID'>;
  boundAt: string | null;
  version: Generated<number>;
  createdAt: string;
  updatedAt: string;
}

export interface ChannelWecomTag {
  id: GeneratedAlways<string>;
  corpRowId: string;
  tagId: string;
  name: string;
  groupName: string;
  removed: Generated<boolean>;
  updatedAt: string;
}

export interface ChannelWelcomeSend {
  welcomeCodeHash: string;
  contactId: string;
  state: 'SENT' | 'FAILED' | 'EXPIRED';
  errcode: number | null;
  at: string;
}

export interface ChannelTables {
  channelChannel: ChannelChannel;
  channelCodeHost: ChannelCodeHost;
  channelContactTransfer: ChannelContactTransfer;
  channelContactTransferItem: ChannelContactTransferItem;
  channelDaily: ChannelDaily;
  channelDirtyDay: ChannelDirtyDay;
  channelHandover: ChannelHandover;
  channelLiveCode: ChannelLiveCode;
  channelLiveCodeMember: ChannelLiveCodeMember;
  channelLiveMemberDay: ChannelLiveMemberDay;
  channelQrBatch: ChannelQrBatch;
  channelQrCode: ChannelQrCode;
  channelQrScan: ChannelQrScan;
  channelQrScanDaily: ChannelQrScanDaily;
  channelQrTargetHistory: ChannelQrTargetHistory;
  channelRefCopy: ChannelRefCopy;
  channelScanBinding: ChannelScanBinding;
  channelScanConversion: ChannelScanConversion;
  channelSceneCode: ChannelSceneCode;
  channelSyncRun: ChannelSyncRun;
  channelVip: ChannelVip;
  channelVipMember: ChannelVipMember;
  channelVipMonth: ChannelVipMonth;
  channelVipUsage: ChannelVipUsage;
  channelWecomApp: ChannelWecomApp;
  channelWecomContact: ChannelWecomContact;
  channelWecomCorp: ChannelWecomCorp;
  channelWecomEvent: ChannelWecomEvent;
  channelWecomLocalMember: ChannelWecomLocalMember;
  channelWecomLocalTag: ChannelWecomLocalTag;
  channelWecomMember: ChannelWecomMember;
  channelWecomTag: ChannelWecomTag;
  channelWelcomeSend: ChannelWelcomeSend;
}
