import { sql } from 'kysely';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { linesBetween, type CoverChange, type Slice } from '../../../contract/rules/cover.ts';
import { liveSlices } from '../../cover/live.ts';
import { own } from '../../database.ts';
import { linesOf, sumOf, termsOf } from '../../premium/lines.ts';
import { isLiveContract, isOpenClaim, isPaidClaim, usesOf } from '../../uses/uses.ts';
import { keptChange, keptLines, type DecidedRow, type KeptChange, type KeptNote } from './decide.ts';
import type { BatchRecord } from '../records.ts';
import { lockedBatch, noteSeqs } from '../settle.ts';
import { cellsOf, insertRows } from './writeRows.ts';

type Run = <T>(work: (acting: Acting) => Promise<T>) => Promise<T>;
const CHUNK = 1_000;
const OPPOSITE = { ADD: 'REMOVE', REMOVE: 'ADD', MODIFY: 'MODIFY' } as const;

/** The inverse of what a row did: the slices that it wrote go, those that it replaced are written again. */
function inverse({ write, supersede }: KeptChange, live: readonly Slice[]): CoverChange | null {
  const gone: Slice[] = [];
  for (const { from, to, planCode } of write) {
    const slice = live.find((one) => one.from === from && one.to === to && one.planCode === planCode);
    if (!slice) return null;
    gone.push(slice);
  }
  const back = supersede.map(({ planCode, from, to, annualFen }) => ({ planCode, from, to, annualFen: BigInt(annualFen) }));
  const room = live.filter((slice) => !gone.includes(slice));
  if (back.some(({ from, to }) => room.some((slice) => slice.from <= to && from <= slice.to))) return null;
  return { supersede: gone, write: back, lines: linesBetween(gone, back) };
}

/** Writes the rows of a batch that takes another one back, from behind those that stand; what is said of the person returns with them. */
export async function reverseRows({ secrets }: Kernel, run: Run, batch: BatchRecord): Promise<boolean> {
  let parsed = batch.parsedRows;
  for (;;) {
    const more = await run(async (acting) => {
      const { tx, today } = acting;
      const now = await lockedBatch(tx, batch.id);
      if (now.state !== 'PARSING' || now.parsedRows !== parsed) return null;
      const rows = await own(tx)
        .selectFrom('policyInsuredBatchRow')
        .selectAll()
        .where('batchId', '=', batch.reverseOfBatchId)
        .where('result', 'in', ['ADD', 'MODIFY', 'REMOVE'])
        .where(sql<boolean>`not (id = any(${batch.leftOut}::bigint[]))`)
        .where(sql<boolean>`row_no > coalesce((select max(r.row_no) from policy_insured_batch_row r where r.batch_id = ${batch.id}), 0)`)
        .orderBy('rowNo')
        .limit(CHUNK)
        .execute();
      if (rows.length === 0) return false;
      const ids = rows.flatMap(({ insuredItemId }) => insuredItemId ?? []);
      const live = await liveSlices(tx, ids);
      const uses = Map.groupBy(await usesOf(tx, { itemIds: ids }), ({ insuredItemId }) => insuredItemId);
      const policies = await own(tx)
        .selectFrom('policyPolicy')
        .selectAll()
        .where('id', 'in', [...new Set(rows.flatMap(({ policyId }) => policyId ?? []))])
        .execute();
      const byId = new Map(policies.map((policy) => [policy.id, policy]));
      const decided = rows.map((row): DecidedRow => {
        const policy = byId.get(row.policyId ?? '')!;
        const itemId = row.insuredItemId ?? '';
        const did = (row.change as KeptChange | null) ?? { write: [], supersede: [] };
        const change = inverse(did, live.get(itemId) ?? []);
        const own = uses.get(itemId) ?? [];
        const errors: KeptNote[] = [];
        const warnings: KeptNote[] = [];
        const gone = (change?.supersede ?? []).filter(
          ({ from, to }) => !(change?.write ?? []).some((one) => one.from <= from && one.to >= to),
        );
        const lost = (use: { useFrom: string }) =>
          gone.some(({ from, to }) => from <= use.useFrom && use.useFrom <= to) &&
          !(change?.write ?? []).some(({ from, to }) => from <= use.useFrom && use.useFrom <= to);
        const paid = own.find((use) => isPaidClaim(use) && lost(use));
        if (change === null) errors.push({ code: 'E11', column: null, header: '', message: '保障已被后续批单变更，请从冲正中剔除' });
        if (paid)
          errors.push({ code: 'E15', column: null, header: '', message: `该被保人在${paid.useFrom}有已赔付案件${paid.refNo}，不能冲正` });
        const open = own.filter((use) => (isOpenClaim(use) || isLiveContract(use)) && lost(use)).map(({ refNo }) => refNo);
        if (open.length > 0)
          warnings.push({ code: 'W05', column: null, header: '', message: `有在途理赔或有效签约：${open.slice(0, 3).join('、')}` });
        const whole = errors.length === 0 && change !== null;
        const lines = whole ? linesOf(termsOf(policy), itemId, change) : [];
        const changes = whole && change.write.length + change.supersede.length > 0;
        return {
          op: row.op,
          policyId: row.policyId,
          personKey: row.personKey,
          idNoHash: row.idNoHash,
          name: row.name,
          planCode: row.planCode,
          effectiveOn: row.effectiveOn,
          leaveOn: row.leaveOn,
          // whoever comes back is in the policy already
          mainIdNoHash: null,
          insuredItemId: row.insuredItemId,
          premiumFen: sumOf(lines),
          result: whole ? OPPOSITE[row.result as keyof typeof OPPOSITE] : 'ERROR',
          warnings,
          errors,
          backdated: whole && row.firstDay !== null && row.firstDay < today,
          person: whole ? (row.before as Record<string, unknown> | null) : null,
          change: changes ? keptChange(change) : null,
          lines: lines.length > 0 ? keptLines(lines) : null,
          firstDay: row.firstDay,
        };
      });
      await insertRows(
        tx,
        secrets,
        batch.id,
        rows.map((row, at) => {
          const { raw, corrected } = cellsOf(secrets, row);
          return { rowNo: row.rowNo, raw: { ...raw, ...corrected }, decided: decided[at]! };
        }),
        false,
      );
      await noteSeqs(tx, now, Object.fromEntries(policies.map(({ id, endorsementSeq }) => [id, endorsementSeq])));
      await own(tx)
        .updateTable('policyInsuredBatch')
        .set({ parsedRows: parsed + rows.length })
        .where('id', '=', batch.id)
        .execute();
      return rows.length;
    });
    if (more === null) return false;
    if (more === false) return true;
    parsed += more;
  }
}
