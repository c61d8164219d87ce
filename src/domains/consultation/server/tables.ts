// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface ConsultationAssistantDuty {
  assistantId: string;
  operatorId: string;
  userId: string;
  name: string;
  avatarFileId: string | null;
  personState: 'ON_DUTY' | 'OFF_DUTY' | 'LEAVE' | 'DISABLED';
  state: Generated<'ON' | 'BUSY' | 'AWAY' | 'OFF'>;
  stateAt: string;
  maxConcurrent: Generated<number>;
  lastAssignedAt: string | null;
  lastConnectedAt: string | null;
  seq: Generated<number>;
  version: Generated<number>;
  updatedAt: string;
}

export interface ConsultationBindCopy {
  doctorId: string;
  assistantId: string;
  role: 'PRIMARY' | 'BACKUP';
  updatedAt: string;
}

export interface ConsultationCannedReply {
  id: GeneratedAlways<string>;
  scope: 'PUBLIC' | 'PRIVATE';
  ownerId: string;
  category: string;
  shortcut: string;
  title: string;
  titlePinyin: Generated<string>;
  content: string;
  attachmentFileIds: Generated<string[]>;
  useCount: Generated<number>;
  enabled: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface ConsultationDeskSource {
  sourceType: 'CHANNEL' | 'SCENE_CODE' | 'PRODUCT' | 'DISEASE';
  sourceId: string;
  sourceName: Generated<string>;
  deskId: string;
  enabled: boolean;
}

export interface ConsultationDoctorPlace {
  doctorId: string;
  doctorName: string;
  hospitalId: string | null;
  hospitalName: string | null;
  departmentId: string | null;
  adcode: string | null;
  channelId: string | null;
  seq: Generated<number>;
  updatedAt: string;
}

export interface ConsultationGroupBoard {
  id: GeneratedAlways<string>;
  groupId: string;
  inquiryId: string | null;
  action: 'QUEUED' | 'ASSIGNED' | 'TAKEN' | 'FIRST_REPLY' | 'TRANSFERRED' | 'TAKEN_OVER' | 'RELEASED' | 'SNOOZED' | 'WOKEN' | 'DONE' | 'OWNER_GONE' | 'ROUTED';
  fromAssistantId: string | null;
  toAssistantId: string | null;
  reason: string | null;
  seq: string | null;
  waitSec: number | null;
  overSla: Generated<boolean>;
  at: string;
}

export interface ConsultationGroupNote {
  id: GeneratedAlways<string>;
  groupId: string;
  afterSeq: string;
  content: string;
  mentions: Generated<string[]>;
  createdAt: string;
  createdBy: string | null;
  authorName: string;
  editedAt: string | null;
  deletedAt: string | null;
}

export interface ConsultationGuidanceDesk {
  id: GeneratedAlways<string>;
  deskCode: string;
  deskName: string;
  assistantIds: string[];
  sourceType: 'CHANNEL' | 'SCENE_CODE' | 'PRODUCT' | 'DISEASE' | null;
  dutyFrom: string;
  dutyTo: string;
  weekdays: (1 | 2 | 3 | 4 | 5 | 6 | 7)[];
  welcomeText: Generated<string>;
  offHoursText: Generated<string>;
  enabled: Generated<boolean>;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ConsultationImBlacklist {
  ownerId: string;
  blockedId: string;
  at: string;
}

export interface ConsultationImConnection {
  socketId: string;
  imUserId: string;
  node: string;
  device: 'console' | 'wx' | 'bot';
  clientId: string;
  ip: string;
  lastSeenAt: string;
}

export interface ConsultationImConversation {
  convId: GeneratedAlways<string>;
  type: 'GROUP' | 'C2C';
  groupId: string | null;
  name: string | null;
  userLow: string | null;
  userHigh: string | null;
  lastSeq: Generated<string>;
  lastMessageAt: string | null;
  dissolvedAt: string | null;
  recentSends: Generated<string[]>;
  recentEngineSends: Generated<string[]>;
  createdAt: string;
  createdBy: string | null;
}

export interface ConsultationImEvent {
  imUserId: string;
  eventSeq: string;
  day: string;
  type: 'msg' | 'msgModified' | 'msgRevoked' | 'conv' | 'convRemoved' | 'member' | 'readSelf' | 'invite' | 'profile' | 'blacklist';
  convId: string | null;
  seq: string | null;
  body: ColumnType<unknown, string | null | undefined, string | null>;
  at: string;
}

export interface ConsultationImInvite {
  inviteId: string;
  convId: string;
  callerId: string;
  invitees: string[];
  answered: ColumnType<unknown, string | undefined, string>;
  data: string;
  state: 'OPEN' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED' | 'TIMEOUT';
  expiresAt: string;
  createdAt: string;
}

export interface ConsultationImMember {
  convId: string;
  imUserId: string;
  userRole: 'DOCTOR' | 'ASSISTANT' | 'PATIENT';
  fromSeq: Generated<string>;
  readSeq: Generated<string>;
  readAt: string | null;
  joinTime: string;
  leftAt: string | null;
  muteUntil: string | null;
  isPinned: Generated<boolean>;
  remindType: Generated<'AcceptAndNotify' | 'AcceptNotNotify' | 'Discard'>;
  draftText: Generated<string>;
  clearedSeq: Generated<string>;
  isMarked: Generated<boolean>;
  collaborate: Generated<boolean>;
}

export interface ConsultationImMessage {
  convId: string;
  seq: string;
  senderId: string;
  clientMsgId: string;
  vendorId: string | null;
  type: 'TIMTextElem' | 'TIMImageElem' | 'TIMSoundElem' | 'TIMVideoFileElem' | 'TIMFileElem' | 'TIMCustomElem' | 'TIMGroupTipElem';
  payload: ColumnType<unknown, string, string>;
  payloadHash: string;
  cloudCustomData: Generated<string>;
  atUserList: Generated<string[]>;
  quoteSeq: string | null;
  needReadReceipt: Generated<boolean>;
  countsUnread: Generated<boolean>;
  auto: Generated<boolean>;
  sourceRef: string | null;
  sentAt: string;
  modifiedAt: string | null;
  modifyVersion: Generated<number>;
  revokedAt: string | null;
  revokedBy: string | null;
  revokeReason: string | null;
  searchTokens: Generated<string[]>;
  riskHit: string[] | null;
}

export interface ConsultationImMessageOriginal {
  convId: string;
  seq: string;
  modifyVersion: number;
  payload: ColumnType<unknown, string, string>;
  cloudCustomData: Generated<string>;
  by: string;
  at: string;
  reason: string | null;
}

export interface ConsultationImUser {
  imUserId: string;
  kind: 'PATIENT' | 'DOCTOR' | 'ASSISTANT' | 'SYSTEM';
  operatorId: string;
  refId: string | null;
  nick: string;
  avatar: string | null;
  lastEventSeq: Generated<string>;
  recentSends: Generated<string[]>;
  sigNotBefore: string | null;
  disabledAt: string | null;
  riskMuteUntil: string | null;
  muteReason: string | null;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  version: Generated<number>;
}

export interface ConsultationInquiry {
  id: GeneratedAlways<string>;
  inquiryNo: string;
  groupId: string | null;
  doctorId: string;
  doctorOperatorId: string;
  doctorName: string;
  patientId: string;
  suffererOperatorId: string;
  patientName: string;
  orderId: string;
  orderNo: string;
  openingId: string | null;
  itemId: string;
  itemName: string;
  serviceType: 'TEXT' | 'PHONE' | 'VIDEO' | 'FOLLOW_UP' | 'REPORT' | 'SECOND_OPINION' | 'PRIVATE';
  careKind: 'CONSULT' | 'DIAGNOSIS';
  billing: 'TIME' | 'REPLIES' | 'PERIOD';
  feeFen: string;
  acceptHours: number;
  replyHours: number;
  validHours: number;
  source: 'PATIENT' | 'DESK' | 'STAFF';
  chiefComplaint: Generated<string>;
  illnessDays: number | null;
  attachmentFileIds: Generated<string[]>;
  allergyNote: Generated<string>;
  serverStatus: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7';
  statusAt: string;
  paidAt: string | null;
  acceptDueAt: string | null;
  acceptedAt: string | null;
  replyDueAt: string | null;
  expireAt: string | null;
  endConfirmDueAt: string | null;
  endedAt: string | null;
  settleAt: string | null;
  settledAt: string | null;
  slotAt: string | null;
  slotRemindedAt: string | null;
  durationMin: number | null;
  roundLimit: Generated<number>;
  roundUsed: Generated<number>;
  roundOpen: Generated<boolean>;
  videoSecLimit: Generated<number>;
  videoSecUsed: Generated<number>;
  doctorReplyCount: Generated<number>;
  firstDoctorReplyAt: string | null;
  firstAssistantReplyAt: string | null;
  remindedAt: string | null;
  endReason: 'STAFF' | 'DOCTOR' | 'PATIENT' | 'TIMEOUT' | 'ROUNDS' | 'UNCONFIRMED' | null;
  closeReason: 'C01' | 'C02' | 'C03' | 'C04' | 'C05' | 'C06' | 'C99' | null;
  closeNote: string | null;
  extendedHours: Generated<number>;
  extendedRounds: Generated<number>;
  extendCount: Generated<number>;
  refundedFen: Generated<string>;
  refundState: Generated<'NONE' | 'PENDING' | 'DONE' | 'FAILED'>;
  startSeq: string | null;
  endSeq: string | null;
  stars: number | null;
  rateTags: Generated<('PROMPT' | 'CLEAR' | 'KIND' | 'EXPERT')[]>;
  rateText: string | null;
  ratedAt: string | null;
  qcScore: number | null;
  qcTags: Generated<string[]>;
  qcBy: string | null;
  qcAt: string | null;
  qcNote: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ConsultationMedicalGroup {
  groupId: string;
  convId: string;
  kind: 'DOCTOR' | 'DESK';
  name: string;
  doctorId: string | null;
  doctorOperatorId: string | null;
  deskId: string | null;
  suffererOperatorId: string;
  patientId: string;
  currentInquiryId: string | null;
  ownerAssistantId: string | null;
  lastAssistantId: string | null;
  lastAssistantAt: string | null;
  workState: 'QUEUED' | 'SERVING' | 'SNOOZED' | 'DONE';
  queuedAt: string | null;
  waitingSince: string | null;
  unanswered: Generated<number>;
  slaDueAt: string | null;
  snoozeUntil: string | null;
  priority: Generated<number>;
  crisisAt: string | null;
  tags: Generated<string[]>;
  sendPolicy: 'IN_SERVICE' | 'ALWAYS';
  offHoursAt: string | null;
  routedGroupId: string | null;
  source: 'ORDER' | 'DESK' | 'STAFF' | 'CODE';
  demoBot: Generated<boolean>;
  lastMessageAt: string | null;
  archivedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
}

export interface ConsultationParticipantSession {
  tokenHash: string;
  ticketId: string;
  imUserId: string;
  expiresAt: string;
  userAgent: string | null;
  endedAt: string | null;
  createdAt: string;
}

export interface ConsultationParticipantTicket {
  id: GeneratedAlways<string>;
  tokenHash: string;
  imUserId: string;
  groupId: string | null;
  expiresAt: string;
  exchangeCount: Generated<number>;
  wrongCount: Generated<number>;
  state: 'ACTIVE' | 'LOCKED' | 'REVOKED' | 'EXPIRED';
  demo: Generated<boolean>;
  issuedBy: string | null;
  reason: string | null;
  createdAt: string;
}

export interface ConsultationQueuePass {
  groupId: string;
  assistantId: string;
  until: string;
}

export interface ConsultationRefCopy {
  kind: 'DOCTOR' | 'OPENING';
  refId: string;
  name: string;
  facts: ColumnType<unknown, string | undefined, string>;
  seq: Generated<number>;
  updatedAt: string;
}

export interface ConsultationRiskWord {
  id: GeneratedAlways<string>;
  word: string;
  level: 'BLOCK' | 'FLAG';
  createdAt: string;
  createdBy: string | null;
}

export interface ConsultationSavedView {
  id: GeneratedAlways<string>;
  assistantId: string;
  name: string;
  filters: ColumnType<unknown, string, string>;
  createdAt: string;
}

export interface ConsultationVideoParticipant {
  roomId: string;
  imUserId: string;
  joinedAt: string;
  lastSeenAt: string;
  leftAt: string | null;
  leaveReason: string | null;
  worstRttMs: number | null;
  worstLostBp: number | null;
}

export interface ConsultationVideoRoom {
  roomId: string;
  convId: string;
  groupId: string | null;
  inquiryId: string | null;
  callerId: string;
  adapter: 'MESH' | 'TRTC';
  soundOnly: Generated<boolean>;
  inviteId: string | null;
  state: 'CALLING' | 'IN_CALL' | 'ENDED' | 'MISSED' | 'REJECTED' | 'CANCELLED' | 'FAILED';
  startedAt: string;
  answeredAt: string | null;
  endedAt: string | null;
  endReason: string | null;
  talkSec: Generated<number>;
  doctorPatientSec: Generated<number>;
}

export interface ConsultationVisitRecord {
  id: GeneratedAlways<string>;
  inquiryId: string;
  recordVersion: number;
  visitNo: string;
  current: boolean;
  visitTime: string;
  doctorId: string;
  patientId: string;
  chiefComplaint: Generated<string>;
  presentIllness: Generated<string>;
  pastHistory: Generated<string>;
  allergy: Generated<string>;
  diagnoses: ColumnType<unknown, string | undefined, string>;
  advice: Generated<string>;
  revisitOn: string | null;
  suggestionIds: Generated<string[]>;
  inspectionIds: Generated<string[]>;
  state: 'DRAFT' | 'WAIT_DOCTOR' | 'CONFIRMED' | 'ARCHIVED' | 'SUPERSEDED';
  confirmedBy: string | null;
  confirmedAt: string | null;
  archivedAt: string | null;
  archivedFileId: string | null;
  sha256: string | null;
  correctReason: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface ConsultationTables {
  consultationAssistantDuty: ConsultationAssistantDuty;
  consultationBindCopy: ConsultationBindCopy;
  consultationCannedReply: ConsultationCannedReply;
  consultationDeskSource: ConsultationDeskSource;
  consultationDoctorPlace: ConsultationDoctorPlace;
  consultationGroupBoard: ConsultationGroupBoard;
  consultationGroupNote: ConsultationGroupNote;
  consultationGuidanceDesk: ConsultationGuidanceDesk;
  consultationImBlacklist: ConsultationImBlacklist;
  consultationImConnection: ConsultationImConnection;
  consultationImConversation: ConsultationImConversation;
  consultationImEvent: ConsultationImEvent;
  consultationImInvite: ConsultationImInvite;
  consultationImMember: ConsultationImMember;
  consultationImMessage: ConsultationImMessage;
  consultationImMessageOriginal: ConsultationImMessageOriginal;
  consultationImUser: ConsultationImUser;
  consultationInquiry: ConsultationInquiry;
  consultationMedicalGroup: ConsultationMedicalGroup;
  consultationParticipantSession: ConsultationParticipantSession;
  consultationParticipantTicket: ConsultationParticipantTicket;
  consultationQueuePass: ConsultationQueuePass;
  consultationRefCopy: ConsultationRefCopy;
  consultationRiskWord: ConsultationRiskWord;
  consultationSavedView: ConsultationSavedView;
  consultationVideoParticipant: ConsultationVideoParticipant;
  consultationVideoRoom: ConsultationVideoRoom;
  consultationVisitRecord: ConsultationVisitRecord;
}
