import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Writing } from '#kernel/server/context.ts';
import { job } from '#kernel/server/jobs/declaration.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { UserRole } from '../../contract/dictionaries.ts';
import { vendorOf } from './mode.ts';
import { callVendor, nothing, VendorError } from './rest.ts';

/** His numbers for a group id that is taken, by us or before. */
const TAKEN = new Set([10_021, 10_025]);
const UNKNOWN_ACCOUNT = 70_107;
const NAME_BYTES = 100;
const ROLE_NAMES: Readonly<Record<UserRole, string>> = { PATIENT: '患者', DOCTOR: '医生', ASSISTANT: '医助' };
const MOST_MEMBERS = 100;

interface Person {
  imUserId: string;
  userRole: UserRole;
  nick: string;
  avatar: string | null;
  muteSeconds: number;
}

const muted = z.looseObject({
  MemberList: z.array(
    z.looseObject({
      Member_Account: z.string(),
      MuteUntil: z.optional(z.int()),
      AppMemberDefinedData: z.optional(z.array(z.looseObject({ Key: z.string(), Value: z.optional(z.string()) }))),
    }),
  ),
});

const group = 'group_open_http_svc';
const roleField = (role: UserRole) => [{ Key: 'userRole', Value: ROLE_NAMES[role] }];

/** His names hold a hundred bytes; letters are not cut in half. */
export function shortName(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > NAME_BYTES) short = [...short].slice(0, -1).join('');
  return short;
}

async function peopleOf(kernel: Kernel, convId: string): Promise<Person[]> {
  const now = kernel.clock.now();
  const { rows } = await sql<Person>`
    select m.im_user_id, m.user_role, u.nick, u.avatar,
        coalesce(ceil(extract(epoch from greatest(m.mute_until, u.risk_mute_until) - ${now}::timestamptz)), 0)::float8 as mute_seconds
      from consultation_im_member m
      join consultation_im_user u on u.im_user_id = m.im_user_id
      where m.conv_id = ${convId} and m.left_at is null
      order by m.im_user_id`.execute(kernel.db);
  return rows;
}

async function matchMembers(kernel: Kernel, groupId: string, people: readonly Person[]): Promise<void> {
  const { MemberList: there } = await callVendor(
    kernel,
    `${group}/get_group_member_info`,
    { GroupId: groupId, Limit: MOST_MEMBERS, Offset: 0 },
    muted,
  );
  const known = new Map(there.map((member) => [member.Member_Account, member]));
  const admin = vendorOf(kernel)?.admin;
  const missing = people.filter(({ imUserId }) => !known.has(imUserId));
  const surplus = there
    .map(({ Member_Account }) => Member_Account)
    .filter((id) => id !== admin && !people.some(({ imUserId }) => imUserId === id));
  if (missing.length > 0)
    await callVendor(
      kernel,
      `${group}/add_group_member`,
      { GroupId: groupId, Silence: 1, MemberList: missing.map(({ imUserId }) => ({ Member_Account: imUserId })) },
      nothing,
    );
  if (surplus.length > 0)
    await callVendor(kernel, `${group}/delete_group_member`, { GroupId: groupId, Silence: 1, MemberToDel_Account: surplus }, nothing);
  for (const { imUserId, userRole } of people) {
    const role = known.get(imUserId)?.AppMemberDefinedData?.find(({ Key }) => Key === 'userRole')?.Value;
    if (role !== ROLE_NAMES[userRole])
      await callVendor(
        kernel,
        `${group}/modify_group_member_info`,
        { GroupId: groupId, Member_Account: imUserId, AppMemberDefinedData: roleField(userRole) },
        nothing,
      );
  }
  const now = Date.parse(kernel.clock.now()) / 1000;
  for (const { imUserId, muteSeconds } of people) {
    const isMuted = (known.get(imUserId)?.MuteUntil ?? 0) > now;
    if (muteSeconds > 0 || isMuted)
      await callVendor(
        kernel,
        `${group}/forbid_send_msg`,
        { GroupId: groupId, Members_Account: [imUserId], MuteTime: Math.max(0, muteSeconds) },
        nothing,
      );
  }
}

/** Makes the vendor's accounts, group and members like ours. Our record rules; the job may run any number of times. */
export const vendorSyncJob = job<{ convId: string }>({
  name: 'consultation.vendorSync',
  label: '同步会话成员（腾讯云）',
  subject: ({ convId }) => convId,
  async run({ convId }, { kernel }) {
    const { rows } = await sql<{
      groupId: string | null;
      name: string | null;
      dissolvedAt: string | null;
    }>`select group_id, name, dissolved_at from consultation_im_conversation where conv_id = ${convId}`.execute(kernel.db);
    const conv = rows[0];
    if (!conv) return;
    const people = await peopleOf(kernel, convId);
    for (const { imUserId, nick, avatar } of people)
      await callVendor(
        kernel,
        'im_open_login_svc/account_import',
        { UserID: imUserId, Nick: nick, ...(avatar ? { FaceUrl: avatar } : {}) },
        nothing,
      );
    if (conv.groupId === null) return;
    const name = shortName(conv.name ?? conv.groupId);
    try {
      await callVendor(
        kernel,
        `${group}/create_group`,
        {
          Type: 'Public',
          GroupId: conv.groupId,
          Name: name,
          ApplyJoinOption: 'DisableApply',
          MemberList: people.map(({ imUserId, userRole }) => ({ Member_Account: imUserId, AppMemberDefinedData: roleField(userRole) })),
        },
        nothing,
      );
    } catch (error) {
      if (!(error instanceof VendorError) || !TAKEN.has(error.code)) throw error;
      await callVendor(
        kernel,
        `${group}/modify_group_base_info`,
        { GroupId: conv.groupId, Name: name, MuteAllMember: conv.dissolvedAt === null ? 'Off' : 'On' },
        nothing,
      );
    }
    await matchMembers(kernel, conv.groupId, people);
  },
});

/** A conversation, its members or their mutes changed; heard by the vendor after the commit. */
export async function syncVendor(kernel: Kernel, writing: Writing, convIds: readonly (string | undefined)[]): Promise<void> {
  if (!vendorOf(kernel)) return;
  for (const convId of new Set(convIds)) if (convId !== undefined) await writing.enqueue(vendorSyncJob, { convId });
}

export const vendorKickJob = job<{ imUserId: string }>({
  name: 'consultation.vendorKick',
  label: '结束会话登录（腾讯云）',
  subject: ({ imUserId }) => imUserId,
  async run({ imUserId }, { kernel }) {
    try {
      await callVendor(kernel, 'im_open_login_svc/kick', { UserID: imUserId }, nothing);
    } catch (error) {
      // Who was never brought to the vendor has no connection there.
      if (!(error instanceof VendorError) || error.code !== UNKNOWN_ACCOUNT) throw error;
    }
  },
});

/** Signs issued so far are made worthless, and open connections end. */
export async function kickAtVendor(kernel: Kernel, writing: Writing, imUserId: string): Promise<void> {
  if (vendorOf(kernel)) await writing.enqueue(vendorKickJob, { imUserId });
}
