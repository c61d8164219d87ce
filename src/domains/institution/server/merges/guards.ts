import { refuse } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { hospitalRecords, type HospitalRecord, type Seer } from '../access.ts';
import { ownTx } from '../database.ts';

/** Both rows, locked in the order of their ids. @throws Refusal SCM06012, SCM06013, SCM06015, SCM90040. */
export async function lockPair(
  tx: Tx,
  seer: Seer,
  survivorId: string,
  loserId: string,
): Promise<{ survivor: HospitalRecord; loser: HospitalRecord }> {
  if (survivorId === loserId) throw refuse(institutionErrors.MERGE_SELF);
  const rows = new Map<string, HospitalRecord>();
  for (const id of [survivorId, loserId].toSorted((a, b) => Number(BigInt(a) - BigInt(b))))
    rows.set(id, await hospitalRecords.lock(tx, seer, id));
  const survivor = rows.get(survivorId)!;
  const loser = rows.get(loserId)!;
  if (survivor.state === 'MERGED' || loser.state === 'MERGED') throw refuse(institutionErrors.ALREADY_MERGED);
  const campus = await ownTx(tx)
    .selectFrom('institutionHospital')
    .select('id')
    .where('parentId', '=', loserId)
    .where('state', '<>', 'MERGED')
    .executeTakeFirst();
  if (campus) throw refuse(institutionErrors.LOSER_HAS_CAMPUS);
  return { survivor, loser };
}

export const usccDiffers = (a: HospitalRecord, b: HospitalRecord): boolean => a.uscc !== null && b.uscc !== null && a.uscc !== b.uscc;
