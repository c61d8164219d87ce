import type { Db } from '#kernel/server/context.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { suspendReasons, type ItemType, type TitleCode } from '../../contract/dictionaries.ts';
import { openingMachine, type OpeningState } from '../../contract/states.ts';
import { own, ownTx } from '../database.ts';
import { withdrawApplies } from './applies/applies.ts';
import { publishOpening } from './publish.ts';

export const OPENING_TARGET = 'doctor.serviceOpening';
export type SuspendReason = 'CERT' | 'FREEZE';
/** Only openings of such items (a signature that ran out stops treatment alone). */
interface Which {
  careKind?: 'CONSULT' | 'DIAGNOSIS';
}

interface Stopped {
  state: OpeningState;
  suspendReason: SuspendReason | null;
  /** What it was before it stopped. */
  suspendedFrom: 'ON' | 'PAUSED' | null;
}

/** Writes what an opening now is and why, and tells it. */
async function writeState(ctx: Acting, id: string, stopped: Stopped): Promise<void> {
  await ownTx(ctx.tx)
    .updateTable('doctorServiceOpening')
    .set((eb) => ({ ...stopped, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', id)
    .execute();
  await publishOpening(ctx, id);
}

/** Openings that are offered or paused stop; what they were is kept. Already stopped ones stay as they are. */
export async function suspendOpenings(ctx: Acting, doctorId: string, reason: SuspendReason, which: Which = {}): Promise<void> {
  let query = ownTx(ctx.tx)
    .selectFrom('doctorServiceOpening as o')
    .selectAll('o')
    .where('o.doctorId', '=', doctorId)
    .where('o.state', 'in', ['ON', 'PAUSED']);
  const { careKind } = which;
  if (careKind)
    query = query.where((eb) =>
      eb.exists(
        eb.selectFrom('doctorServiceItem as i').select('i.id').whereRef('i.id', '=', 'o.itemId').where('i.careKind', '=', careKind),
      ),
    );
  for (const row of await query.orderBy('o.id').forUpdate().execute()) {
    const from = row.state === 'ON' ? 'ON' : 'PAUSED';
    const state = await moveState(ctx, openingMachine, {
      targetType: OPENING_TARGET,
      targetId: row.id,
      action: 'suspend',
      from,
      opinion: suspendReasons.label(reason),
    });
    await writeState(ctx, row.id, { state, suspendReason: reason, suspendedFrom: from });
  }
}

/**
 * What stopped for this reason is again what it was. Nothing comes back while the doctor may not practise;
 * an opening that another reason would stop as well then comes back with that reason's end.
 */
export async function restoreOpenings(ctx: Acting, doctorId: string, reason: SuspendReason, { careKind }: Which = {}): Promise<void> {
  const doctor = await ownTx(ctx.tx)
    .selectFrom('doctorDoctor')
    .select(['practiceOk', 'accountState'])
    .where('id', '=', doctorId)
    .executeTakeFirst();
  let query = ownTx(ctx.tx)
    .selectFrom('doctorServiceOpening as o')
    .selectAll('o')
    .where('o.doctorId', '=', doctorId)
    .where('o.state', '=', 'SUSPENDED')
    .where('o.suspendReason', '=', reason);
  if (careKind)
    query = query.where((eb) =>
      eb.exists(
        eb.selectFrom('doctorServiceItem as i').select('i.id').whereRef('i.id', '=', 'o.itemId').where('i.careKind', '=', careKind),
      ),
    );
  for (const row of await query.orderBy('o.id').forUpdate().execute()) {
    if (!doctor?.practiceOk) {
      // The account is in order again, the certificates are not (or the other way round): only the reason changes.
      const left: SuspendReason = doctor?.accountState === 'NORMAL' ? 'CERT' : 'FREEZE';
      await ownTx(ctx.tx)
        .updateTable('doctorServiceOpening')
        .set({ suspendReason: left, updatedAt: ctx.now })
        .where('id', '=', row.id)
        .execute();
      continue;
    }
    const state = await moveState(ctx, openingMachine, {
      targetType: OPENING_TARGET,
      targetId: row.id,
      action: row.suspendedFrom === 'ON' ? 'restoreOn' : 'restorePaused',
      from: 'SUSPENDED',
      opinion: `${suspendReasons.label(reason)}已解除`,
    });
    await writeState(ctx, row.id, { state, suspendReason: null, suspendedFrom: null });
  }
}

/** A doctor leaves for good: whatever he offered or asked for ends. */
export async function closeOpenings(ctx: Acting, doctorId: string, opinion: string): Promise<void> {
  const rows = await ownTx(ctx.tx)
    .selectFrom('doctorServiceOpening')
    .selectAll()
    .where('doctorId', '=', doctorId)
    .where('state', 'in', ['PENDING', 'ON', 'PAUSED', 'SUSPENDED'])
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of rows) {
    await withdrawApplies(ctx, row.id, opinion);
    const state = await moveState(ctx, openingMachine, {
      targetType: OPENING_TARGET,
      targetId: row.id,
      action: 'closeBySystem',
      from: row.state,
      opinion,
    });
    await writeState(ctx, row.id, { state, suspendReason: null, suspendedFrom: null });
  }
}

export interface LiveOpening {
  openingId: string;
  doctorId: string;
  itemId: string;
  name: string;
  itemType: ItemType;
  careKind: 'CONSULT' | 'DIAGNOSIS';
  titleMin: TitleCode;
  priceFen: number;
}

/** What doctors offer at this moment: the opening and its item are both on. */
export async function liveOpeningsOf(db: Db, doctorIds: readonly string[]): Promise<LiveOpening[]> {
  if (doctorIds.length === 0) return [];
  const rows = await own(db)
    .selectFrom('doctorServiceOpening as o')
    .innerJoin('doctorServiceItem as i', 'i.id', 'o.itemId')
    .innerJoin('doctorServiceCategory as c', 'c.id', 'i.categoryId')
    .select(['o.id as openingId', 'o.doctorId', 'o.itemId', 'i.name', 'i.itemType', 'i.careKind', 'i.titleMin', 'o.priceFen'])
    .where('o.doctorId', 'in', [...doctorIds])
    .where('o.state', '=', 'ON')
    .where('i.state', '=', 'ON')
    .orderBy('c.sort')
    .orderBy('i.sort')
    .orderBy('o.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    priceFen: Number(row.priceFen),
  }));
}
