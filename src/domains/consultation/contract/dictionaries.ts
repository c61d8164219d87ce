import { dictionary } from '#kernel/contract/dictionary.ts';

export const serviceTypes = dictionary('consultation.serviceType', {
  TEXT: '图文问诊',
  PHONE: '电话问诊',
  VIDEO: '视频问诊',
  FOLLOW_UP: '随访管理',
  REPORT: '报告解读',
  SECOND_OPINION: '二次诊断意见',
  PRIVATE: '私人医生',
});
export type ServiceType = (typeof serviceTypes.codes)[number];

const inquirySources = dictionary('consultation.inquirySource', { PATIENT: '患者购买', DESK: '导诊转接', STAFF: '代开' });
export const endReasons = dictionary('consultation.endReason', {
  STAFF: '医助结束',
  DOCTOR: '医生结束',
  PATIENT: '患者确认',
  TIMEOUT: '到期结束',
  ROUNDS: '轮次用完',
  UNCONFIRMED: '超时未确认',
});
export const closeReasons = dictionary('consultation.closeReason', {
  C01: '不属本科室',
  C02: '需线下就诊',
  C03: '资料不足',
  C04: '医生时间冲突',
  C05: '患者要求',
  C06: '重复购买',
  C99: '其他',
});
export type CloseReason = (typeof closeReasons.codes)[number];
export const refundStates = dictionary('consultation.refundState', {
  NONE: '无',
  PENDING: { label: '退款中', tone: 'processing' },
  DONE: '已退款',
  FAILED: { label: '退款失败', tone: 'error' },
});

export const groupKinds = dictionary('consultation.groupKind', {
  DOCTOR: { label: '医患群', tone: 'processing' },
  DESK: { label: '导诊台', tone: 'warning' },
});
export const conversationKinds = dictionary('consultation.conversationKind', { DOCTOR: '医患群', DESK: '导诊台', C2C: '单聊' });
const groupSources = dictionary('consultation.groupSource', { ORDER: '咨询订单', DESK: '导诊台', STAFF: '员工发起', CODE: '扫码' });
export const sendPolicies = dictionary('consultation.sendPolicy', { IN_SERVICE: '问诊期内可发言', ALWAYS: '始终可发言' });
export type SendPolicy = (typeof sendPolicies.codes)[number];
export const priorities = dictionary('consultation.priority', {
  '0': '普通',
  '1': { label: '优先', tone: 'warning' },
  '2': { label: '紧急', tone: 'error' },
});
export const boardActions = dictionary('consultation.boardAction', {
  QUEUED: '排队',
  ASSIGNED: '自动分配',
  TAKEN: '接入',
  FIRST_REPLY: '首次回复',
  TRANSFERRED: '转接',
  TAKEN_OVER: '接管',
  RELEASED: '退回队列',
  SNOOZED: '稍后处理',
  WOKEN: '到时唤醒',
  DONE: '已处理',
  OWNER_GONE: '责任医助离岗',
  ROUTED: '转给医生',
});

const accountKinds = dictionary('consultation.accountKind', { PATIENT: '患者', DOCTOR: '医生', ASSISTANT: '医助', SYSTEM: '系统' });
export type AccountKind = (typeof accountKinds.codes)[number];
export const userRoles = dictionary('consultation.userRole', { DOCTOR: '医生', ASSISTANT: '医助', PATIENT: '患者' });
export type UserRole = (typeof userRoles.codes)[number];
const devices = dictionary('consultation.device', { console: '医助工作台', wx: '参与者页面', bot: '模拟参与者' });

export const dutyStates = dictionary('consultation.dutyState', {
  ON: { label: '在岗', tone: 'success' },
  BUSY: { label: '忙碌', tone: 'warning' },
  AWAY: '离开',
  OFF: '离岗',
});
export type DutyState = (typeof dutyStates.codes)[number];
export const deskSources = dictionary('consultation.deskSource', {
  CHANNEL: '渠道',
  SCENE_CODE: '场景码',
  PRODUCT: '产品',
  DISEASE: '病种',
});
export type DeskSource = (typeof deskSources.codes)[number];
export const cannedScopes = dictionary('consultation.cannedScope', { PUBLIC: { label: '公共', tone: 'processing' }, PRIVATE: '个人' });
export const riskLevels = dictionary('consultation.riskLevel', {
  BLOCK: { label: '拦截', tone: 'error' },
  FLAG: { label: '标记', tone: 'warning' },
});
export const roomAdapters = dictionary('consultation.roomAdapter', { MESH: '浏览器直连', TRTC: '腾讯实时音视频' });
export const ratingTags = dictionary('consultation.ratingTag', {
  PROMPT: '回复及时',
  CLEAR: '讲解清楚',
  KIND: '态度亲切',
  EXPERT: '专业可信',
});
export type RatingTag = (typeof ratingTags.codes)[number];
/** Of a revisit, and of a follow-up message. */
export const followUpStates = dictionary('consultation.followUpState', {
  DUE: { label: '待复诊', tone: 'processing' },
  DONE: { label: '已复诊', tone: 'success' },
  MISSED: { label: '逾期未复诊', tone: 'warning' },
  READ: { label: '已读', tone: 'success' },
  UNREAD: '未读',
});

export const consultationDictionaries = [
  serviceTypes,
  inquirySources,
  endReasons,
  closeReasons,
  refundStates,
  groupKinds,
  conversationKinds,
  groupSources,
  sendPolicies,
  priorities,
  boardActions,
  accountKinds,
  userRoles,
  devices,
  dutyStates,
  deskSources,
  cannedScopes,
  riskLevels,
  roomAdapters,
  ratingTags,
  followUpStates,
] as const;
