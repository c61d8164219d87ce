import { declareErrors } from '#kernel/contract/errors.ts';

export const welcomeErrors = declareErrors({
  OVERLAP: ['SCM11070', '该范围已有启用的欢迎语（{name}）'],
  TOO_MANY_MESSAGES: ['SCM11071', '欢迎语最多3条消息'],
});
export const MOST_MESSAGES = 3;
