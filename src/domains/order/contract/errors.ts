import { declareErrors } from '#kernel/contract/errors.ts';

export const orderErrors = declareErrors({
  SHIELD_TAKEN: ['SCM16070', '相同商品与范围已有生效配置'],
});
