import { declareErrors } from '#kernel/contract/errors.ts';

/** Refusals of lowcode; equal to docs/design/codes.csv. */
export const lowcodeErrors = declareErrors({
  TOKEN_TAKEN: ['SCM03001', '页面标识已被占用'],
  TOKEN_FORM: ['SCM03002', '页面标识须为3-40位字母或数字，且以字母开头'],
  PERMISSION_UNKNOWN: ['SCM03003', '请选择已有权限或使用页面自有权限'],
  NOT_JSON: ['SCM03010', '不是合法的JSON：第{line}行第{column}列'],
  OVER_LIMITS: ['SCM03011', '页面定义超出限制：{what}'],
  CHECK_FAILED: ['SCM03012', '定义校验未通过（{n}处错误），请修改后发布'],
  NOTE_MISSING: ['SCM03013', '请填写变更说明（5-200字）'],
  FOUR_EYES: ['SCM03014', '编辑人与发布人不能为同一人'],
  NEW_ACTIONS: ['SCM03015', '本次发布新增了您本人无权执行的操作：{names}，请核对后确认'],
  ROLLBACK_BROKEN: ['SCM03016', '该版本引用的数据集已变更，不能直接回滚，请编辑后发布'],
  SAME_AS_PUBLISHED: ['SCM03017', '与当前发布版本相同'],
  BUILTIN: ['SCM03018', '内置页面不能下线'],
  MENU_USES: ['SCM03019', '仍有菜单使用该页面：{titles}'],
  LOCKED: ['SCM03020', '页面已锁定，请联系{name}解锁'],
  VERSION_GONE: ['SCM03030', '页面版本已更新，请刷新后重试'],
  NOT_DECLARED: ['SCM03031', '该页面未声明此数据操作'],
  FILTER_UNKNOWN: ['SCM03032', '筛选条件不支持：{key}'],
  SORT_UNKNOWN: ['SCM03033', '不支持按该列排序：{key}'],
  FILTER_MISSING: ['SCM03034', '请先填写筛选条件：{label}'],
  BATCH_TOO_LARGE: ['SCM03035', '批量操作一次最多200条'],
  PREVIEW_WRITES: ['SCM03036', '预览模式不执行写操作'],
});
