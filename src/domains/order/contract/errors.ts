import { declareErrors } from '#kernel/contract/errors.ts';

export const orderErrors = declareErrors({
  OWN_DOCUMENT: ['SCM16013', '不能处理本人提交的单据'],
  LICENCE_EXPIRED: ['SCM16022', '药品经营许可证已过期'],
  SHIELD_TAKEN: ['SCM16070', '相同商品与范围已有生效配置'],
});
