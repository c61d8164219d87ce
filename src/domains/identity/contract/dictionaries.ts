import { dictionary } from '#kernel/contract/dictionary.ts';
import { loginMethods, restrictedReasons, smsPurposes } from './loginDictionaries.ts';

export { loginMethods, restrictedReasons, smsPurposes };

export const employers = dictionary('identity.employer', { SELF: '本公司', OUTSOURCE: '外包' });

export const sessionEndReasons = dictionary('identity.sessionEndReason', {
  LOGOUT: '主动退出',
  EXPIRED: '超时',
  REPLACED: '他处登录',
  KICKED: '强制下线',
  PASSWORD: '密码变更',
  DISABLED: '账号停用',
  BOOT: '初始化',
});

/** Why a session may do nothing but change the password. */
export const assignmentStates = dictionary('identity.assignmentState', {
  ENABLED: { label: '启用', tone: 'success' },
  DISABLED: '停用',
});

export const menuKinds = dictionary('identity.menuKind', { DIR: '目录', PAGE: '页面' });
export const leftMenus = dictionary('identity.leftMenu', { none: '无', corpus: '语料菜单', insurance: '保险菜单' });
export const routeSources = dictionary('identity.routeSource', { CODE: '系统', LOWCODE: '低代码' });
export const risks = dictionary('identity.risk', { NORMAL: '一般', HIGH: { label: '高危', tone: 'error' } });

export const logKinds = dictionary('identity.logKind', {
  WRITE: { label: '变更', tone: 'processing' },
  REVEAL: { label: '查看敏感信息', tone: 'warning' },
  EXPORT: { label: '导出', tone: 'warning' },
  DOWNLOAD: { label: '下载', tone: 'warning' },
  IMPORT: { label: '导入', tone: 'processing' },
  AUTH: { label: '登录安全', tone: 'success' },
  SYSTEM: '系统',
});

export const loginResults = dictionary('identity.loginResult', {
  OK: { label: '成功', tone: 'success' },
  BAD_PASSWORD: { label: '密码错误', tone: 'error' },
  BAD_CODE: { label: '验证码错误', tone: 'error' },
  LOCKED: { label: '已锁定', tone: 'error' },
  DISABLED: { label: '已停用' },
  EXPIRED_TEMP: { label: '临时密码过期', tone: 'warning' },
  RATE: { label: '频率限制', tone: 'warning' },
});

export const loginAnomalies = dictionary('identity.loginAnomaly', {
  NEW_IP: { label: '新地址', tone: 'warning' },
  NIGHT: { label: '夜间', tone: 'warning' },
  NEW_DEVICE: { label: '新设备', tone: 'warning' },
  /** The right person, while strangers had locked the account. */
  PAST_LOCK: { label: '锁定期间由可信设备登录', tone: 'processing' },
});

export const noticeKinds = dictionary('identity.noticeKind', {
  ANNOUNCE: '系统公告',
  TODO: { label: '待办', tone: 'processing' },
  ALERT: { label: '预警', tone: 'error' },
  RESULT: { label: '任务结果', tone: 'success' },
});
export const noticeLevels = dictionary('identity.noticeLevel', {
  INFO: '一般',
  WARN: { label: '重要', tone: 'warning' },
  URGENT: { label: '紧急', tone: 'error' },
});

export const apiParties = dictionary('identity.apiParty', {
  INSURER: '保司',
  PHARMA: '药企',
  SUPPLIER: '供应商',
  CHAIN: '药店连锁',
  MINI_APP: '小程序',
  PAY: '支付渠道',
  OTHER: '其他',
});
export const apiKeyStates = dictionary('identity.apiKeyState', {
  ACTIVE: { label: '有效', tone: 'success' },
  EXPIRED: '已过期',
});

const regionLevels = dictionary('identity.regionLevel', { 1: '省', 2: '市', 3: '区县' });

export const identityDictionaries = [
  employers,
  loginMethods,
  smsPurposes,
  sessionEndReasons,
  restrictedReasons,
  assignmentStates,
  menuKinds,
  leftMenus,
  routeSources,
  risks,
  logKinds,
  loginResults,
  loginAnomalies,
  noticeKinds,
  noticeLevels,
  apiParties,
  apiKeyStates,
  regionLevels,
] as const;
