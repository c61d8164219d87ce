import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { id, idOut, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { consultationPermissions as may } from '../permissions.ts';
import { groupId } from './shared.ts';

const service = declareService('GroupNoteService');
const send = may['chat.send'];
const content = text('备注', 1000, 1);
const mentions = field('提醒对象', z._default(z.array(id).check(z.maxLength(20, '最多提醒20人')), []));

/** Seen by staff only; never a message. */
const noteRow = z.strictObject({
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
export const queryGroupNotes = service.read({
  operation: 'queryGroupNotes',
  label: '查看内部备注',
  access: access.session,
  input: { groupId },
  output: z.array(noteRow),
});
export const addGroupNote = service.act({
  operation: 'addGroupNote',
  label: '新增内部备注',
  access: send,
  secrets: ['content'],
  input: { groupId, afterSeq: field('消息位置', z.int('位置不正确').check(z.minimum(0, '位置不正确'))), content, mentions },
  output: noteRow,
});
export const modifyGroupNote = service.act({
  operation: 'modifyGroupNote',
  label: '修改内部备注',
  access: send,
  secrets: ['content'],
  input: { id, content, mentions },
  output: noteRow,
});
export const delGroupNote = service.act({
  operation: 'delGroupNote',
  label: '删除内部备注',
  access: send,
  input: { id },
  output: z.strictObject({ id: idOut }),
});
