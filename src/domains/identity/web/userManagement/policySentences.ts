import type { SecurityPolicy } from '../../contract/policy.ts';

type Group = '密码' | '锁定' | '会话' | '短信' | '金额' | '其他';

/** What a group of settings means, as one sentence. */
export const policySentences: Readonly<Record<Group, (policy: SecurityPolicy) => string>> = {
  密码: (p) =>
    `密码至少${p.passwordMinLength}位，` +
    `${p.passwordExpireDays === 0 ? '不过期' : `${p.passwordExpireDays}天后过期，提前${p.passwordWarnDays}天提醒`}，` +
    `不能与最近${p.passwordHistory}次相同；临时密码${p.tempPasswordHours}小时内有效。`,
  锁定: (p) =>
    `${p.lockWindowMinutes}分钟内连续${p.lockThreshold}次密码错误锁定${p.lockMinutes}分钟，` +
    `24小时内第${p.lockPermanentAfter}次锁定后须管理员解锁；同一地址10分钟内失败${p.ipFailureLimit}次后暂停登录10分钟。`,
  会话: (p) =>
    `${p.maxSessions === 0 ? '同一账号可同时在线数不限' : `同一账号最多${p.maxSessions}个会话同时在线，超出时最早的被替下`}；` +
    `${p.sessionIdleMinutes}分钟无操作退出，最长在线${p.sessionAbsoluteHours}小时，令牌每${p.sessionRotateMinutes}分钟更换。`,
  短信: (p) =>
    `验证码${p.smsCodeMinutes}分钟内有效，${p.smsResendSeconds}秒后可重新获取；` +
    `同一手机号每小时最多${p.smsHourly}条、每天最多${p.smsDaily}条，同一地址每小时最多${p.smsIpHourly}条；身份确认后${p.stepUpMinutes}分钟内有效。`,
  金额: (p) =>
    `单个发卡批次总金额不超过${p.cardBatchMaxYuan}元；对方金额最多为我方金额的${p.cardDifferenceFactor}倍，` +
    `每张结算单以对方为准的调整合计超过${p.cardDifferenceSecondYuan}元时须登记人以外的人处理。`,
  其他: (p) => `低代码页面发布${p.fourEyesLowcode ? '须由另一人复核' : '无须复核'}；页面${p.watermark ? '显示' : '不显示'}水印。`,
};
