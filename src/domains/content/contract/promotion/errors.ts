import { declareErrors } from '#kernel/contract/errors.ts';

export const promotionErrors = declareErrors({
  TEXT_LENGTH: ['SCM04038', '促销文字最多6个字'],
  TEXT_WORDS: ['SCM04039', '促销文字包含违禁词：{words}'],
});
