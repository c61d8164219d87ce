import { bankResults } from '../../contract/bank.ts';
import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import { dayOf, type Instant } from '../../contract/time.ts';
import type { Db, Staff, Tx, Writing } from '../context.ts';
import type { Importer, ParsedRow, PlannedRow } from '../importing/importer.ts';
import { bankResultColumns, effectOf, resultFaults, settlingLines, resultLineOf, type ResultLine, type SentPayout } from './results.ts';

interface BankOutcome {
  payout: SentPayout;
  /** At least one. */
  lines: readonly ResultLine[];
}

interface ResultImporter extends Pick<Importer, 'code' | 'label' | 'call' | 'admit' | 'permission' | 'maxRows'> {
  /** The payments of these references, of whichever batch. */
  find(db: Db | Tx, refs: readonly string[]): Promise<readonly SentPayout[]>;
  /**
   * Writes what the bank says of each payment, at least one, in the order of its lines: one may succeed and come back in the same file.
   * @returns ids of the payments that still had the version which the lines were read against
   */
  settle(results: readonly BankOutcome[], writing: Writing & { staff: Staff; now: Instant }): Promise<ReadonlySet<string>>;
}

const batchIdOf = ({ batchId }: Readonly<Record<string, unknown>>): string => (typeof batchId === 'string' ? batchId : '');

/**
 * No `upsertImporter`: a line is what a bank says of a payment, no record's facts. The result of a batch of payments (parameter
 * `batchId`), as a file of the bank has it: each line is found by our own reference, and one that is not taken says why.
 */
export function bankResultImporter({ find, settle, ...spec }: ResultImporter): Importer {
  async function sentOf(db: Db | Tx, rows: readonly ParsedRow[]): Promise<ReadonlyMap<string, SentPayout>> {
    const refs = [...new Set(rows.map((row) => resultLineOf(row).ref))];
    return new Map((await find(db, refs)).map((payout) => [payout.ref, payout]));
  }
  return {
    ...spec,
    templateVersion: '1',
    columns: bankResultColumns,
    allowValidOnly: true,
    isLeftOut: ([first = '']) => first === '合计',
    scopeKey: batchIdOf,
    async validateAll(rows, { db, params, now }) {
      return resultFaults(rows.map(resultLineOf), { batchId: batchIdOf(params), sent: await sentOf(db, rows), today: dayOf(now) });
    },
    async plan(rows, { db }) {
      const sent = await sentOf(db, rows);
      return rows.flatMap((row): PlannedRow[] => {
        const line = resultLineOf(row);
        const payout = sent.get(line.ref);
        if (!payout) return [];
        const isNew = effectOf(line, payout) === 'SETTLES';
        const before = payout.state === 'SENT' ? bankResults.label('PROCESSING') : bankResults.label(payout.state);
        return [
          { ...row, action: isNew ? 'CHANGE' : 'SAME', targetId: payout.id, targetVersion: payout.version, before: { result: before } },
        ];
      });
    },
    async commitChunk(rows, _batchNo, writing) {
      const sent = await sentOf(writing.tx, rows);
      const lines = Map.groupBy(rows.map(resultLineOf), ({ ref }) => ref);
      const results = [...lines].flatMap(([ref, all]): BankOutcome[] => {
        const payout = sent.get(ref);
        // What became known of it since the rows were looked at stands: its rows are told.
        const news = payout ? settlingLines(all, payout) : [];
        return payout && news.length > 0 ? [{ payout, lines: news }] : [];
      });
      const written = results.length > 0 ? await settle(results, writing) : new Set<string>();
      const moved = rows.filter(({ targetId }) => targetId === undefined || !written.has(targetId));
      if (moved.length > 0) throw refuse(fileErrors.ROWS_CHANGED, { rows: moved.map(({ rowNo }) => rowNo).join('、') });
      return new Map(rows.flatMap(({ rowNo, targetId }) => (targetId === undefined ? [] : [[rowNo, targetId] as const])));
    },
  };
}
