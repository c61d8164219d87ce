import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { flag, id, idOut, instantOut, opinion, optionalText, several, text, textOrNull, version, int4 } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail as timeline } from '#kernel/contract/trail.ts';
import { definitionText, manifest, problem } from '../definition.ts';
import { ownerDomains, pageBeginnings, pageHealth, versionOrigins, versionStates } from '../dictionaries.ts';
import { lowcodePermissions as may } from '../permissions.ts';
import { pageMachine } from '../states.ts';

const service = declareService('LowcodePageService');
const view = may['page.view'];
const edit = may['page.edit'];
const publish = may['page.publish'];

export const pageId = field('页面', id);
export const versionId = field('版本', id);
const rowVersion = field('草稿版本号', int4('缺少草稿版本号').check(z.minimum(1, '草稿版本号不正确')));
const leftMenu = field('左侧菜单', z._default(z.enum(['none', 'corpus', 'insurance'], '左侧菜单不正确'), 'none'));

const pageRow = z.strictObject({
  id: idOut,
  token: field('标识', z.string()),
  title: field('标题', z.string(), { width: 170 }),
  description: field('说明', z.string(), { width: 240 }),
  ownerDomain: field('所属领域', ownerDomains.schema, { width: 90 }),
  builtin: field('内置', z.boolean(), { width: 60 }),
  permission: field('权限代码', z.string(), { width: 200 }),
  permissionLabel: field('权限', z.string(), { width: 170 }),
  state: field('状态', pageMachine.dictionary.schema, { width: 80 }),
  publishedVersionId: z.nullable(idOut),
  publishedNo: field('发布版本', z.nullable(z.int()), { width: 80 }),
  publishedAt: field('发布时间', z.nullable(instantOut)),
  publishedByName: field('发布人', textOrNull, { width: 90 }),
  draftVersionId: z.nullable(idOut),
  draftNo: field('草稿', z.nullable(z.int()), { width: 90 }),
  draftByName: field('草稿编辑人', textOrNull, { width: 90 }),
  draftErrors: field('草稿错误数', z.nullable(z.int()), { width: 90 }),
  health: field('健康', pageHealth.schema, { width: 110 }),
  faults: field('失效处数', z.int(), { width: 90 }),
  datasets: field('数据集', z.array(z.string()), {
    width: 200,
    text: (codes) => codes.join('、'),
  }),
  views30d: field('近30天访问', z.int(), { width: 90 }),
  lockedByName: field('锁定人', textOrNull, { width: 90 }),
  version: z.int(),
  updatedAt: field('更新时间', instantOut),
  allowedActions: z.array(z.string()),
});
export type PageRow = z.output<typeof pageRow>;

const pageFilters = {
  token: z.optional(text('标识', 40)),
  title: z.optional(text('标题', 30)),
  ownerDomain: field('所属领域', z.optional(ownerDomains.schema)),
  state: field('状态', z.optional(several(pageMachine.dictionary.schema))),
  health: field('健康', z.optional(pageHealth.schema)),
  datasetCode: z.optional(text('使用数据集', 60)),
  hasDraft: field('有草稿', z.optional(flag)),
  editedBy: z.optional(text('编辑人', 40)),
};

export const queryPageList = service.list({
  operation: 'queryPageList',
  label: '查询低代码页面',
  access: view,
  filter: { ...pageFilters, ...sortedBy('token', 'updatedAt') },
  output: pageRow,
});
export const exportPageList = exportOf(queryPageList, { operation: 'exportPageList', label: '导出低代码页面清单', access: view });

export const versionRow = z.strictObject({
  id: idOut,
  versionNo: z.int(),
  state: versionStates.schema,
  origin: versionOrigins.schema,
  definitionHash: z.string(),
  changeNote: textOrNull,
  errorCount: z.int(),
  rowVersion: z.int(),
  editedByName: textOrNull,
  editedAt: instantOut,
  publishedByName: textOrNull,
  publishedAt: z.nullable(instantOut),
});
export type VersionRow = z.output<typeof versionRow>;

export const queryPageDetail = service.read({
  operation: 'queryPageDetail',
  label: '查询低代码页面详情',
  access: view,
  input: { id: pageId },
  output: z.strictObject({
    page: z.strictObject({
      ...pageRow.shape,
      trail: z.array(z.string()),
      leftMenu: z.string(),
      healthDetail: z.array(problem),
      lockReason: z.string(),
    }),
    versions: z.array(versionRow),
    lease: z.nullable(z.strictObject({ displayName: z.string(), until: instantOut, mine: z.boolean() })),
    trail: timeline,
  }),
});

const place = {
  title: text('页面标题', 30, 1),
  description: optionalText('说明', 200),
  permission: field('权限', z._default(z.string().check(z.trim(), z.maxLength(100, '权限代码过长')), '')),
  trail: field('面包屑', z._default(z.array(text('面包屑', 20, 1)).check(z.maxLength(3, '面包屑最多3级')), [])),
  leftMenu,
};
const token = field('页面标识', z.string('请输入页面标识').check(z.trim(), z.maxLength(60, '页面标识须为3-40位字母或数字，且以字母开头')));

export const addPage = service.act({
  operation: 'addPage',
  label: '新建低代码页面',
  access: edit,
  message: '新增成功!',
  input: {
    token,
    ...place,
    /** Empty: the page's own right `lowcode.open.{token}`. */
    beginning: field('起始内容', z._default(pageBeginnings.schema, 'EMPTY')),
    datasetCode: z.optional(text('数据集', 60)),
    copyFrom: field('复制的页面', z.optional(id)),
    definition: z.optional(definitionText),
  },
  output: z.strictObject({ id: idOut, versionId: idOut }),
});

export const modifyPage = service.act({
  operation: 'modifyPage',
  label: '修改低代码页面信息',
  access: edit,
  message: '修改成功!',
  input: { id: pageId, version, token, ...place },
  output: actionAnswer,
});

/** A new draft of a published or archived version. */
export const editPage = service.act({
  operation: 'editPage',
  label: '新建页面草稿',
  access: edit,
  input: { pageId, versionId: field('版本', z.optional(id)) },
  output: z.strictObject({ versionId: idOut }),
});

const note = field('变更说明', z._default(z.string().check(z.trim(), z.maxLength(200, '变更说明最多200个字符')), ''));
const confirmActions = field('确认新增的操作', z._default(z.boolean(), false));
const published = z.strictObject({ pageId: idOut, versionId: idOut, versionNo: z.int() });

export const publishPage = service.act({
  operation: 'publishPage',
  label: '发布低代码页面',
  access: publish,
  message: '发布成功!',
  idempotency: 'required',
  input: { pageId, versionId, rowVersion, changeNote: note, confirmActions },
  output: published,
});
export const rollbackPage = service.act({
  operation: 'rollbackPage',
  label: '回滚低代码页面',
  access: publish,
  message: '已回滚',
  idempotency: 'required',
  input: { pageId, versionId, version, changeNote: note, confirmActions },
  output: published,
});
export const onlinePage = service.act({
  operation: 'onlinePage',
  label: '重新上线低代码页面',
  access: publish,
  message: '已上线',
  input: { pageId, versionId, version, changeNote: note, confirmActions },
  output: published,
});
export const discardDraft = service.act({
  operation: 'discardDraft',
  label: '放弃页面草稿',
  access: edit,
  message: '删除成功!',
  input: { pageId, versionId, rowVersion },
  output: z.strictObject({}),
});

const judged = (operation: string, label: string, message: string, whose = publish) =>
  service.act({ operation, label, access: whose, message, input: { id: pageId, version, opinion }, output: actionAnswer });
export const offlinePage = judged('offlinePage', '下线低代码页面', '已下线');
export const lockPage = judged('lockPage', '锁定低代码页面', '已锁定');
export const unlockPage = judged('unlockPage', '解锁低代码页面', '已解锁');
export const removePage = judged('removePage', '删除低代码页面', '删除成功!', may['page.remove']);

export const exportPage = service.read({
  operation: 'exportPage',
  label: '导出低代码页面JSON',
  access: view,
  input: { id: pageId },
  output: z.strictObject({ token: z.string(), title: z.string(), definition: z.string(), manifest }),
});
export const importPage = service.act({
  operation: 'importPage',
  label: '导入低代码页面JSON',
  access: edit,
  message: '导入成功!',
  input: { token, title: text('页面标题', 30, 1), definition: definitionText },
  output: z.strictObject({ id: idOut, versionId: idOut }),
});

/** Who is at the draft; advisory, the lock is the draft's version. */
export const leasePage = service.act({
  operation: 'leasePage',
  label: '占用页面编辑',
  access: edit,
  log: 'SYSTEM',
  input: { pageId, release: field('结束编辑', z._default(z.boolean(), false)) },
  output: z.strictObject({ displayName: textOrNull, until: z.nullable(instantOut), mine: z.boolean() }),
});

export const recheckPages = service.act({
  operation: 'recheckPages',
  label: '重新校验全部低代码页面',
  access: edit,
  message: '校验完成',
  ratePerMinute: 6,
  input: {},
  output: z.strictObject({ checked: z.int(), broken: z.array(z.strictObject({ routeKey: z.string(), faults: z.int() })) }),
});

export { rowVersion };
