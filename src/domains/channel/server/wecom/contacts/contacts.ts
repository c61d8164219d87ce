import { sql } from 'kysely';
import { dayOf, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { convert } from '../../scans/conversions.ts';
import { ownTx } from '../../database.ts';
import type { RemoteContact } from '../port/port.ts';
import { tagRows } from './tags.ts';
import { readWayKey } from '../codes/ways.ts';

/** A scan that showed a member counts as the cause of a contact for this long. */
const GUESS_MS = minutes(30);

interface Source {
  liveCodeId: string;
  codeId: string;
  channelId: string;
  memberRowId: string;
}
interface Cause {
  id: string;
  visitorId: string | null;
  match: 'EXACT' | 'GUESS';
}
export type KnownContact = RemoteContact & { corpRowId: string; memberId: string; visitorId?: string; scanId?: string };

async function sourceOf(tx: Tx, wayKey: string | null): Promise<Source | null> {
  const way = readWayKey(wayKey);
  if (!way) return null;
  const { rows } = await sql<Source>`
    select l.id as live_code_id, l.code_id, l.channel_id, m.id as member_row_id
      from channel_live_code l
      join channel_live_code_member m on m.live_code_id = l.id
      where l.id = ${way.liveCodeId} and m.id = ${way.memberRowId}`.execute(tx);
  return rows[0] ?? null;
}

/**
 * The scan that led to a contact: the one that the simulator names; one of a browser that is known to be this person's, by another
 * contact of the same union id; else the newest that showed this member within half an hour before and led to nobody yet.
 */
async function causeOf(tx: Tx, contact: KnownContact, source: Source, unionIdHash: string | null): Promise<Cause | null> {
  if (contact.scanId) return { id: contact.scanId, visitorId: contact.visitorId ?? null, match: 'EXACT' };
  const { rows } = await sql<Cause>`
    select s.id, s.visitor_id, case when k.known then 'EXACT' else 'GUESS' end as match
      from channel_qr_scan s
      cross join lateral (
        select exists (select from channel_wecom_contact o where o.union_id_hash = ${unionIdHash} and o.visitor_id = s.visitor_id) as known
      ) k
      where s.code_id = ${source.codeId}
        and s.live_member_id = ${source.memberRowId}
        and s.at > ${plusMs(contact.addedAt, -GUESS_MS)}::timestamptz
        and s.at <= ${contact.addedAt}::timestamptz
        and not exists (select from channel_scan_conversion v where v.scan_id = s.id and v.kind = 'ADD_CONTACT')
      order by k.known desc, s.at desc, s.id desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

/**
 * Keeps a contact of a member, new or seen before, and notes the conversion on the day it was added, which a nightly sync
 * learns of later. The code is known by the way's key.
 */
export async function keepContact(
  kernel: Kernel,
  tx: Tx,
  contact: KnownContact,
  now: Instant,
): Promise<{ id: string; isNew: boolean; liveCodeId: string | null }> {
  const source = await sourceOf(tx, contact.wayKey);
  const name = contact.nickName || '未命名';
  const unionIdHash = contact.unionId === null ? null : kernel.secrets.blindIndex('channel.unionId', contact.unionId);
  const cause = source && (await causeOf(tx, contact, source, unionIdHash));
  const values = {
    nickCipher: kernel.secrets.encrypt(name),
    nickMasked: mask('name', name),
    avatar: contact.avatar,
    unionIdHash,
    wayKey: contact.wayKey,
    liveCodeId: source?.liveCodeId ?? null,
    status: 'ACTIVE' as const,
    tagIds: await tagRows(tx, contact.corpRowId, contact.tagIds),
    updatedAt: now,
  };
  const before = await ownTx(tx)
    .selectFrom('channelWecomContact')
    .select(['id', 'status'])
    .where('corpRowId', '=', contact.corpRowId)
    .where('externalUserId', '=', contact.externalUserId)
    .where('memberId', '=', contact.memberId)
    .forUpdate()
    .executeTakeFirst();
  const isNew = !before || before.status !== 'ACTIVE';
  const row = before
    ? await ownTx(tx)
        .updateTable('channelWecomContact')
        .set({ ...values, ...(isNew && { addedAt: contact.addedAt }) })
        .where('id', '=', before.id)
        .returning('id')
        .executeTakeFirstOrThrow()
    : await ownTx(tx)
        .insertInto('channelWecomContact')
        .values({
          ...values,
          corpRowId: contact.corpRowId,
          externalUserId: contact.externalUserId,
          memberId: contact.memberId,
          addedAt: contact.addedAt,
          createdAt: now,
          visitorId: contact.visitorId ?? null,
        })
        // A callback and a synchronisation may bring the same contact at once.
        .onConflict((conflict) => conflict.columns(['corpRowId', 'externalUserId', 'memberId']).doUpdateSet(values))
        .returning('id')
        .executeTakeFirstOrThrow();
  if (source && isNew) {
    await sql`
      insert into channel_live_member_day (live_code_member_id, day, added)
        values (${source.memberRowId}, ${dayOf(contact.addedAt)}, 1)
        on conflict (live_code_member_id, day) do update
        set added = channel_live_member_day.added + 1`.execute(tx);
    if (cause?.visitorId)
      await ownTx(tx)
        .updateTable('channelWecomContact')
        .set({ visitorId: cause.visitorId })
        .where('id', '=', row.id)
        .where('visitorId', 'is', null)
        .execute();
    await convert(
      { tx, kernel, now },
      {
        kind: 'ADD_CONTACT',
        subjectKey: row.id,
        scanId: cause?.id ?? null,
        codeId: source.codeId,
        channelId: source.channelId,
        match: cause?.match ?? 'GUESS',
        at: contact.addedAt,
      },
    );
  }
  return { id: row.id, isNew, liveCodeId: source?.liveCodeId ?? null };
}
