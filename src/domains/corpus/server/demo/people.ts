import { sql } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';

const idOf = async (tx: Tx, userName: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select id from identity_staff_user order by (user_name = ${userName}) desc, id limit 1`.execute(tx);
  return rows[0]!.id;
};

/** Who wrote and who judged the demonstration's content. */
export const reviewersOf = async (tx: Tx) => ({ editor: await idOf(tx, 'corpus_ops'), auditor: await idOf(tx, 'medical_a') });
