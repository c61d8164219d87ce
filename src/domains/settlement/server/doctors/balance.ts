import { sql } from 'kysely';
import { doctorBalanceChanged } from '#events/settlement.ts';
import type { Writing } from '#kernel/server/context.ts';

/** What doctors have earned and were not paid follows their incomes; told once for each of them. */
export async function refreshBalances(writing: Pick<Writing, 'tx' | 'publishMany'>, doctorIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ doctorId: string; unsettledFen: string }>`
    update settlement_doctor a
      set unsettled_fen = s.fen
      from (
        select d.id as doctor_id, (
          select coalesce(sum(i.gross_fen), 0)::bigint from settlement_income i
            where i.doctor_id = d.id and i.status not in ('REVERSED', 'SETTLED') and i.waits_for is null
        ) as fen
          from unnest(${[...new Set(doctorIds)]}::bigint[]) as d (id)
      ) s
      where a.doctor_id = s.doctor_id and a.unsettled_fen <> s.fen
      returning a.doctor_id, a.unsettled_fen`.execute(writing.tx);
  if (rows.length === 0) return;
  await writing.publishMany(
    doctorBalanceChanged,
    rows.map(({ doctorId, unsettledFen }) => ({ aggregateId: doctorId, payload: { doctorId, unsettledFen: Number(unsettledFen) } })),
  );
}
