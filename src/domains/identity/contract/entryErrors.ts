import { declareErrors } from '#kernel/contract/errors.ts';

/** Refusals at the door: of signing in, of passwords and of proving who one is. The pages of entry load no others. */
export const entryErrors = declareErrors({
  BAD_CREDENTIALS: ['SCM01001', '用户名或密码错误'],
  BAD_CAPTCHA: ['SCM01002', '图形验证码错误或已失效，请重新输入'],
  LOCKED: ['SCM01003', '账号已锁定，请{n}分钟后再试，或联系管理员解锁'],
  DISABLED: ['SCM01004', '账号已停用或不在有效期内，请联系管理员'],
  BAD_SMS_CODE: ['SCM01005', '短信验证码错误或已失效，请重新获取'],
  SMS_UNAVAILABLE: ['SCM01006', '短信服务未开通，请使用密码登录'],
  TEMP_PASSWORD_EXPIRED: ['SCM01007', '临时密码已过期，请联系管理员重新重置'],
  MUST_CHANGE_PASSWORD: ['SCM01008', '请先修改密码后再继续操作'],
  WRONG_OLD_PASSWORD: ['SCM01010', '原密码错误'],
  WEAK_PASSWORD: ['SCM01011', '新密码不符合要求：{rule}'],
  PASSWORD_REUSED: ['SCM01012', '新密码不能与最近5次使用过的密码相同'],
  STEP_UP_NEEDED: ['SCM01014', '身份验证已超时，请重新获取短信验证码'],
});
