/** Security policy as it stands before anybody changes it; units are in the names. */
export const policyDefaults = {
  passwordMinLength: 10,
  passwordExpireDays: 90,
  passwordWarnDays: 7,
  passwordHistory: 5,
  tempPasswordHours: 24,
  lockThreshold: 5,
  lockWindowMinutes: 15,
  lockMinutes: 30,
  lockPermanentAfter: 3,
  ipFailureLimit: 20,
  maxSessions: 1,
  sessionIdleMinutes: 120,
  sessionAbsoluteHours: 12,
  sessionRotateMinutes: 60,
  smsCodeMinutes: 5,
  smsResendSeconds: 60,
  smsHourly: 5,
  smsDaily: 10,
  smsIpHourly: 20,
  stepUpMinutes: 10,
  fourEyesLowcode: true,
  watermark: true,
  cardBatchMaxYuan: 10_000_000,
  cardDifferenceFactor: 2,
  cardDifferenceSecondYuan: 1000,
};

export type SecurityPolicy = typeof policyDefaults;

interface PolicyField {
  label: string;
  group: '密码' | '锁定' | '会话' | '短信' | '金额' | '其他';
  unit: string;
  min: number;
  max: number;
}

/** Names, units and permitted ranges; switches have none. */
export const policyFields: Readonly<Record<keyof SecurityPolicy, PolicyField>> = {
  passwordMinLength: { label: '密码最小长度', group: '密码', unit: '位', min: 10, max: 32 },
  passwordExpireDays: { label: '密码有效期（0为不过期）', group: '密码', unit: '天', min: 0, max: 365 },
  passwordWarnDays: { label: '密码到期提前提醒', group: '密码', unit: '天', min: 1, max: 30 },
  passwordHistory: { label: '不能重复使用最近密码', group: '密码', unit: '次', min: 5, max: 5 },
  tempPasswordHours: { label: '临时密码有效期', group: '密码', unit: '小时', min: 1, max: 72 },
  lockThreshold: { label: '连续失败次数', group: '锁定', unit: '次', min: 3, max: 10 },
  lockWindowMinutes: { label: '失败统计时长', group: '锁定', unit: '分钟', min: 5, max: 60 },
  lockMinutes: { label: '锁定时长', group: '锁定', unit: '分钟', min: 5, max: 1440 },
  lockPermanentAfter: { label: '24小时内锁定几次后须人工解锁', group: '锁定', unit: '次', min: 2, max: 10 },
  ipFailureLimit: { label: '同一地址10分钟失败上限', group: '锁定', unit: '次', min: 5, max: 200 },
  maxSessions: { label: '同一账号同时在线数（0为不限）', group: '会话', unit: '个', min: 0, max: 20 },
  sessionIdleMinutes: { label: '无操作退出', group: '会话', unit: '分钟', min: 10, max: 720 },
  sessionAbsoluteHours: { label: '最长在线时长', group: '会话', unit: '小时', min: 1, max: 24 },
  sessionRotateMinutes: { label: '令牌更换间隔', group: '会话', unit: '分钟', min: 10, max: 240 },
  smsCodeMinutes: { label: '短信验证码有效期', group: '短信', unit: '分钟', min: 1, max: 15 },
  smsResendSeconds: { label: '重新获取间隔', group: '短信', unit: '秒', min: 30, max: 300 },
  smsHourly: { label: '同一手机号每小时上限', group: '短信', unit: '条', min: 1, max: 20 },
  smsDaily: { label: '同一手机号每天上限', group: '短信', unit: '条', min: 1, max: 50 },
  smsIpHourly: { label: '同一地址每小时上限', group: '短信', unit: '条', min: 5, max: 500 },
  stepUpMinutes: { label: '身份确认有效期', group: '短信', unit: '分钟', min: 1, max: 60 },
  cardBatchMaxYuan: { label: '单个发卡批次总金额上限', group: '金额', unit: '元', min: 1, max: 1_000_000_000 },
  cardDifferenceFactor: { label: '对方金额最多为我方金额的倍数', group: '金额', unit: '倍', min: 1, max: 10 },
  cardDifferenceSecondYuan: {
    label: '每张结算单以对方为准的调整超过此金额须第二人处理',
    group: '金额',
    unit: '元',
    min: 0,
    max: 1_000_000,
  },
  fourEyesLowcode: { label: '低代码页面发布须双人复核', group: '其他', unit: '', min: 0, max: 1 },
  watermark: { label: '页面水印', group: '其他', unit: '', min: 0, max: 1 },
};
