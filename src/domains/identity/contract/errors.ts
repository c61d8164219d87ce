import { declareErrors } from '#kernel/contract/errors.ts';
import { entryErrors } from './entryErrors.ts';
import { userErrors } from './userErrors.ts';

/** Refusals of identity; the texts equal docs/design/codes.csv. */
export const identityErrors = {
  ...entryErrors,
  ...userErrors,
  ...declareErrors({
    ROLE_NAME_TAKEN: ['SCM01030', '角色名称已存在'],
    ROLE_IN_USE: ['SCM01031', '该角色仍有{n}名用户使用，请先移除'],
    ROLE_BUILTIN: ['SCM01032', '内置角色不能删除'],
    ROLE_SUPER_ADMIN: ['SCM01033', '超级管理员角色不能修改'],
    VIEW_PERMISSION_MISSING: ['SCM01034', '页面权限缺失：{menu}需要“{permission}”'],
    NO_MENU: ['SCM01035', '请至少选择一个菜单'],
    CONFLICT_EXISTS: ['SCM01036', '已有用户同时拥有这两个角色（{names}），请先调整'],
    DUTIES_OF_ROLE: ['SCM01037', '角色不能同时拥有同一单据的经办与审核权限（{pairs}），请去掉其中一项，或拆成两个角色'],
    MENU_TOO_DEEP: ['SCM01040', '菜单最多支持三级'],
    MENU_HAS_CHILDREN: ['SCM01041', '该菜单下仍有子菜单，请先处理子菜单'],
    ROUTE_USED: ['SCM01042', '该路由已在菜单“{title}”中使用'],
    ROUTE_UNKNOWN: ['SCM01043', '请选择系统已有路由或已发布的低代码页面'],
    MENU_CYCLE: ['SCM01044', '不能移动到自身的下级'],
    MENU_BUILTIN: ['SCM01045', '系统内置菜单不能删除，可设为不显示'],
    ROLE_NOT_YOURS: ['SCM01050', '您没有该角色或该角色已停用'],
    POLICY_RANGE: ['SCM01060', '参数超出允许范围：{name}'],
    BAD_SIGNATURE: ['SCM01070', '签名校验失败'],
    CLOCK_SKEW: ['SCM01071', '请求时间偏差过大'],
    VERIFY_RUNNING: ['SCM01080', '校验任务正在进行中，请稍后查看结果'],
    REGIONS_UNAVAILABLE: ['SCM01090', '获取省市区接口异常'],
    TIPS_UNAVAILABLE: ['SCM01091', '地址联想服务暂不可用，请手动填写地址'],
    JOB_REPEATS: ['SCM01092', '该任务每{n}秒自动执行一次，无需重试；恢复正常后会自动从本页移除'],
  }),
};
