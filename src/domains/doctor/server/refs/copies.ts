import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';

export type RefKind = 'DISEASE' | 'PATIENT' | 'STAFF' | 'MARK' | 'INQUIRY' | 'CHANNEL' | 'AGENT' | 'SCENE_CODE';

export interface RefCopy {
  kind: RefKind;
  refId: string;
  name: string;
  state: string;
  facts?: Readonly<Record<string, unknown>>;
}

/** Keeps a copy of another domain's record; an older event than the one seen last changes nothing. */
export async function keepCopy(tx: Tx, copy: RefCopy, seq: number, now: Instant): Promise<void> {
  await sql`
    insert into doctor_ref_copy (kind, ref_id, name, state, facts, seq, updated_at)
    values (${copy.kind}, ${copy.refId}, ${copy.name}, ${copy.state}, ${JSON.stringify(copy.facts ?? {})}::jsonb, ${seq}, ${now})
    on conflict (kind, ref_id) do update
      set name = excluded.name, state = excluded.state, facts = doctor_ref_copy.facts || excluded.facts, seq = excluded.seq,
        updated_at = excluded.updated_at
      where doctor_ref_copy.seq <= excluded.seq`.execute(tx);
}
