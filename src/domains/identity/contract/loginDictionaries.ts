import { dictionary } from '#kernel/contract/dictionary.ts';

// What the login page knows; it loads none of the others.
export const loginMethods = dictionary('identity.loginMethod', { PASSWORD: '密码', SMS: '短信验证码' });
export const smsPurposes = dictionary('identity.smsPurpose', { LOGIN: '登录', STEP_UP: '身份确认' });
export const restrictedReasons = dictionary('identity.restrictedReason', {
  FIRST: '首次登录请修改密码',
  EXPIRED: '密码已过期，请修改密码',
  RESET: '管理员已重置密码，请修改密码',
});
