import * as z from 'zod/mini';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { PageCode } from '../../contract/floors/clientPages.ts';
import { floorContent, type FloorContent } from '../../contract/floors/shape.ts';
import { own } from '../database.ts';

export interface Snapshot {
  id: string;
  seq: number;
  floors: FloorContent[];
}
const floorsOf = z.array(floorContent);

/** The floors of a page's live release, or of one that is named. */
export async function snapshotOf(db: Db | Tx, pageCode: PageCode, which: 'LIVE' | { id: string }): Promise<Snapshot | null> {
  const row = await own(db)
    .selectFrom('contentPageRelease')
    .select(['id', 'seq', 'snapshot'])
    .where('pageCode', '=', pageCode)
    .where((eb) => (which === 'LIVE' ? eb('state', '=', 'LIVE') : eb('id', '=', which.id)))
    .executeTakeFirst();
  return row ? { id: row.id, seq: row.seq, floors: floorsOf.parse(row.snapshot) } : null;
}

export async function requireSnapshot(db: Db | Tx, pageCode: PageCode, id: string): Promise<Snapshot> {
  const found = await snapshotOf(db, pageCode, { id });
  if (!found) throw refuse(platformErrors.NOT_FOUND, { message: '版本不存在' });
  return found;
}

/** The release that is being audited, or else the next one that waits for its time. */
export async function openOf(db: Db | Tx, pageCode: PageCode) {
  const rows = await own(db)
    .selectFrom('contentPageRelease')
    .select(['id', 'seq', 'state'])
    .where('pageCode', '=', pageCode)
    .where('state', 'in', ['AUDITING', 'SCHEDULED'])
    .orderBy('state')
    .orderBy('effectiveAt')
    .execute();
  return rows[0] ?? null;
}
