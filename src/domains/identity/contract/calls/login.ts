import * as z from 'zod/mini';
import { declareService, nothing } from '#kernel/contract/service.ts';
import { access } from '#kernel/contract/call.ts';
import { id, text, textOrNull } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { loginMethods, restrictedReasons, smsPurposes } from '../loginDictionaries.ts';
import { at, atOrNull, mobile } from './shared.ts';

const userRole = declareService('UserRoleService');

const service = declareService('UserInfoService');

export interface MenuNode {
  titleName: string;
  routeKey: string;
  path: string;
  icon: string | null;
  leftMenu: 'none' | 'corpus' | 'insurance';
  navShow: boolean;
  weChatPage: boolean;
  children: MenuNode[];
}
/** One entry of the permitted menu; a directory has an empty route key and path. */
const menuNode: z.ZodMiniType<MenuNode> = z.lazy(() =>
  z.strictObject({
    titleName: z.string(),
    routeKey: z.string(),
    path: z.string(),
    icon: textOrNull,
    leftMenu: z.enum(['none', 'corpus', 'insurance']),
    navShow: z.boolean(),
    weChatPage: z.boolean(),
    children: z.array(menuNode),
  }),
);

const sessionFacts = {
  userId: z.string(),
  /** Display name: what the header shows under this specified key. */
  userName: z.string(),
  loginName: z.string(),
  opNo: z.string(),
  accessPermission: z.string(),
  userRoleMenu: z.array(menuNode),
  roleMenuId: z.string(),
  roles: z.array(z.strictObject({ roleMenuId: z.string(), roleCode: z.string(), roleName: z.string(), accessPermission: z.string() })),
  permissions: z.array(z.string()),
  /** Path of the first page after login; empty without any menu. */
  defaultMenu: z.string(),
  restricted: z.boolean(),
  restrictedReason: z.nullable(restrictedReasons.schema),
  /** Null: passwords do not expire. */
  passwordExpiresInDays: z.nullable(z.number()),
  sessionId: z.string(),
  smsVerifiedAt: atOrNull,
  /** Masked. */
  mobile: textOrNull,
  lastLoginAt: atOrNull,
  lastLoginIp: textOrNull,
  /** Text drawn over pages, and whether it is. */
  watermark: z.boolean(),
};
const sessionView = z.strictObject(sessionFacts);
export type SessionView = z.output<typeof sessionView>;
const loginView = z.strictObject({ Authorization: z.string(), ...sessionFacts });
export type LoginView = z.output<typeof loginView>;

const captchaFields = {
  captchaId: z.uuid('图形验证码已失效，请点击图片重新获取'),
  captcha: text('图形验证码', 8, 1),
};

export const captcha = service.read({
  operation: 'captcha',
  label: '获取图形验证码',
  method: 'GET',
  access: access.public,
  restricted: true,
  input: {},
  output: z.strictObject({ captchaId: z.string(), image: z.string(), expiresIn: z.number() }),
});

const neededBy = {
  PASSWORD: {
    userName: '请输入用户名',
    password: '请输入密码',
    captchaId: '图形验证码已失效，请点击图片重新获取',
    captcha: '请输入图形验证码',
  },
  SMS: { mobile: '请输入正确的手机号', smsCode: '请输入短信验证码' },
} as const;

/** One call, two ways in; which fields are needed depends on `method`. */
export const loginIn = service.act({
  operation: 'loginIn',
  label: '登录',
  access: access.public,
  log: 'AUTH',
  secrets: ['password', 'smsCode', 'captcha', 'captchaId'],
  input: z
    .strictObject({
      method: field('登录方式', z._default(loginMethods.schema, 'PASSWORD')),
      userName: z.optional(text('用户名', 64, 1)),
      password: field(
        '密码',
        z.optional(z.string('请输入密码').check(z.minLength(1, '请输入密码'), z.maxLength(128, '密码最多128个字符'))),
      ),
      captchaId: field('图形验证码', z.optional(captchaFields.captchaId)),
      captcha: z.optional(captchaFields.captcha),
      mobile: z.optional(mobile),
      smsCode: z.optional(text('短信验证码', 8, 1)),
    })
    .check((payload) => {
      for (const [field, message] of Object.entries(neededBy[payload.value.method])) {
        if (Reflect.get(payload.value, field) === undefined) {
          payload.issues.push({ code: 'custom', path: [field], message, input: payload.value });
        }
      }
    }),
  output: loginView,
});

export const sendSmsCode = service.act({
  operation: 'sendSmsCode',
  label: '发送短信验证码',
  access: access.public,
  log: 'AUTH',
  restricted: true,
  secrets: ['captcha'],
  input: {
    /** LOGIN: the number typed. STEP_UP: left out, the user's own number is taken. */
    mobile: z.optional(mobile),
    captchaId: field('图形验证码', z.optional(captchaFields.captchaId)),
    captcha: z.optional(captchaFields.captcha),
    purpose: field('短信用途', smsPurposes.schema),
  },
  output: z.strictObject({ resendIn: z.number() }),
});

export const verifyStepUp = service.act({
  operation: 'verifyStepUp',
  label: '身份确认',
  access: access.session,
  log: 'AUTH',
  restricted: true,
  secrets: ['smsCode', 'password'],
  input: {
    smsCode: z.optional(text('短信验证码', 8, 1)),
    /** Where SMS is not available. */
    password: field('密码', z.optional(z.string().check(z.minLength(1, '请输入密码'), z.maxLength(128)))),
  },
  output: z.strictObject({ smsVerifiedAt: at }),
});

export const queryLoginInfo = service.read({
  operation: 'queryLoginInfo',
  label: '查询登录信息',
  access: access.session,
  restricted: true,
  input: {},
  output: sessionView,
});

export const modifyPassword = service.act({
  operation: 'modifyPassword',
  label: '修改密码',
  access: access.session,
  log: 'AUTH',
  restricted: true,
  secrets: ['oldPassword', 'newPassword'],
  input: {
    /** May be left out within ten minutes of an SMS confirmation. */
    oldPassword: field('原密码', z.optional(z.string('请输入原密码').check(z.maxLength(128)))),
    newPassword: field('新密码', z.string('请输入新密码').check(z.minLength(1, '请输入新密码'), z.maxLength(128, '密码最多64个字符'))),
  },
  output: loginView,
});

/** The logout of the specification: success also for a dead token. */
export const modifyCancelUserInfo = service.act({
  operation: 'modifyCancelUserInfo',
  label: '退出登录',
  access: access.public,
  log: 'AUTH',
  restricted: true,
  input: {},
  output: nothing,
});

/** The same for callers without a chat client. */
export const loginOut = service.act({
  operation: 'loginOut',
  label: '退出登录',
  access: access.public,
  log: 'AUTH',
  restricted: true,
  input: {},
  output: nothing,
});

export const switchUserRole = userRole.act({
  operation: 'switchUserRole',
  label: '切换角色',
  access: access.session,
  log: 'AUTH',
  // Reached with a role that is gone; the handler refuses a restricted session itself.
  restricted: true,
  input: { roleMenuId: field('角色', id) },
  output: sessionView,
});
