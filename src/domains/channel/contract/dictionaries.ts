import { dictionary } from '#kernel/contract/dictionary.ts';

export const channelTypes = dictionary('channelType', {
  AGENT: '医药代表',
  COMPANY: '药企项目',
  HOSPITAL: '医院',
  DRUGSTORE: '药店',
  INSURER: '保司',
  ACTIVITY: '活动',
  ONLINE: '线上投放',
  WECOM: '企业微信',
  OTHER: '其他',
});
export type ChannelType = (typeof channelTypes.codes)[number];
/** Types that need no owner. */
export const ownerless: readonly ChannelType[] = ['ACTIVITY', 'ONLINE', 'OTHER'];

export const vipLevels = dictionary('channelVipLevel', { GOLD: '金', PLATINUM: '铂金', DIAMOND: '钻石' });
export const vipUsageKinds = dictionary('channelVipUsageKind', {
  RESERVE: { label: '占用', tone: 'processing' },
  RELEASE: { label: '释放' },
});

export const codeKinds = dictionary('channelCodeKind', { COMMON: '通用码', SCENE: '场景码', LIVE: '企微活码' });
export const targetTypes = dictionary('channelTargetType', {
  H5: '网页',
  MINI: '小程序',
  DOCTOR: '医生主页',
  DOCTOR_REGISTER: '医生注册',
  SCENE: '场景咨询',
  PRODUCT: '产品页',
  DESK: '导诊台',
  LIVE: '加企微好友',
});
export type TargetType = (typeof targetTypes.codes)[number];
export const batchModes = dictionary('channelBatchMode', { COUNT: '按数量', LIST: '按清单' });
export const frames = dictionary('channelCodeFrame', { NONE: '无边框', CARD: '卡片', POSTER: '海报' });

export const scanClients = dictionary('channelScanClient', {
  WECHAT: '微信',
  WECOM: '企业微信',
  ALIPAY: '支付宝',
  BROWSER: '浏览器',
  OTHER: '其他',
});
export const scanResults = dictionary('channelScanResult', {
  OK: { label: '成功', tone: 'success' },
  DISABLED: { label: '已停用' },
  EXPIRED: { label: '已过期', tone: 'warning' },
  NOT_STARTED: { label: '未开始', tone: 'processing' },
  LIMIT: { label: '次数已满', tone: 'warning' },
  UNKNOWN: { label: '无效码', tone: 'error' },
  BOT: { label: '机器访问' },
  THROTTLED: { label: '频繁', tone: 'error' },
});
export const conversionKinds = dictionary('channelConversionKind', {
  REGISTER_DOCTOR: '医生注册',
  REGISTER_PATIENT: '患者注册',
  ADD_CONTACT: '添加企微',
  FIRST_ORDER: '首单',
  ORDER: '订单',
});

export const sceneEntries = dictionary('channelSceneEntry', { AUTO: '扫码即入组', PAY: '先购买服务' });
export const chatFlags: Readonly<Record<string, string>> = { 0: '群聊', 1: '单聊', 2: '群聊+单聊' };

export const corpModes = dictionary('wecomCorpMode', { LOCAL: '本地模拟', WECOM: '企业微信' });
export const memberStatuses = dictionary('wecomMemberStatus', {
  1: { label: '已激活', tone: 'success' },
  2: { label: '已禁用', tone: 'error' },
  4: { label: '未激活', tone: 'warning' },
  5: { label: '已退出' },
});
export const contactStatuses = dictionary('wecomContactStatus', {
  ACTIVE: { label: '正常', tone: 'success' },
  DELETED_BY_CUSTOMER: { label: '客户已删除', tone: 'error' },
  DELETED_BY_MEMBER: { label: '成员已删除', tone: 'warning' },
  TRANSFERRED: { label: '已接替' },
});
export const welcomeStates = dictionary('wecomWelcomeState', {
  SENT: { label: '已发送', tone: 'success' },
  FAILED: { label: '发送失败', tone: 'error' },
  EXPIRED: { label: '已超时', tone: 'warning' },
});
export const strategies = dictionary('liveCodeStrategy', { ROUND: '轮询', LEAST: '今日最少', WEIGHT: '按权重', SAME: '老客户同一成员' });
export const syncKinds = dictionary('wecomSyncKind', { MEMBER: '成员', CONTACT: '客户', TAG: '标签' });
export const syncTriggers = dictionary('wecomSyncTrigger', { JOB: '定时', MANUAL: '手动', CALLBACK: '回调' });
export const syncStates = dictionary('wecomSyncState', {
  RUNNING: { label: '同步中', tone: 'processing', job: true },
  SUCCESS: { label: '成功', tone: 'success' },
  PARTIAL: { label: '部分失败', tone: 'warning' },
  FAILED: { label: '失败', tone: 'error' },
});
export const transferReasons = dictionary('contactTransferReason', { LEAVE: '离职', CHANGE: '在职' });
export const transferStates = dictionary('contactTransferState', {
  WAITING: { label: '等待接替', tone: 'processing' },
  DONE: { label: '接替成功', tone: 'success' },
  REFUSED: { label: '客户拒绝', tone: 'error' },
  LIMIT: { label: '接替已达上限', tone: 'warning' },
  FAILED: { label: '失败', tone: 'error' },
});

/** For exports, filters and the registry. */
export const channelDictionaries = [
  channelTypes,
  vipLevels,
  vipUsageKinds,
  codeKinds,
  targetTypes,
  batchModes,
  frames,
  scanClients,
  scanResults,
  conversionKinds,
  sceneEntries,
  corpModes,
  memberStatuses,
  contactStatuses,
  welcomeStates,
  strategies,
  syncKinds,
  syncTriggers,
  syncStates,
  transferReasons,
  transferStates,
] as const;
