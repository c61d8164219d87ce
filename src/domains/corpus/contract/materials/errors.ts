import { declareErrors } from '#kernel/contract/errors.ts';

/** Refusals of reviewed content: materials, questionnaires and what refers to them. */
export const materialErrors = declareErrors({
  SAME_PERSON: ['SCM11020', '提交人与审核人不能为同一人'],
  MATERIAL_USED: ['SCM11050', '素材被{n}个运行中场景引用，停用后相关消息将跳过，请确认'],
  LINK_NOT_ALLOWED: ['SCM11051', '链接须为https且在允许的域名内'],
  FORBIDDEN_WORDS: ['SCM11052', '文本包含禁用词：{words}'],
  VARIABLE: ['SCM11053', '变量“{name}”不存在或缺少缺省值'],
  IN_AUDIT: ['SCM11054', '素材正在审核中，不能编辑'],
});
