import { sql } from 'kysely';
import type { Db, Tx } from '#kernel/server/context.ts';
import { settlementChecks, type SettlementCheck } from '../../contract/useDictionaries.ts';

export interface CheckResult {
  check: SettlementCheck;
  ok: boolean;
  message: string;
  /** Numbers of the documents that do not stand the check, the first fifty. */
  numbers: string[];
}

const statements: Readonly<Record<SettlementCheck, (batchId: string) => ReturnType<typeof sql<{ no: string }>>>> = {
  LINES: (batchId) => sql<{ no: string }>`
    select b.bill_no as no from card_settlement_bill b where b.batch_id = ${batchId} and b.status <> 'VOIDED'
       and (b.net_amount <> (select coalesce(sum(l.net), 0) from card_settlement_line l where l.bill_id = b.id and l.live)
         or b.net_amount <> b.gross_amount - b.reversal_amount - b.fee_amount + b.adjust_amount)`,
  TOTALS: (batchId) => sql<{ no: string }>`
    select s.batch_no as no from card_settlement_batch s where s.id = ${batchId}
       and s.net_amount <> (
         select coalesce(sum(b.net_amount), 0) from card_settlement_bill b where b.batch_id = s.id and b.status <> 'VOIDED'
       )`,
  ONCE: (batchId) => sql<{ no: string }>`
    select coalesce(l.source_no, b.bill_no) as no from card_settlement_line l join card_settlement_bill b on b.id = l.bill_id
     where b.batch_id = ${batchId} and l.live and l.source_id is not null and exists (select from card_settlement_line o
       where o.source_type = l.source_type and o.source_id = l.source_id and o.direction = l.direction and o.live and o.id <> l.id)`,
  NEGATIVE: (batchId) => sql<{ no: string }>`
    select b.bill_no as no from card_settlement_bill b where b.batch_id = ${batchId} and b.status <> 'VOIDED' and b.net_amount < 0`,
  SOURCES: (batchId) => sql<{ no: string }>`
    select coalesce(l.source_no, b.bill_no) as no from card_settlement_line l join card_settlement_bill b on b.id = l.bill_id
      left join card_write_off w on l.source_type = 'WRITE_OFF' and w.id = l.source_id
      left join card_reversal r on l.source_type = 'REVERSAL' and r.id = l.source_id
     where b.batch_id = ${batchId} and l.live and l.source_type in ('WRITE_OFF', 'REVERSAL')
       and l.amount <> coalesce(case when l.direction = 'PAYABLE' then w.amount else w.receivable_amount end,
                                -case when l.direction = 'PAYABLE' then r.amount else r.receivable_amount end)`,
  PARTNER: (batchId) => sql<{ no: string }>`
    select b.bill_no as no
      from card_settlement_bill b
      where b.batch_id = ${batchId} and b.status <> 'VOIDED' and btrim(b.counterparty_name) = ''`,
};

/** What has to be right before a batch may be submitted. */
export async function checksOf(db: Db | Tx, batchId: string): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of settlementChecks.codes) {
    const { rows } = await statements[check](batchId).execute(db);
    const numbers = rows.slice(0, 50).map(({ no }) => no);
    results.push({ check, ok: rows.length === 0, message: rows.length === 0 ? '通过' : `${rows.length}条不通过`, numbers });
  }
  return results;
}
