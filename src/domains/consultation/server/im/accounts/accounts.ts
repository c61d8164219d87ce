import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { AccountKind } from '../../../contract/dictionaries.ts';
import { SYSTEM_USER, userIdOf } from '../../../contract/im/ids.ts';
import type { KickReason } from '../../../contract/im/wire.ts';
import { ownTx } from '../../database.ts';
import { signerOf } from '../../tencent/mode.ts';
import { kickAtVendor } from '../../tencent/sync.ts';
import { lockUsers } from '../conversations/conversations.ts';
import { imEngine } from '../engine.ts';
import { appendEvents } from '../sockets/events.ts';
import { makeUserSig } from './userSign.ts';

export interface AccountFacts {
  kind: Exclude<AccountKind, 'SYSTEM'>;
  operatorId: string;
  /** patientId, doctorId or assistantId. */
  refId: string | null;
  nick: string;
  avatar: string | null;
}

/** Makes the chat account of a person, or brings its name and picture up to date. @returns its user id. */
export async function ensureAccount(kernel: Kernel, writing: Writing, facts: AccountFacts, now: Instant): Promise<string> {
  const { tx } = writing;
  const imUserId = userIdOf(facts.kind, facts.operatorId);
  const nick = facts.nick.slice(0, 50);
  const { rows } = await sql<{ changed: boolean }>`
    with before as (select nick, avatar from consultation_im_user where im_user_id = ${imUserId})
    insert into consultation_im_user (im_user_id, kind, operator_id, ref_id, nick, avatar, created_at, updated_at)
      values (${imUserId}, ${facts.kind}, ${facts.operatorId}, ${facts.refId}, ${nick}, ${facts.avatar}, ${now}, ${now})
      on conflict (im_user_id) do update
      set nick = excluded.nick, avatar = excluded.avatar, ref_id = coalesce(excluded.ref_id, consultation_im_user.ref_id),
        updated_at = excluded.updated_at, version = consultation_im_user.version + 1
      where (consultation_im_user.nick, consultation_im_user.avatar, consultation_im_user.ref_id) is distinct from (
        excluded.nick, excluded.avatar, coalesce(excluded.ref_id, consultation_im_user.ref_id)
      )
      returning exists (select 1 from before) as changed`.execute(tx);
  if (rows[0]?.changed) await publishProfile(kernel, writing, imUserId, { nick, avatar: facts.avatar ?? '' }, now);
  return imUserId;
}

/** Everybody who shares a conversation with this account hears its new name, and itself. */
async function publishProfile(
  kernel: Kernel,
  writing: Writing,
  imUserId: string,
  profile: { nick: string; avatar: string },
  now: Instant,
): Promise<void> {
  const { rows } = await sql<{ imUserId: string }>`
    select distinct o.im_user_id from consultation_im_member m join consultation_im_member o on o.conv_id = m.conv_id and o.left_at is null
     where m.im_user_id = ${imUserId} and m.left_at is null union select ${imUserId}`.execute(writing.tx);
  const event = { type: 'profile' as const, profile: { userID: imUserId, ...profile } };
  const deliveries = await appendEvents(
    writing.tx,
    rows.map((row) => ({ to: row.imUserId, event })),
    now,
  );
  writing.afterCommit(() => imEngine(kernel).hub.deliver({ messages: [], deliveries }));
}

/** The account in whose name tips and status cards stand. */
export async function ensureSystemAccount(tx: Tx, now: Instant): Promise<void> {
  await ownTx(tx)
    .insertInto('consultationImUser')
    .values({ imUserId: SYSTEM_USER, kind: 'SYSTEM', operatorId: '0', nick: '系统消息', createdAt: now, updatedAt: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Refuses signs of before and ends the connections that came with one: logout, a new binding, a session that ended.
 * @param ended when that was, where it is heard of later: signs issued since then live on.
 */
export async function endSigns(
  kernel: Kernel,
  writing: Writing,
  imUserId: string,
  reason: KickReason,
  now: Instant,
  ended: Instant = now,
): Promise<void> {
  await sql`
    update consultation_im_user
      set sig_not_before = greatest(sig_not_before, ${ended}::timestamptz), updated_at = ${now}
      where im_user_id = ${imUserId}`.execute(writing.tx);
  await kickAtVendor(kernel, writing, imUserId);
  writing.afterCommit(() => imEngine(kernel).hub.kickSigned(imUserId, reason, Date.parse(ended)));
}

export async function disableAccount(kernel: Kernel, writing: Writing, imUserId: string, now: Instant): Promise<void> {
  await ownTx(writing.tx)
    .updateTable('consultationImUser')
    .set({ disabledAt: now, updatedAt: now })
    .where('imUserId', '=', imUserId)
    .execute();
  await endSigns(kernel, writing, imUserId, 'userSigExpired', now);
}

export async function enableAccount(writing: Writing, imUserId: string, now: Instant): Promise<void> {
  await ownTx(writing.tx)
    .updateTable('consultationImUser')
    .set({ disabledAt: null, updatedAt: now })
    .where('imUserId', '=', imUserId)
    .execute();
}

/** 限制发言 in all conversations; null lifts it. */
export async function muteEverywhere(
  writing: Writing,
  imUserId: string,
  until: Instant | null,
  reason: string | null,
  now: Instant,
): Promise<void> {
  await lockUsers(writing.tx, [imUserId]);
  await ownTx(writing.tx)
    .updateTable('consultationImUser')
    .set({ riskMuteUntil: until, muteReason: until ? reason : null, updatedAt: now })
    .where('imUserId', '=', imUserId)
    .execute();
}

const TWELVE_HOURS = 12 * 3600;

/** A sign for the chat of the present mode, good for twelve hours and never beyond `until`. */
export async function issueUserSig(
  kernel: Kernel,
  imUserId: string,
  until: Instant | null = null,
): Promise<{ userID: string; userSig: string; sdkAppID: number }> {
  const time = Math.floor(Date.parse(kernel.clock.now()) / 1000);
  const left = until === null ? TWELVE_HOURS : Math.floor(Date.parse(until) / 1000) - time;
  const { sdkAppID, key } = await signerOf(kernel);
  const facts = { userID: imUserId, sdkAppID, time, expire: Math.max(0, Math.min(TWELVE_HOURS, left)) };
  return { userID: imUserId, userSig: makeUserSig(facts, key), sdkAppID };
}
