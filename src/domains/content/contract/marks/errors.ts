import { declareErrors } from '#kernel/contract/errors.ts';

export const markErrors = declareErrors({
  GROUP_EXISTS: ['SCM04030', '标签组名称已存在'],
  MARK_EXISTS: ['SCM04031', '标签名称已存在'],
  MARK_USED: ['SCM04032', '标签已被使用（{n}个对象），只能停用'],
  GROUP_NOT_EMPTY: ['SCM04033', '标签组下还有标签，不能删除'],
  MANUAL_FORBIDDEN: ['SCM04035', '该标签组不允许手工打标'],
  NO_OBJECT: ['SCM04036', '对象不存在'],
  TOO_MANY: ['SCM04037', '超过该组标签数量上限（{n}）'],
  OTHER_GROUP: ['SCM04034', '不同标签组的标签不能合并'],
});
