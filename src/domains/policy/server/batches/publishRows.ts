import type { Acting } from '../../../../kernel/server/command/acting.ts';
import type { CoverChange } from '../../contract/rules/cover.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import { publishInsured } from '../endorsements/publish.ts';
import type { KeptChange, KeptSlice } from './decide.ts';
import type { BatchRecord } from './records.ts';

const CHUNK = 100;
const read = ({ annualFen, ...slice }: KeptSlice) => ({ ...slice, annualFen: BigInt(annualFen) });
const changeOf = ({ write, supersede }: KeptChange): CoverChange => ({
  write: write.map(read),
  supersede: supersede.map(({ id, ...slice }) => ({ id, ...read(slice) })),
  lines: [],
});

/** Publishes whose cover a list changed, or changed back, some rows at a time. */
export async function publishRows(
  acting: Acting,
  batch: BatchRecord,
  policies: ReadonlyMap<string, PolicyRecord>,
  undo: boolean,
): Promise<void> {
  const { last } = await own(acting.tx)
    .selectFrom('policyInsuredBatchRow')
    .select((eb) => eb.fn.max('rowNo').as('last'))
    .where('batchId', '=', batch.id)
    .executeTakeFirstOrThrow();
  // By ranges: of what was written just now the planner knows too little to stop at a limit.
  const rowsFrom = (rowNo: number) =>
    own(acting.tx)
      .selectFrom('policyInsuredBatchRow')
      .select(['policyId', 'insuredItemId', 'change', 'backdated'])
      .where('batchId', '=', batch.id)
      .where('rowNo', '>=', rowNo)
      .where('rowNo', '<', rowNo + CHUNK)
      .where('result', 'in', ['ADD', 'MODIFY', 'REMOVE'])
      .where('change', 'is not', null)
      .orderBy('rowNo')
      .execute();
  let next = rowsFrom(0);
  for (let rowNo = 0; rowNo <= (last ?? -1); rowNo += CHUNK) {
    const rows = await next;
    // Asked for now: the database writes the events of the rows before while those of these rows are made.
    next = rowsFrom(rowNo + CHUNK);
    next.catch(() => undefined); // heard where it is awaited
    for (const [place, some] of Map.groupBy(rows, ({ policyId, backdated }) => `${policyId}/${backdated}`)) {
      const [policyId = '', backdated] = place.split('/');
      const policy = policies.get(policyId);
      if (!policy) throw new Error(`Policy ${policyId} of a list is not locked`);
      await publishInsured(
        acting,
        some.map(({ insuredItemId, change }) => ({ insuredItemId: insuredItemId ?? '', change: changeOf(change as KeptChange) })),
        { policy, batchNo: batch.batchNo, backdated: backdated === 'true', undo },
      );
    }
  }
  await next;
}
