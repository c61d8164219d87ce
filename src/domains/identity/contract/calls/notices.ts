import * as z from 'zod/mini';
import { declareService, nothing } from '#kernel/contract/service.ts';
import { ordered } from '#kernel/contract/between.ts';
import { access, type OutputOf } from '#kernel/contract/call.ts';
import { id, instant, opinion, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { noticeKinds, noticeLevels } from '../dictionaries.ts';
import { identityPermissions as may } from '../permissions.ts';
import { noticeStates } from '../states.ts';
import { at, atOrNull } from './shared.ts';

const service = declareService('NoticeService');

const myNotice = z.strictObject({
  id: z.string(),
  noticeNo: z.string(),
  kind: noticeKinds.schema,
  title: z.string(),
  body: z.string(),
  level: noticeLevels.schema,
  link: textOrNull,
  publishAt: at,
  readAt: atOrNull,
  state: noticeStates.dictionary.schema,
});

export const queryMyNoticeList = service.list({
  operation: 'queryMyNoticeList',
  label: '查询我的通知',
  access: access.session,
  filter: { kind: field('通知类型', z.optional(noticeKinds.schema)), unread: field('只看未读', z.optional(z.boolean())) },
  output: myNotice,
});

export const queryUnreadCount = service.read({
  operation: 'queryUnreadCount',
  label: '查询未读数',
  access: access.session,
  input: {},
  output: z.strictObject({ total: z.number(), ANNOUNCE: z.number(), TODO: z.number(), ALERT: z.number(), RESULT: z.number() }),
});

export const readNotice = service.act({
  operation: 'readNotice',
  label: '阅读通知',
  access: access.session,
  input: { id },
  output: nothing,
});

export const readAllNotice = service.act({
  operation: 'readAllNotice',
  label: '全部标为已读',
  access: access.session,
  input: { kind: field('通知类型', z.optional(noticeKinds.schema)) },
  output: z.strictObject({ count: z.number() }),
});

const audience = field(
  '接收人',
  z
    .strictObject({
      all: field('全部用户', z.optional(z.boolean())),
      roleCodes: z.optional(z.array(text('角色', 32, 1)).check(z.maxLength(100, '最多选择100个角色'))),
      userIds: field('用户', z.optional(z.array(id).check(z.maxLength(500, '最多选择500名用户')))),
      permission: z.optional(text('权限', 100)),
    })
    .check(z.refine((to) => to.all === true || !!to.roleCodes?.length || !!to.userIds?.length || !!to.permission, '请选择接收范围')),
);

const noticeRow = z.strictObject({
  id: z.string(),
  noticeNo: field('编号', z.string()),
  kind: noticeKinds.schema,
  title: field('标题', z.string()),
  body: z.string(),
  level: field('级别', noticeLevels.schema),
  audience: field(
    '接收范围',
    z.strictObject({
      all: z.optional(z.boolean()),
      roleCodes: z.optional(z.array(z.string())),
      userIds: z.optional(z.array(z.string())),
      permission: z.optional(z.string()),
    }),
  ),
  link: textOrNull,
  publishAt: field('发布时间', atOrNull),
  expireAt: field('失效时间', atOrNull),
  state: noticeStates.dictionary.schema,
  readCount: field('已读人数', z.number()),
  version: z.number(),
  createdByName: field('创建人', textOrNull),
  createdAt: field('创建时间', at),
});

export const queryNoticeList = service.list({
  operation: 'queryNoticeList',
  label: '查询系统公告',
  access: may['notice.publish'],
  filter: {
    title: z.optional(text('标题', 60)),
    state: z.optional(noticeStates.dictionary.schema),
    level: field('级别', z.optional(noticeLevels.schema)),
    kind: field('通知类型', z.optional(noticeKinds.schema)),
  },
  output: noticeRow,
});
export type Notice = OutputOf<typeof queryNoticeList>;

/** A page of this product, or nothing: browsers take `//host`, `/\host` and what hides one behind a tab for another site. */
const OWN_ROUTE = /^(\/(?![/\\])[^\\\s\p{Cc}]*)?$/u;

const body = {
  title: text('标题', 60, 1),
  body: text('内容', 5000, 1),
  level: field('级别', noticeLevels.schema),
  audience,
  link: field(
    '点击前往',
    z.optional(
      z.nullable(
        z
          .string()
          .check(z.trim(), z.maxLength(200, '链接最多200个字符'), z.regex(OWN_ROUTE, '链接须为系统内路由，以一个/开头，不含空格和反斜杠')),
      ),
    ),
  ),
  /** Absent: at once when published. */
  publishAt: field('发布时间', z.optional(z.nullable(instant))),
  expireAt: field('失效时间', z.optional(z.nullable(instant))),
};
const shownInOrder = ordered('publishAt', 'expireAt', '失效时间须晚于发布时间', { apart: true });

export const addNotice = service.act({
  operation: 'addNotice',
  label: '新增系统公告',
  access: may['notice.publish'],
  message: '新增成功!',
  input: z.strictObject(body).check(shownInOrder),
  output: noticeRow,
});

export const modifyNotice = service.act({
  operation: 'modifyNotice',
  label: '修改系统公告',
  access: may['notice.publish'],
  message: '修改成功!',
  input: z.strictObject({ id, version, ...body }).check(shownInOrder),
  output: noticeRow,
});

export const publishNotice = service.act({
  operation: 'publishNotice',
  label: '发布系统公告',
  access: may['notice.publish'],
  message: '发布成功!',
  input: { id, version },
  output: noticeRow,
});

export const revokeNotice = service.act({
  operation: 'revokeNotice',
  label: '撤回系统公告',
  access: may['notice.publish'],
  message: '撤回成功!',
  input: { id, version, opinion },
  output: noticeRow,
});
