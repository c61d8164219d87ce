import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { own, ownTx } from '../database.ts';

export type RefKind = 'SCENE' | 'DOCTOR' | 'AGENT' | 'HOSPITAL' | 'ASSISTANT' | 'USER' | 'ITEM';

export interface RefCopy {
  kind: RefKind;
  refId: string;
  name: string;
  usable: boolean;
  facts: Readonly<Record<string, unknown>>;
}

/** Keeps a copy of another domain's record; an older event than the one seen last changes nothing. */
export async function keepCopy(tx: Tx, copy: RefCopy, seq: number, now: Instant): Promise<void> {
  await sql`
    insert into channel_ref_copy (kind, ref_id, name, usable, facts, seq, updated_at)
    values (${copy.kind}, ${copy.refId}, ${copy.name}, ${copy.usable}, ${JSON.stringify(copy.facts)}::jsonb, ${seq}, ${now})
    on conflict (kind, ref_id) do update
      set name = excluded.name, usable = excluded.usable, facts = channel_ref_copy.facts || excluded.facts, seq = excluded.seq,
        updated_at = excluded.updated_at
      where channel_ref_copy.seq <= excluded.seq`.execute(tx);
}

/** The record can no longer be used, unless a later event says otherwise; its name stays for what names it. */
export async function retireCopy(tx: Tx, kind: RefKind, refId: string, seq: number, now: Instant): Promise<void> {
  await ownTx(tx)
    .updateTable('channelRefCopy')
    .set({ usable: false, seq, updatedAt: now })
    .where('kind', '=', kind)
    .where('refId', '=', refId)
    .where('seq', '<=', seq)
    .execute();
}

export async function copyOf(db: Db, kind: RefKind, refId: string) {
  return own(db).selectFrom('channelRefCopy').selectAll().where('kind', '=', kind).where('refId', '=', refId).executeTakeFirst();
}
