import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ImportFault, ParsedRow, PlannedRow } from '#kernel/server/importing/importer.ts';
import { cardLimits } from '#domains/identity/server/index.ts';
import { BILL_STATEMENT_IMPORTER, disputedLine, importBillStatement } from '../../contract/calls/settlement.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { resolutions } from '../../contract/useDictionaries.ts';
import { billMachine } from '../../contract/useStates.ts';
import { settlementBillRecords } from '../access.ts';
import { own } from '../database.ts';
import { isWithinFactor } from './differences.ts';

const billIdOf = ({ billId }: Readonly<Record<string, unknown>>): string => (typeof billId === 'string' ? billId : '0');
const noOf = ({ record }: Pick<ParsedRow, 'record'>) =>
  String(record['sourceNo'] ?? '')
    .trim()
    .toUpperCase();
const theirsOf = ({ record }: Pick<ParsedRow, 'record'>) => BigInt(record['amount'] as bigint | number | string);

/** Lines of a bill by number, as a statement names them: ours, and what an earlier statement alone had. */
async function comparedOf(db: Db | Tx, billId: string) {
  const lines = await own(db)
    .selectFrom('cardSettlementLine')
    .select(['id', 'sourceNo', 'amount', 'theirAmount', 'matchState', 'resolution'])
    .where('billId', '=', billId)
    .where('live', '=', true)
    .where((eb) => eb.or([eb('sourceType', '<>', 'ADJUST'), eb('matchState', '=', 'THEIRS_ONLY')]))
    .execute();
  return new Map(lines.map((line) => [line.sourceNo.toUpperCase(), line]));
}
type Compared = NonNullable<ReturnType<Awaited<ReturnType<typeof comparedOf>>['get']>>;

/** Why what they say of a line is not taken; null: it is. */
function faultOf(line: Compared, theirs: bigint, factor: bigint): string | null {
  if (line.resolution !== null)
    return line.theirAmount === String(theirs) ? null : `该明细已按“${resolutions.label(line.resolution)}”处理，不能再改对方金额`;
  if (line.matchState === 'THEIRS_ONLY' || isWithinFactor(BigInt(line.amount), theirs, factor)) return null;
  return `对方金额须与我方金额${yuan(line.amount)}元同正负，且不超过其${factor}倍`;
}

/**
 * No `upsertImporter`: what is written is a comparison, no record's facts. What the counterparty says of a bill: each of its lines
 * is compared, and what only one side has is named. Ours is never changed.
 */
export const statementImporter: Importer = {
  code: BILL_STATEMENT_IMPORTER,
  label: '对账文件',
  call: importBillStatement,
  templateVersion: '1',
  permission: may['settle.confirm'].code,
  columns: importColumns(disputedLine.shape, [
    { key: 'sourceNo', label: '核销单号', type: 'text', required: true, maxLength: 40, example: 'WO20261101000001' },
    { key: 'amount', from: 'theirAmount', label: '金额(元)', example: '123.45', note: '冲正填负数' },
  ]),
  maxRows: 20_000,
  allowValidOnly: false,
  scopeKey: billIdOf,
  async validateAll(rows, { db, params }) {
    const bill = await settlementBillRecords.get(db, settlementBillRecords.everyone, billIdOf(params));
    if (bill.status !== 'PENDING_CONFIRM' && bill.status !== 'DISPUTED')
      throw refuse(platformErrors.WRONG_STATE, { state: billMachine.states[bill.status].label });
    const seen = new Set<string>();
    const faults: ImportFault[] = [];
    const { differenceFactor } = await cardLimits(db);
    const byNo = await comparedOf(db, billIdOf(params));
    for (const row of rows) {
      const no = noOf(row);
      const line = byNo.get(no);
      const fault = line && faultOf(line, theirsOf(row), differenceFactor);
      if (fault) faults.push({ rowNo: row.rowNo, columnKey: 'amount', severity: 'ERROR', message: fault });
      if (seen.has(no)) faults.push({ rowNo: row.rowNo, columnKey: 'sourceNo', severity: 'ERROR', message: '核销单号重复' });
      seen.add(no);
    }
    return faults;
  },
  async plan(rows, { db, params }) {
    const byNo = await comparedOf(db, billIdOf(params));
    return rows.map((row): PlannedRow => {
      const line = byNo.get(noOf(row));
      if (!line) return { ...row, action: 'NEW' };
      const same = BigInt(line.amount) === theirsOf(row);
      const isKnown = line.resolution !== null || (same && line.matchState === 'MATCHED') || line.matchState === 'THEIRS_ONLY';
      return {
        ...row,
        // Equal amounts are news too until they were compared; what was decided stays decided.
        action: isKnown && line.theirAmount === String(theirsOf(row)) ? 'SAME' : 'CHANGE',
        targetId: line.id,
        targetVersion: 1,
        ...(!same && { before: { sourceNo: line.sourceNo, amount: BigInt(line.amount) } }),
      };
    });
  },
  async commitChunk(rows, _batchNo, writing) {
    const { tx, staff, params, now } = writing;
    const bill = await settlementBillRecords.lock(tx, staff, billIdOf(params));
    // What the whole file does not name is missing on their side; chunks that come later name theirs.
    await own(tx)
      .updateTable('cardSettlementLine')
      .set({ matchState: 'OURS_ONLY', disputedBy: staff.userId, disputedByName: staff.displayName })
      .where('billId', '=', bill.id)
      .where('live', '=', true)
      .where('sourceType', '<>', 'ADJUST')
      .where('matchState', '=', 'UNCHECKED')
      .where('resolution', 'is', null)
      .execute();
    const written = new Map<number, string>();
    for (const row of rows) {
      const theirs = theirsOf(row);
      if (row.targetId) {
        await sql`
          update card_settlement_line
            set their_amount = ${String(theirs)}, disputed_by = ${staff.userId}, disputed_by_name = ${staff.displayName},
              match_state = case
                when match_state = 'THEIRS_ONLY' then 'THEIRS_ONLY' when amount = ${String(theirs)} then 'MATCHED' else 'AMOUNT_DIFF'
              end
            where id = ${row.targetId} and bill_id = ${bill.id} and live and resolution is null`.execute(tx);
        written.set(row.rowNo, row.targetId);
        continue;
      }
      const { id } = await own(tx)
        .insertInto('cardSettlementLine')
        .values({
          billId: bill.id,
          direction: bill.direction,
          lineNo: 100_000 + row.rowNo,
          sourceType: 'ADJUST',
          sourceId: null,
          sourceNo: noOf(row),
          amount: '0',
          fee: '0',
          net: '0',
          theirAmount: String(theirs),
          matchState: 'THEIRS_ONLY',
          disputedBy: staff.userId,
          disputedByName: staff.displayName,
          createdAt: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      written.set(row.rowNo, id);
    }
    const { rows: open } = await sql<{ n: number }>`
      select count(*)::int as n
        from card_settlement_line
        where bill_id = ${bill.id} and live and match_state in ('AMOUNT_DIFF', 'OURS_ONLY', 'THEIRS_ONLY') and resolution is null`.execute(
      tx,
    );
    if (open[0]!.n > 0 && bill.status === 'PENDING_CONFIRM') {
      const ctx = { ...writing, traceId: '', staffOrNull: staff, requirePermission: () => undefined };
      const status = await moveState(ctx, billMachine, {
        targetType: 'card.settlementBill',
        targetId: bill.id,
        targetNo: bill.billNo,
        action: 'dispute',
        from: bill.status,
        opinion: '导入对账文件',
      });
      await own(tx)
        .updateTable('cardSettlementBill')
        .set((eb) => ({ status, version: eb('version', '+', 1) }))
        .where('id', '=', bill.id)
        .execute();
    }
    return written;
  },
};
