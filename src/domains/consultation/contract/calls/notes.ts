import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { id, idOut, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupId, host } from './shared.ts';

const service = 'GroupNoteService';
const send = access.permission(may['chat.send']);
const content = text('备注', 1000, 1);
const mentions = field('提醒对象', z._default(z.array(id).check(z.maxLength(20, '最多提醒20人')), []));

/** Seen by staff only; never a message. */
export const noteRow = z.strictObject({
  id: idOut,
  groupId: z.string(),
  afterSeq: z.int(),
  content: z.string(),
  mentions: z.array(z.strictObject({ assistantId: idOut, name: z.string() })),
  authorName: z.string(),
  mine: z.boolean(),
  createdAt: z.string(),
  editedAt: z.nullable(z.string()),
});
export const queryGroupNotes = call({
  host,
  service,
  operation: 'queryGroupNotes',
  kind: 'query',
  shape: 'data',
  label: '查看内部备注',
  access: access.session,
  input: z.strictObject({ groupId }),
  output: z.array(noteRow),
});
export const addGroupNote = call({
  host,
  service,
  operation: 'addGroupNote',
  secrets: ['content'],
  kind: 'command',
  shape: 'data',
  label: '新增内部备注',
  access: send,
  input: z.strictObject({
    groupId,
    afterSeq: field('消息位置', z.int('位置不正确').check(z.minimum(0, '位置不正确'))),
    content,
    mentions,
  }),
  output: noteRow,
});
export const modifyGroupNote = call({
  host,
  service,
  operation: 'modifyGroupNote',
  secrets: ['content'],
  kind: 'command',
  shape: 'data',
  label: '修改内部备注',
  access: send,
  input: z.strictObject({ id, content, mentions }),
  output: noteRow,
});
export const delGroupNote = call({
  host,
  service,
  operation: 'delGroupNote',
  kind: 'command',
  shape: 'data',
  label: '删除内部备注',
  access: send,
  input: z.strictObject({ id }),
  output: z.strictObject({ id: idOut }),
});
