import { sql } from 'kysely';
import { dayOf, minutes, plusMs, type Instant } from '../../../../kernel/contract/time.ts';
import { mask } from '../../../../kernel/contract/masking.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { convert } from '../scans/conversions.ts';
import { ownTx } from '../database.ts';
import type { RemoteContact } from './port.ts';
import { readWayKey } from './ways.ts';

/** A scan that showed a member counts as the cause of a contact for this long. */
const GUESS_MS = minutes(30);

/**
 * Keeps a contact of a member, new or seen before, and notes the conversion. The code is known by the way's key;
 * the scan is guessed: the newest one within half an hour that showed this member and led to nobody yet.
 */
export async function keepContact(kernel: Kernel, tx: Tx, contact: RemoteContact & { corpRowId: string; memberId: string; visitorId?: string; scanId?: string }, now: Instant): Promise<{ id: string; isNew: boolean; liveCodeId: string | null }> {
  const way = readWayKey(contact.wayKey);
  const { rows: known } = way
    ? await sql<{ liveCodeId: string; codeId: string; channelId: string; memberRowId: string }>`
        select l.id as live_code_id, l.code_id, l.channel_id, m.id as member_row_id from channel_live_code l join channel_live_code_member m on m.live_code_id = l.id where l.id = ${way.liveCodeId} and m.id = ${way.memberRowId}`.execute(tx)
    : { rows: [] };
  const source = known[0] ?? null;
  const name = contact.nickName || '未命名';
  const values = {
    nickCipher: kernel.secrets.encrypt(name), nickMasked: mask('name', name), avatar: contact.avatar, unionIdHash: contact.unionId === null ? null : kernel.secrets.blindIndex('channel.unionId', contact.unionId),
    wayKey: contact.wayKey, liveCodeId: source?.liveCodeId ?? null, status: 'ACTIVE', updatedAt: now,
  };
  const before = await ownTx(tx).selectFrom('channelWecomContact').select(['id', 'status']).where('corpRowId', '=', contact.corpRowId).where('externalUserId', '=', contact.externalUserId).where('memberId', '=', contact.memberId).forUpdate().executeTakeFirst();
  const row = before
    ? await ownTx(tx).updateTable('channelWecomContact').set(values).where('id', '=', before.id).returning('id').executeTakeFirstOrThrow()
    : await ownTx(tx).insertInto('channelWecomContact').values({ ...values, corpRowId: contact.corpRowId, externalUserId: contact.externalUserId, memberId: contact.memberId, addedAt: contact.addedAt, createdAt: now, visitorId: contact.visitorId ?? null }).returning('id').executeTakeFirstOrThrow();
  const isNew = !before || before.status !== 'ACTIVE';
  if (source && isNew) {
    await sql`insert into channel_live_member_day (live_code_member_id, day, added) values (${source.memberRowId}, ${dayOf(now)}, 1) on conflict (live_code_member_id, day) do update set added = channel_live_member_day.added + 1`.execute(tx);
    const scan = contact.scanId
      ? { id: contact.scanId, visitorId: contact.visitorId ?? null }
      : (await sql<{ id: string; visitorId: string | null }>`
          select s.id, s.visitor_id from channel_qr_scan s where s.code_id = ${source.codeId} and s.live_member_id = ${source.memberRowId} and s.at > ${plusMs(now, -GUESS_MS)}::timestamptz and s.at <= ${now}::timestamptz
            and not exists (select from channel_scan_conversion v where v.scan_id = s.id and v.kind = 'ADD_CONTACT') order by s.at desc limit 1`.execute(tx)).rows[0];
    if (scan?.visitorId) await ownTx(tx).updateTable('channelWecomContact').set({ visitorId: scan.visitorId }).where('id', '=', row.id).where('visitorId', 'is', null).execute();
    await convert({ tx, kernel, now }, { kind: 'ADD_CONTACT', subjectKey: row.id, scanId: scan?.id ?? null, codeId: source.codeId, channelId: source.channelId, match: contact.scanId ? 'EXACT' : 'GUESS', at: now });
  }
  return { id: row.id, isNew, liveCodeId: source?.liveCodeId ?? null };
}
