import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { quotaAt, type WeekSlot } from '../../contract/rules/slots.ts';
import { ownTx } from '../database.ts';

type Taking = Pick<Writing, 'tx'> & { now: Instant };

/**
 * Takes one place of a bookable time (R4). The row of the time is made on its first booking; the count is raised by one
 * statement that looks at the limit itself, so two buyers of the last place cannot both get it.
 * @throws Refusal SCM07076 when the time is full; a malformed request for a time that is past or not offered
 */
export async function takeSlot(ctx: Taking, openingId: string, slotAt: Instant): Promise<void> {
  const opening = await ownTx(ctx.tx).selectFrom('doctorServiceOpening').select('slots').where('id', '=', openingId).executeTakeFirst();
  if (!opening) throw refuse(platformErrors.NOT_FOUND);
  const quota = quotaAt(opening.slots as WeekSlot[], slotAt);
  if (quota === 0 || Date.parse(slotAt) <= Date.parse(ctx.now)) throw refuseField('slotAt', '请选择可预约的时段');
  await sql`
    insert into doctor_opening_slot (opening_id, slot_at, quota) values (${openingId}, ${slotAt}, ${quota}) on conflict do nothing`.execute(
    ctx.tx,
  );
  const { rows } = await sql`
    update doctor_opening_slot
      set taken = taken + 1
      where opening_id = ${openingId} and slot_at = ${slotAt} and taken < quota
      returning taken`.execute(ctx.tx);
  if (rows.length === 0) throw refuse(doctorErrors.SLOT_FULL);
}

/** Gives a taken place back; a time without taken places stays as it is. */
export async function freeSlot(ctx: Pick<Writing, 'tx'>, openingId: string, slotAt: Instant): Promise<void> {
  await sql`update doctor_opening_slot set taken = taken - 1 where opening_id = ${openingId} and slot_at = ${slotAt} and taken > 0`.execute(
    ctx.tx,
  );
}

/** After the week of an opening changed: coming times get the new number of places, never fewer than are taken. */
export async function applyQuota(ctx: Taking, openingId: string, slots: readonly WeekSlot[]): Promise<void> {
  const rows = await ownTx(ctx.tx)
    .selectFrom('doctorOpeningSlot')
    .select(['slotAt', 'quota', 'taken'])
    .where('openingId', '=', openingId)
    .where('slotAt', '>', ctx.now)
    .forUpdate()
    .execute();
  for (const row of rows) {
    const quota = Math.max(row.taken, quotaAt(slots, row.slotAt));
    if (quota !== row.quota)
      await ownTx(ctx.tx)
        .updateTable('doctorOpeningSlot')
        .set({ quota })
        .where('openingId', '=', openingId)
        .where('slotAt', '=', row.slotAt)
        .execute();
  }
}
