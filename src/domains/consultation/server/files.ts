import { sql } from 'kysely';
import type { Db, Staff } from '#kernel/server/context.ts';
import { definePurpose, registerOwner } from '#domains/files/server/index.ts';
import { consultationPermissions as may } from '../contract/permissions.ts';
import { own } from './database.ts';
import { seeGroup } from './people/access.ts';

/** Pictures, files, voices and videos of the chat, and what patients hand in with an inquiry. */
export const CHAT_PURPOSE = 'CHAT_MEDIA';
/** Owners of what was sent: a group by its id, a single chat by its conversation. */
export const GROUP_OWNER = 'consultation.group';
export const SINGLE_OWNER = 'consultation.single';
const MIB = 1024 * 1024;

/** Says who may put files into the chat, and who may read them: whoever may read the group or inquiry that they belong to. */
export function registerChatFiles(): void {
  definePurpose({
    code: CHAT_PURPOSE,
    label: '会话文件',
    types: [
      'jpg',
      'png',
      'gif',
      'webp',
      'heic',
      'mp3',
      'm4a',
      'amr',
      'wav',
      'webm',
      'mp4',
      'mov',
      'pdf',
      'doc',
      'docx',
      'xls',
      'xlsx',
      'txt',
      'zip',
    ],
    maxSize: 100 * MIB,
    count: 9,
    sensitive: true,
    uploadPermissions: [may['chat.send'].code],
  });
  registerOwner(GROUP_OWNER, {
    canRead: ({ db, staff }, groupId) => readsGroup(db, staff, groupId),
    canReadOriginal: ({ db, staff }, groupId) => readsGroup(db, staff, groupId),
  });
  registerOwner(SINGLE_OWNER, {
    canRead: ({ db, staff }, convId) => isIn(db, staff, convId),
    canReadOriginal: ({ db, staff }, convId) => isIn(db, staff, convId),
  });
  registerOwner('consultation.inquiry', {
    canRead: ({ db, staff }, id) => readsInquiry(db, staff, id),
    canReadOriginal: ({ db, staff }, id) => readsInquiry(db, staff, id),
  });
}

async function readsGroup(db: Db, staff: Staff, groupId: string): Promise<boolean> {
  const ctx = {
    staff,
    has: (permission: string | { code: string }) => staff.permissions.has(typeof permission === 'string' ? permission : permission.code),
  };
  const seen = await seeGroup(db, ctx, groupId).catch(() => null);
  // Whoever reads visit records sees that a file was sent, and its content only with the right to see it plain.
  return seen !== null && (seen.member || seen.pool || seen.watcher || ctx.has(may['inquiry.reveal']));
}
/** A single chat is its own two people's. */
async function isIn(db: Db, staff: Staff, convId: string): Promise<boolean> {
  const { rows } = await sql<{ isIn: boolean }>`
    select exists (
      select from consultation_im_member m
        join consultation_assistant_duty d on m.im_user_id = 'A' || d.operator_id
        where m.conv_id = ${convId}::bigint and m.left_at is null and d.user_id = ${staff.userId}::bigint
    ) as is_in`.execute(db);
  return rows[0]?.isIn === true;
}
async function readsInquiry(db: Db, staff: Staff, id: string): Promise<boolean> {
  const row = await own(db).selectFrom('consultationInquiry').select('groupId').where('id', '=', id).executeTakeFirst();
  return row !== undefined && row.groupId !== null && readsGroup(db, staff, row.groupId);
}
