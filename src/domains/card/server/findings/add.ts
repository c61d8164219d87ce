import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Invariant } from '../../contract/useDictionaries.ts';

export interface NewFinding {
  code: Invariant;
  subjectType: string;
  subjectId: string;
  subject: string;
  expected: string;
  actual: string;
}

/** Says once that something is wrong with a thing; as long as it is open it is only brought up to date. */
export async function addFinding({ tx, now }: { tx: Tx; now: Instant }, finding: NewFinding): Promise<void> {
  await sql`
    insert into card_finding (invariant_code, subject_type, subject_id, subject, expected, actual, found_at)
    values (
      ${finding.code}, ${finding.subjectType}, ${finding.subjectId}, ${finding.subject}, ${finding.expected}, ${finding.actual},
      ${now}::timestamptz
    )
    on conflict (invariant_code, subject_type, subject_id) where status <> 'CLOSED'
      do update set expected = excluded.expected, actual = excluded.actual`.execute(tx);
}
